package dev.fulmar.coordinator.routing;

import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
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
     * Replaces the plan. Rows are not moved: before the new plan counts, a range that changes its partition must be
     * empty at the old one and at the new one.
     *
     * @param ended called once, on any thread: with null if the new plan counts, else with the reason. That is
     *     {@link ErrorCode#NOT_CONNECTED} on a node that does not lead the catalog, and
     *     {@link ErrorCode#INVALID_CONFIGURATION} for a plan with another number of partitions
     */
    void replace(PartitionPlan next, Consumer<@Nullable FulmarException> ended);
}
