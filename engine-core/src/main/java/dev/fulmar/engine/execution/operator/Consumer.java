package dev.fulmar.engine.execution.operator;

import dev.fulmar.engine.execution.expression.Frame;
import dev.fulmar.foundation.check.Invariants;

/** Takes the frame's current row. */
@FunctionalInterface
public interface Consumer {
    /**
     * False if no more rows are wanted, or the statement {@linkplain RowBudget#isPaused pauses} before it is done with
     * this one.
     */
    boolean accept(Frame frame);

    /**
     * Goes on with the row that was accepted before the pause, which is in the frame again; returns the same as
     * {@link #accept}. Whatever never pauses is never resumed.
     */
    default boolean resume(Frame frame) {
        throw Invariants.breach("what is resumed has paused");
    }
}
