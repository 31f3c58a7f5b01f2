package dev.fulmar.node.wiring;

import com.sun.management.ThreadMXBean;
import dev.fulmar.coordinator.DatabaseConfiguration;
import dev.fulmar.coordinator.durability.Durability;
import dev.fulmar.coordinator.durability.checkpoint.Checkpoints;
import dev.fulmar.coordinator.fiber.real.JvmFibers;
import dev.fulmar.coordinator.planning.PlannerThreads;
import dev.fulmar.coordinator.transaction.CallLimits;
import dev.fulmar.coordinator.transaction.NodeServices;
import dev.fulmar.coordinator.transaction.SliceLimits;
import dev.fulmar.engine.memory.MemoryBudget;
import dev.fulmar.engine.procedure.budget.BudgetLimits;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.memory.ByteBudget;
import dev.fulmar.foundation.random.RandomSource;
import dev.fulmar.foundation.schedule.Scheduler;
import dev.fulmar.foundation.time.Clock;
import dev.fulmar.node.config.NodeConfiguration;
import dev.fulmar.node.data.DataDirectory;
import dev.fulmar.pmemlog.backend.BackendSettings;
import dev.fulmar.reconfig.step.MoveStepReplay;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Parts of a database, as a node's configuration says. */
final class DatabaseParts {
    private DatabaseParts() {}

    static DataDirectory openData(NodeConfiguration configuration) {
        return DataDirectory.open(
                Path.of(configuration.storage().data()),
                configuration.layout(),
                configuration.storage().backend().kind(),
                new BackendSettings(
                        configuration.storage().data(),
                        configuration.storage().backend().capacityBytes(),
                        configuration.storage().backend().emulated()));
    }

    static @Nullable FulmarException checkpointShortage(Durability durability) {
        Checkpoints checkpoints = durability.checkpoints();
        return checkpoints == null || !checkpoints.isTaking()
                ? null
                : checkpoints.checkpointer().shortage();
    }

    static int recoveryThreads(NodeConfiguration configuration) {
        return Math.max(configuration.partitions().sites(), Runtime.getRuntime().availableProcessors());
    }

    /** The memory of all partitions. */
    static MemoryBudget memory(NodeConfiguration configuration) {
        return new MemoryBudget(
                configuration.memory().limitBytes(),
                "memory.limit",
                configuration.memory().markBytes(),
                "memory.write-percent");
    }

    static DatabaseConfiguration configuration(NodeConfiguration configuration) {
        DatabaseConfiguration usual = DatabaseConfiguration.of(
                configuration.partitions().plan(), configuration.partitions().sites());
        CallLimits calls = new CallLimits(
                configuration.requests().timeout().toNanos(),
                BudgetLimits.DEFAULT.withTimeNanos(
                        configuration.requests().timeBudget().toNanos()),
                configuration.server().limits().resultBytes(),
                configuration.memory().intermediateBytes(),
                configuration.transactions().lease().toNanos(),
                SliceLimits.DEFAULT,
                configuration.requests().strict());
        return new DatabaseConfiguration(
                usual.plan(),
                configuration.partitions().sites(),
                usual.bucketsPartition(),
                configuration.requests().queuePerPartition(),
                usual.distributedCapacity(),
                configuration.memory().undoBytes(),
                usual.versionBytes(),
                calls,
                usual.loading(),
                usual.cachedStatements(),
                configuration.planner().queue(),
                usual.rememberedClients(),
                configuration.partitions().partitionsByKey());
    }

    /** The services of this process for transactions. */
    static NodeServices services(
            NodeConfiguration configuration,
            Clock clock,
            Scheduler scheduler,
            RandomSource random,
            PlannerThreads planners) {
        return new NodeServices(
                new NodeId(configuration.node()),
                clock,
                scheduler,
                random,
                new JvmFibers(!configuration.partitions().shareThreads()),
                planners,
                allocatedBytes(),
                new ByteBudget(configuration.memory().underWayBytes()),
                new MoveStepReplay());
    }

    /** Bytes that the running thread has allocated so far; negative where the JVM does not tell. */
    static LongSupplier allocatedBytes() {
        if (ManagementFactory.getThreadMXBean() instanceof ThreadMXBean threads
                && threads.isThreadAllocatedMemorySupported()) {
            threads.setThreadAllocatedMemoryEnabled(true);
            return threads::getCurrentThreadAllocatedBytes;
        }
        return () -> -1;
    }
}
