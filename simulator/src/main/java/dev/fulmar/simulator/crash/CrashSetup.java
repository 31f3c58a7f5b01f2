package dev.fulmar.simulator.crash;

import dev.fulmar.coordinator.DatabaseConfiguration;
import dev.fulmar.coordinator.durability.environment.DurabilityEnvironment;
import dev.fulmar.coordinator.durability.environment.DurabilityMode;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.simulated.SimulatedProcess;
import dev.fulmar.foundation.simulated.SimulatedWorld;
import dev.fulmar.foundation.storage.Storage;
import dev.fulmar.pmemlog.checkpoint.CheckpointPolicy;
import dev.fulmar.pmemlog.checkpoint.CheckpointSettings;
import dev.fulmar.pmemlog.log.LogSettings;
import dev.fulmar.simulator.world.SimulatedDatabase;
import java.util.function.Consumer;

/**
 * Setup of a run's databases, the same for all. Sizes are small, so that a short life comes around: segments are used
 * again, logs written back.
 *
 * @param sql whose plans and procedures' code all lives share: a digest of a jar stands for its bytes
 * @param movesKeys whether keys move between partitions under load
 */
record CrashSetup(CrashWorkload workload, DurabilityMode mode, PlanCache sql, boolean movesKeys) {
    static final NodeId NODE = new NodeId(1);

    static final String LOG_DIRECTORY = "data/log";

    private static final LogSettings LOG =
            new LogSettings(LOG_DIRECTORY, 64 << 10, 512, 8 << 10, 32 << 10, 64 << 10, 64, 1, 3_000_000);

    static final CheckpointSettings CHECKPOINTS =
            new CheckpointSettings(LOG_DIRECTORY + "-checkpoints", 512, 2 << 10, 8 << 10, 16 << 10, 4 << 10);

    private static final CheckpointPolicy POLICY = new CheckpointPolicy(12 << 10, 1 << 20, 1L << 40, 8);

    /** An idle agent of the log looks around so often, as on a real node. */
    private static final long MOST_IDLE_NANOS = 1_000_000;

    /** A database that has not started. */
    SimulatedDatabase database(
            SimulatedWorld world,
            SimulatedProcess process,
            Storage storage,
            CommitOrder order,
            Consumer<String> progress,
            Consumer<String> violations) {
        int partitions = workload.plan().partitionCount();
        return new SimulatedDatabase(
                world,
                process,
                DatabaseConfiguration.of(workload.plan(), partitions),
                sql,
                order,
                new DurabilityEnvironment(
                        mode,
                        storage,
                        LOG,
                        CHECKPOINTS,
                        POLICY,
                        agent -> process.runner(agent, MOST_IDLE_NANOS),
                        DurabilityEnvironment::oneByOne,
                        progress,
                        failure -> violations.accept("the log failed: " + failure.getMessage())),
                sql.code());
    }

    CommitOrder order() {
        return new CommitOrder(workload.plan().partitionCount());
    }
}
