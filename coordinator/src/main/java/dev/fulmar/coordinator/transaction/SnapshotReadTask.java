package dev.fulmar.coordinator.transaction;

import dev.fulmar.engine.partition.Partition;
import dev.fulmar.engine.partition.PartitionTask;
import dev.fulmar.foundation.id.PartitionId;

/** A message of a snapshot transaction to a partition that it visits. */
public sealed interface SnapshotReadTask extends PartitionTask {
    PartitionSnapshotRead visit();

    /** Registers, and reads at once unless the partition has passed the timestamp already. */
    record Arrive(PartitionSnapshotRead visit, SnapshotReadRequest question) implements SnapshotReadTask {
        @Override
        public void run(Partition partition) {
            visit.arrive(partition, question);
        }

        @Override
        public void refused(PartitionId partition) {
            visit.turnAway(question);
        }
    }

    /** Reads at the question's timestamp, which is not below the registration. */
    record Read(PartitionSnapshotRead visit, SnapshotReadRequest question) implements SnapshotReadTask {
        @Override
        public void run(Partition partition) {
            visit.read(partition, question);
        }

        @Override
        public void refused(PartitionId partition) {
            visit.turnAway(question);
        }
    }

    /**
     * Every partition has passed the timestamp.
     *
     * @param confirmation of a partition that another node leads, or may lead: it says that it has held back until now
     *     what it had to; others say nothing
     */
    record Release(PartitionSnapshotRead visit, SnapshotConfirmation confirmation) implements SnapshotReadTask {
        @Override
        public void run(Partition partition) {
            partition.readers().release(visit);
        }
    }

    /** The attempt is over. */
    record Leave(PartitionSnapshotRead visit) implements SnapshotReadTask {
        @Override
        public void run(Partition partition) {
            visit.leave(partition);
        }
    }
}
