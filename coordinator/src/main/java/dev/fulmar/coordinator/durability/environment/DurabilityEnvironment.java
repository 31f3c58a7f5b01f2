package dev.fulmar.coordinator.durability.environment;

import dev.fulmar.foundation.agent.Agent;
import dev.fulmar.foundation.agent.AgentRunner;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.storage.Storage;
import dev.fulmar.pmemlog.checkpoint.CheckpointPolicy;
import dev.fulmar.pmemlog.checkpoint.CheckpointSettings;
import dev.fulmar.pmemlog.log.LogSettings;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Storage, settings, threads and listeners that a node gives its database's durability.
 *
 * @param mode {@link DurabilityMode#SYNC} or {@link DurabilityMode#ASYNC}
 * @param checkpoints sizes of checkpoints
 * @param policy when a checkpoint is due
 * @param runners makes the runners of the log's agents, which wait for the device
 * @param parallel runs all tasks, at once if it can, and returns when all have ended; throws what one of them threw
 * @param progress takes lines about the recovery
 * @param failed hears that nothing becomes durable any more, or nothing of a copy that is built here; the node must
 *     end. Called on the log's thread or a partition's, from each once
 */
public record DurabilityEnvironment(
        DurabilityMode mode,
        Storage storage,
        LogSettings settings,
        CheckpointSettings checkpoints,
        CheckpointPolicy policy,
        Function<Agent, AgentRunner> runners,
        Consumer<List<Runnable>> parallel,
        Consumer<String> progress,
        Consumer<FulmarException> failed) {

    /** With usual checkpoints, in a directory beside the log's. */
    public DurabilityEnvironment(
            DurabilityMode mode,
            Storage storage,
            LogSettings settings,
            Function<Agent, AgentRunner> runners,
            Consumer<List<Runnable>> parallel,
            Consumer<String> progress,
            Consumer<FulmarException> failed) {
        this(
                mode,
                storage,
                settings,
                CheckpointSettings.defaults(checkpointDirectory(settings)),
                policy(MOST_LOG_BYTES, MOST_DIRTY_BYTES, RECOVERY_NANOS),
                runners,
                parallel,
                progress,
                failed);
    }

    /** Default of the log between two checkpoints. */
    public static final long MOST_LOG_BYTES = 256L << 20;

    /** Default of the memory of dirty rows. */
    public static final long MOST_DIRTY_BYTES = 1L << 30;

    /** Default of the time that a restart may take. */
    public static final long RECOVERY_NANOS = 10_000_000_000L;

    private static final long REPLAY_BYTES_PER_SECOND = 50_000_000;
    private static final long LOAD_BYTES_PER_SECOND = 150_000_000;

    /** A process starts, and takes clients once it has recovered. */
    private static final long PROCESS_NANOS = 1_500_000_000;

    /** When checkpoints are due; with modest speeds, of one thread, until a recovery has measured them. */
    public static CheckpointPolicy policy(long mostLogBytes, long mostDirtyBytes, long recoveryNanos) {
        return new CheckpointPolicy(
                mostLogBytes,
                mostDirtyBytes,
                recoveryNanos,
                REPLAY_BYTES_PER_SECOND,
                LOAD_BYTES_PER_SECOND,
                PROCESS_NANOS + RecoveryFigures.WARM_UP_NANOS);
    }

    /** Directory of the checkpoints that go with a log. */
    public static String checkpointDirectory(LogSettings log) {
        return log.directory() + "-checkpoints";
    }

    /** One task after the other, in the caller's thread. */
    public static void oneByOne(List<Runnable> tasks) {
        tasks.forEach(Runnable::run);
    }

    /** Sizes for a database's log in the directory. Without checkpoints the log must be able to grow. */
    public static LogSettings defaultSettings(String directory) {
        LogSettings usual = LogSettings.defaults(directory);
        return new LogSettings(
                directory,
                usual.segmentBytes(),
                usual.blockBytes(),
                usual.maxGroupBytes(),
                usual.maxRecordBytes(),
                LANE_BYTES,
                MAX_SEGMENTS,
                usual.readySegments(),
                usual.sealAfterIdleNanos());
    }

    private static final int LANE_BYTES = 1 << 20;
    private static final int MAX_SEGMENTS = 1 << 16;
}
