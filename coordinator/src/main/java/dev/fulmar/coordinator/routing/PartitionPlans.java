package dev.fulmar.coordinator.routing;

import dev.fulmar.coordinator.reconfiguration.HandOffPreparation;
import dev.fulmar.engine.partitioning.HandOff;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.engine.partitioning.PlanTarget;
import dev.fulmar.engine.partitioning.TargetChange;
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

    /** The target of the newest reconfiguration that counts here; null if there was none. */
    @Nullable PlanTarget target();

    /** Whether this node makes the changes of the catalog. */
    boolean changesHere();

    /**
     * Replaces the plan. No rows are moved: a range that changes its partition must be empty at the old one and at the
     * new one.
     *
     * @param ended called once, on any thread: with null if the new plan counts, else with the reason. That is
     *     {@link ErrorCode#NOT_CONNECTED} on a node that does not make the changes of the catalog, and
     *     {@link ErrorCode#INVALID_CONFIGURATION} for a plan with another number of partitions
     */
    void replace(PartitionPlan next, Consumer<@Nullable FulmarException> ended);

    /**
     * Hands buckets over, whose rows are staged at their destinations, and changes the plan at the same moment.
     *
     * @param ended called as by {@link #replace}; also with {@link ErrorCode#SERVER_BUSY} if a bucket is not ready, and
     *     with {@link ErrorCode#CANCELLED} while the newest reconfiguration does not run
     */
    void handOver(List<HandOff> handOffs, Consumer<@Nullable FulmarException> ended);

    /** Prepares hand-offs of partitions that this node leads, whichever node makes the change, from now on. */
    void prepareHandOffsWith(HandOffPreparation preparation);

    /**
     * Begins a reconfiguration, or changes its state.
     *
     * @param ended called as by {@link #replace}; also with {@link ErrorCode#SERVER_BUSY} and
     *     {@link ErrorCode#INVALID_CONFIGURATION} as {@link PlanTarget#next} says
     */
    void retarget(TargetChange change, Consumer<@Nullable FulmarException> ended);
}
