package dev.fulmar.engine.spi;

/**
 * Which turn the running code belongs to: the planner's libraries call back from everywhere, and pass nothing along.
 */
final class CurrentTurn {
    static final ScopedValue<PlanningTurn> CURRENT = ScopedValue.newInstance();

    private CurrentTurn() {}
}
