package dev.fulmar.coordinator.durability.recovery;

import dev.fulmar.engine.durability.ChangeReplay;
import dev.fulmar.engine.partition.FragmentResult;
import dev.fulmar.engine.partition.FragmentWork;
import dev.fulmar.engine.partition.Partition;
import dev.fulmar.engine.table.PartitionStorage;
import dev.fulmar.foundation.check.Invariants;

/**
 * Applies the row changes of an in-doubt part at its commit; an earlier process of this node or another primary
 * prepared it. Until then nothing of it is in the tables, and the partition is locked for it.
 */
@SuppressWarnings("ArrayRecordComponent") // one owner, compared by identity only
record InheritedPart(PartitionStorage storage, byte[] images, int begin) implements FragmentWork {
    @Override
    public int statement() {
        return 0;
    }

    @Override
    public FragmentResult run(Partition partition) {
        throw Invariants.breach("what was prepared elsewhere does not run again");
    }

    @Override
    public boolean actsAtCommit() {
        return true;
    }

    @Override
    public void committed(Partition partition, long commitTimestamp) {
        storage.beginRecovery(); // what was voted for must find its place
        try {
            new ChangeReplay(storage).apply(images, begin, images.length, commitTimestamp);
        } finally {
            storage.endRecovery();
        }
    }
}
