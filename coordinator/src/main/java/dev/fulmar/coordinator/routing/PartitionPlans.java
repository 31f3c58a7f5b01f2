package dev.fulmar.coordinator.routing;

import dev.fulmar.engine.partitioning.HandOff;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Port by which a subsystem replaces the partition plan. A plan is a part of the catalog: it has a version of that, is
 * in its log, and counts on all nodes at once or never. Each record of a partition's log, copy and checkpoint names the
 * version that it ran with, so replay uses the plan of that position. Thread-safe.
 */
public interface PartitionPlans {
    /** The newest plan that counts here. */
    PartitionPlan newest();

    /**
     * Replaces the plan, and hands buckets over at the same moment.
     *
     * @param handOffs the buckets that change their partition with the plan, their rows being staged there. Other rows
     *     are not moved: a range that changes its partition otherwise must be empty at the old one and at the new one
     * @param ended called once, on any thread: with null if the new plan counts, else with the reason. That is
     *     {@link ErrorCode#NOT_CONNECTED} on a node that does not lead the catalog,
     *     {@link ErrorCode#INVALID_CONFIGURATION} for a plan with another number of partitions, and
     *     {@link ErrorCode#SERVER_BUSY} if a bucket is not ready
     */
    void replace(PartitionPlan next, List<HandOff> handOffs, Consumer<@Nullable FulmarException> ended);

    /** Replaces the plan, where no bucket moves. */
    default void replace(PartitionPlan next, Consumer<@Nullable FulmarException> ended) {
        replace(next, List.of(), ended);
    }
}
