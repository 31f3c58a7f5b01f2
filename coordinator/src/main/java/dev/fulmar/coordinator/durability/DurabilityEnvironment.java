package dev.fulmar.coordinator.durability;

import dev.fulmar.foundation.agent.Agent;
import dev.fulmar.foundation.agent.AgentRunner;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.storage.Storage;
import dev.fulmar.pmemlog.log.LogSettings;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * What durability needs from its node.
 *
 * @param mode {@link DurabilityMode#SYNC} or {@link DurabilityMode#ASYNC}
 * @param runners makes the runners of the log's agents, which wait for the device
 * @param parallel runs all tasks, at once if it can, and returns when all have ended; throws what one of them threw
 * @param progress takes lines about the recovery
 * @param failed hears once that nothing becomes durable any more; the node must end. Called on the log's thread
 */
public record DurabilityEnvironment(
        DurabilityMode mode,
        Storage storage,
        LogSettings settings,
        Function<Agent, AgentRunner> runners,
        Consumer<List<Runnable>> parallel,
        Consumer<String> progress,
        Consumer<FulmarException> failed) {

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
