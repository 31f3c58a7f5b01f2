package dev.fulmar.coordinator.transaction;

import dev.fulmar.engine.partition.FragmentResult;
import dev.fulmar.engine.partition.FragmentWork;
import dev.fulmar.engine.partition.Partition;

/** A fragment of a statement, bound to a plan already or only by name. */
public sealed interface StatementWork extends FragmentWork permits StatementFragment, ReceivedFragment {
    PartitionRuntimes runtimes();

    /**
     * The fragment under the version of the catalog that counts at the partition; fails if it was made for another one.
     */
    StatementFragment at(PartitionRuntime runtime);

    /**
     * The fragment under the version of the catalog by which the partition is read at the timestamp. Fails if it was
     * made for another one.
     */
    StatementFragment readAt(PartitionRuntime runtime, long timestamp);

    @Override
    default FragmentResult run(Partition partition) {
        PartitionRuntime runtime = runtimes().of(partition.id());
        return runtime.run(at(runtime));
    }
}
