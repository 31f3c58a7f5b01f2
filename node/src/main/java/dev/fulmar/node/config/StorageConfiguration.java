package dev.fulmar.node.config;

import dev.fulmar.coordinator.durability.environment.DurabilityEnvironment;
import dev.fulmar.coordinator.durability.environment.DurabilityMode;
import dev.fulmar.pmemlog.checkpoint.CheckpointPolicy;
import java.time.Duration;
import java.util.Locale;

/**
 * Configuration of what a node keeps on its disk.
 *
 * @param data {@code data}: directory of the database's files; empty for none
 * @param durability {@code durability}: {@code sync}, {@code async} or {@code none}
 * @param checkpoints {@code checkpoint.log-size}, {@code checkpoint.dirty-memory} and {@code recovery.objective}: when
 *     a checkpoint is due
 * @param logArchive {@code log.archive}: directory that gets every segment of the log before its space is used again;
 *     empty for none
 * @param logArchiveBytes {@code log.archive-size}: what the archive may have, its oldest segments go for new ones; no
 *     limit by default
 * @param backend {@code backend} and {@code backend.*}: where the data directory's bytes go
 */
public record StorageConfiguration(
        String data,
        DurabilityMode durability,
        CheckpointPolicy checkpoints,
        String logArchive,
        long logArchiveBytes,
        BackendConfiguration backend) {
    private static final long MEBIBYTE = 1 << 20;
    private static final long MOST = 1L << 50;

    static StorageConfiguration of(Settings settings) {
        return new StorageConfiguration(
                settings.text("data", ""),
                durability(settings),
                checkpoints(settings),
                settings.text("log.archive", ""),
                settings.bytes("log.archive-size", Long.MAX_VALUE, MEBIBYTE, Long.MAX_VALUE),
                BackendConfiguration.of(settings));
    }

    private static CheckpointPolicy checkpoints(Settings settings) {
        return DurabilityEnvironment.policy(
                settings.bytes("checkpoint.log-size", DurabilityEnvironment.MOST_LOG_BYTES, MEBIBYTE, MOST),
                settings.bytes("checkpoint.dirty-memory", DurabilityEnvironment.MOST_DIRTY_BYTES, MEBIBYTE, MOST),
                settings.duration(
                                "recovery.objective",
                                Duration.ofNanos(DurabilityEnvironment.RECOVERY_NANOS),
                                Duration.ofSeconds(1),
                                Duration.ofHours(1))
                        .toNanos());
    }

    private static DurabilityMode durability(Settings settings) {
        boolean hasDirectory = !settings.text("data", "").isEmpty();
        String text = settings.text("durability", hasDirectory ? "sync" : "none");
        DurabilityMode mode = switch (text.toLowerCase(Locale.ROOT)) {
            case "sync" -> DurabilityMode.SYNC;
            case "async" -> DurabilityMode.ASYNC;
            case "none" -> DurabilityMode.NONE;
            default -> throw Settings.refused("durability", text, "sync, async or none", null);
        };
        if (mode != DurabilityMode.NONE && !hasDirectory) {
            throw Settings.refused("durability", text, "none, or name a directory with the setting data", null);
        }
        return mode;
    }
}
