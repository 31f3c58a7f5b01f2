package dev.fulmar.coordinator.change;

import dev.fulmar.coordinator.routing.Program;
import dev.fulmar.coordinator.transaction.PartitionRuntime;
import dev.fulmar.coordinator.transaction.PartitionRuntimes;
import dev.fulmar.engine.partition.FragmentResult;
import dev.fulmar.engine.partition.FragmentWork;
import dev.fulmar.engine.partition.Partition;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Work that switches a partition to another version of the catalog at the commit.
 *
 * @param promised at the commit gives the timestamp that the partition has promised; null if tables change, so that
 *     readers of earlier snapshots begin anew
 */
record ProgramWork(
        PartitionRuntimes runtimes,
        int statement,
        Program next,
        @Nullable LongSupplier promised) implements FragmentWork {
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
        PartitionRuntime runtime = runtimes.of(partition.id());
        if (promised == null) {
            runtime.changed(next);
        } else {
            runtime.planned(next, promised.getAsLong(), commitTimestamp);
        }
    }
}
