package dev.fulmar.engine.catalog;

import dev.fulmar.engine.partitioning.HandOff;
import dev.fulmar.engine.partitioning.KeyRange;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.engine.partitioning.PlanTarget;
import dev.fulmar.engine.partitioning.TargetChange;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A catalog's partition plan, with the target of its newest reconfiguration. Immutable.
 *
 * @param plan null while that of the configuration counts
 * @param target null before the first reconfiguration
 * @param outcomesMoveSince version since which keys have changed their partition by hand-offs only
 */
record CatalogPlan(@Nullable PartitionPlan plan, @Nullable PlanTarget target, long outcomesMoveSince) {
    static final CatalogPlan CONFIGURED = new CatalogPlan(null, null, PartitionPlan.CONFIGURED);

    /** Whether the plan counts since the catalog's version, or an earlier one. */
    boolean isOf(long catalogVersion) {
        return plan == null || plan.version() <= catalogVersion;
    }

    /** Another plan; a target that cannot follow it goes with the plan before. */
    CatalogPlan replaced(PartitionPlan next) {
        PlanTarget known = target;
        boolean isKept = known != null
                && known.plan().partitionCount() == next.partitionCount()
                && known.plan().spaceOfIntegers() == next.spaceOfIntegers();
        return new CatalogPlan(next, known != null && isKept ? known.reached(next) : null, next.version());
    }

    /**
     * The plan after the hand-offs.
     *
     * @throws FulmarException {@link ErrorCode#CANCELLED} while the newest reconfiguration does not run,
     *     {@link ErrorCode#TRANSACTION_RESTART} for keys that the plan has elsewhere, and
     *     {@link ErrorCode#INVALID_CONFIGURATION} for a partition that there is not, or without any reconfiguration
     */
    CatalogPlan handedOver(List<HandOff> handOffs, long catalogVersion) {
        PlanTarget known = target;
        if (known != null && known.state() != PlanTarget.State.RUNNING) {
            throw new FulmarException(ErrorCode.CANCELLED, "the reconfiguration is " + known.state());
        }
        PartitionPlan next = plan;
        if (next == null) {
            throw new FulmarException(
                    ErrorCode.INVALID_CONFIGURATION, "buckets change their partitions in a reconfiguration only");
        }
        for (HandOff handOff : handOffs) {
            if (handOff.to() < 0
                    || handOff.to() >= next.partitionCount()
                    || handOff.to() == handOff.from()
                    || handOff.ranges().isEmpty()) {
                throw new FulmarException(
                        ErrorCode.INVALID_CONFIGURATION,
                        "a bucket with " + handOff.ranges().size() + " ranges cannot move from partition "
                                + handOff.from() + " to " + handOff.to());
            }
            if (!KeyRange.common(handOff.ranges(), next.rangesOf(handOff.from()))
                    .equals(handOff.ranges())) {
                throw new FulmarException(
                        ErrorCode.TRANSACTION_RESTART,
                        "partition " + handOff.from()
                                + " does not have all keys of a bucket that would leave it; choose one anew");
            }
            next = next.with(handOff.ranges(), handOff.to());
        }
        PartitionPlan counting = next.countingFrom(catalogVersion);
        return new CatalogPlan(counting, known == null ? null : known.reached(counting), outcomesMoveSince);
    }

    /**
     * The same with another target, or with another state of it, as {@link PlanTarget#next} allows.
     *
     * @param configured becomes the catalog's plan if it has none, so that later hand-offs have one to change
     * @throws FulmarException {@link ErrorCode#TRANSACTION_RESTART} if the catalog has no plan, nor is one given
     */
    CatalogPlan retargeted(TargetChange change, Optional<PartitionPlan> configured) {
        PartitionPlan present = plan == null ? configured.orElse(null) : plan;
        if (present == null) {
            throw new FulmarException(
                    ErrorCode.TRANSACTION_RESTART, "the catalog has no partition plan yet; send the command again");
        }
        return new CatalogPlan(present, PlanTarget.next(target, change, present), outcomesMoveSince);
    }
}
