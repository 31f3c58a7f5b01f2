package dev.fulmar.coordinator.door;

import dev.fulmar.coordinator.routing.PartitionPlans;
import dev.fulmar.engine.partitioning.KeyRanges;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Gives ranges without rows to other partitions. */
public record PlanMover(PartitionPlans plans) {
    /** Replaces the plan; the future has the reason if that fails. */
    public CompletableFuture<Optional<FulmarException>> replace(PartitionPlan next) {
        CompletableFuture<Optional<FulmarException>> ended = new CompletableFuture<>();
        plans.replace(next, failure -> ended.complete(Optional.ofNullable(failure)));
        return ended;
    }

    /** The plan with another owner of one hash. */
    public static PartitionPlan withHash(PartitionPlan plan, long hash, int owner) {
        long position = hash ^ Long.MIN_VALUE;
        List<Long> starts = new ArrayList<>(plan.hashes().starts());
        List<Integer> owners = new ArrayList<>(plan.hashes().owners());
        int range = starts.size() - 1;
        while (starts.get(range) > position) {
            range--;
        }
        starts.addAll(range + 1, List.of(position, position + 1));
        owners.addAll(range + 1, List.of(owner, owners.get(range)));
        return PartitionPlan.of(plan.partitionCount(), new KeyRanges(starts, owners), plan.integers());
    }
}
