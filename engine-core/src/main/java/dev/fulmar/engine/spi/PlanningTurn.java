package dev.fulmar.engine.spi;

import java.util.function.Supplier;

/**
 * Port by which a planner's thread checks whether to continue: planning ends once no client waits for the statement.
 * The planner asks now and then, at least once for each expression and each step over a relation, so that not much time
 * passes in between. Once a turn is over it stays so: code that catches the error and tries another way meets it again.
 */
public interface PlanningTurn {
    /**
     * Fails if the planning is to end, with what its statement comes to; may let others plan first. Only for the thread
     * that plans.
     */
    void check();

    /** Plans within a turn: {@link #goOn} asks it until the end. */
    static <T> T within(PlanningTurn turn, Supplier<T> planning) {
        return ScopedValue.where(CurrentTurn.CURRENT, turn).call(planning::get);
    }

    /** Checks the turn of the planning that this is part of, if it has one. Quick. */
    static void goOn() {
        if (CurrentTurn.CURRENT.isBound()) {
            CurrentTurn.CURRENT.get().check();
        }
    }
}
