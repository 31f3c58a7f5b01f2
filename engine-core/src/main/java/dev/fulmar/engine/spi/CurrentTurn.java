package dev.fulmar.engine.spi;

/**
 * The planning turn to which the running code belongs. It is kept here because the planner's libraries call back from
 * everywhere, and pass nothing along.
 */
final class CurrentTurn {
    static final ScopedValue<PlanningTurn> CURRENT = ScopedValue.newInstance();

    private CurrentTurn() {}
}
