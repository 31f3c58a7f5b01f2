package dev.fulmar.engine.partitioning;

/** A change of the target in the catalog. */
public sealed interface TargetChange {
    /** A reconfiguration begins. */
    record Begin(PlanTarget target) implements TargetChange {}

    /**
     * The reconfiguration has another state.
     *
     * @param number of the reconfiguration
     * @param message why it waits, or nothing
     */
    record Become(long number, PlanTarget.State state, String message) implements TargetChange {}
}
