package dev.fulmar.coordinator.transaction;

import dev.fulmar.engine.partition.CoordinatorMessage.FragmentFailure;
import dev.fulmar.engine.partition.FragmentResult;
import dev.fulmar.engine.partition.FragmentWork;
import dev.fulmar.foundation.id.PartitionId;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** Sends work to partitions and waits for what it yields. For the transaction's fiber only. */
public interface FragmentDispatch {
    /**
     * Runs the work on all the partitions in parallel, each one's in order, and waits for all of them. Locks the
     * partitions that are not locked yet. After a failure the first statement that failed, and all after it, are undone
     * everywhere.
     */
    Outcome run(SortedMap<PartitionId, List<FragmentWork>> work);

    /** Undoes the statement and all after it everywhere, because putting its results together failed. */
    void undoFrom(int firstStatement);

    /** Number for the next statement of this attempt. */
    int nextStatement();

    /**
     * The results of a batch.
     *
     * @param results per partition, in the order of its work; incomplete if there was a failure
     * @param failure of the first statement that failed, or null
     */
    record Outcome(
            SortedMap<PartitionId, List<FragmentResult>> results,
            @Nullable FragmentFailure failure) {}
}
