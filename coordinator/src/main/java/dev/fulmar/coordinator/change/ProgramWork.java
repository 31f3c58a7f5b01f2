package dev.fulmar.coordinator.change;

import dev.fulmar.coordinator.routing.Program;
import dev.fulmar.coordinator.transaction.PartitionRuntimes;
import dev.fulmar.engine.partition.FragmentResult;
import dev.fulmar.engine.partition.FragmentWork;
import dev.fulmar.engine.partition.Partition;

/** Work that switches a partition to another version of the catalog at the commit. */
record ProgramWork(PartitionRuntimes runtimes, int statement, Program next) implements FragmentWork {
    @Override
    public FragmentResult run(Partition partition) {
        return FragmentResult.changed(0);
    }

    @Override
    public boolean actsAtCommit() {
        return true;
    }

    @Override
    public void committed(Partition partition, long commitTimestamp) {
        runtimes.of(partition.id()).changed(next);
    }
}
