package dev.fulmar.engine.spi;

/**
 * Binds the PlanningTurn of a statement to the thread that plans it, because the planner's libraries pass no such
 * parameter.
 */
final class CurrentTurn {
    static final ScopedValue<PlanningTurn> CURRENT = ScopedValue.newInstance();

    private CurrentTurn() {}
}
