package dev.fulmar.engine.partitioning;

import java.util.OptionalLong;

/** A change of the target in the catalog. */
public sealed interface TargetChange {
    /**
     * A reconfiguration begins.
     *
     * @param base the {@link PartitionPlan#fingerprint} of the plan that the target was made from, which has to be the
     *     present one; empty in logs of earlier versions of Fulmar
     */
    record Begin(PlanTarget target, OptionalLong base) implements TargetChange {}

    /**
     * The reconfiguration has another state.
     *
     * @param number of the reconfiguration
     * @param message why it waits, or nothing
     */
    record Become(long number, PlanTarget.State state, String message) implements TargetChange {}
}
