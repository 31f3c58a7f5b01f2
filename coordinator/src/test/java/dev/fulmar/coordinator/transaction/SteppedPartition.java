package dev.fulmar.coordinator.transaction;

import dev.fulmar.coordinator.routing.Program;
import dev.fulmar.engine.memory.ChunkSource;
import dev.fulmar.engine.memory.MemoryBudget;
import dev.fulmar.engine.partition.Partition;
import dev.fulmar.engine.partition.StorageUndo;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.engine.table.PartitionStorage;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.simulated.SimulatedProcess;
import dev.fulmar.foundation.simulated.SimulatedWorld;

/** The only partition of a node, without a table, which nobody runs but the test. */
public final class SteppedPartition implements AutoCloseable {
    public final SimulatedProcess process = new SimulatedWorld(1).startProcess(new NodeId(1));
    public final PartitionStorage storage;
    public final Partition partition;
    public final Program program = Program.empty(PartitionPlan.hash(1));
    public final PartitionRuntime runtime;

    public SteppedPartition() {
        PartitionPlan plan = PartitionPlan.hash(1);
        ChunkSource memory = new ChunkSource(new MemoryBudget(1 << 26, "memory"));
        storage = new PartitionStorage(memory, plan.bucketsOf(0, 1), 1 << 20);
        partition = new Partition(new PartitionId(0), new StorageUndo(storage.undoLog()), process.clock(), 10);
        runtime =
                new PartitionRuntime(partition, storage, program, CallLimits.DEFAULT, SteppedServices.of(process), 10);
    }

    @Override
    public void close() {
        storage.close();
    }
}
