package dev.fulmar.coordinator.transaction;

import dev.fulmar.engine.partition.CoordinatorMessage.FragmentFailure;
import dev.fulmar.engine.partition.CoordinatorMessage.FragmentReply;
import dev.fulmar.engine.partition.FragmentResult;
import dev.fulmar.engine.partition.FragmentWork;
import dev.fulmar.foundation.id.PartitionId;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A batch that waits for the partitions' answers. */
final class PendingBatch {
    private final SortedMap<PartitionId, List<FragmentWork>> work;
    private final TreeMap<PartitionId, List<FragmentResult>> results = new TreeMap<>();
    private @Nullable FragmentFailure failure;

    PendingBatch(SortedMap<PartitionId, List<FragmentWork>> work) {
        this.work = work;
    }

    /** Takes an answer; whether it was the last one. */
    boolean done(FragmentReply reply) {
        results.put(reply.partition(), reply.results());
        FragmentFailure known = failure;
        FragmentFailure other = reply.failure();
        if (other != null && (known == null || other.statement() < known.statement())) {
            failure = other;
        }
        return results.size() == work.size();
    }

    SortedMap<PartitionId, List<FragmentResult>> results() {
        return results;
    }

    /** Failure of the first statement that failed; at equal statements that of the partition which answered first. */
    @Nullable FragmentFailure failure() {
        return failure;
    }

    /** Partitions that had work of the statement or a later one. */
    List<PartitionId> partitionsBeyond(int statement) {
        List<PartitionId> beyond = new ArrayList<>();
        work.forEach((partition, fragments) -> {
            if (!fragments.isEmpty() && fragments.getLast().statement() >= statement) {
                beyond.add(partition);
            }
        });
        return beyond;
    }
}
