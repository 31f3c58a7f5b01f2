package dev.fulmar.coordinator.transaction;

import dev.fulmar.coordinator.fiber.FiberStretch;
import dev.fulmar.engine.partition.Partition;
import dev.fulmar.engine.partition.PartitionTask;
import dev.fulmar.foundation.id.PartitionId;

/** A stretch of control code as work of its home partition's thread. */
record StretchTask(FiberStretch stretch) implements PartitionTask {
    @Override
    public void run(Partition partition) {
        stretch.run();
    }

    @Override
    public void refused(PartitionId partition) {
        stretch.strand();
    }
}
