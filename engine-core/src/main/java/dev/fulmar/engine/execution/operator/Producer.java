package dev.fulmar.engine.execution.operator;

import dev.fulmar.engine.execution.expression.Frame;
import dev.fulmar.foundation.check.Invariants;

/** Pushes all of its rows into the consumer that it was made with. */
@FunctionalInterface
public interface Producer {
    /**
     * Runs from the start; false if the consumer wants no more, or the statement
     * {@linkplain RowBudget#isPaused pauses}.
     */
    boolean run(Frame frame);

    /** Goes on where it paused; the same otherwise. Only for statements that run in slices. */
    default boolean resume(Frame frame) {
        throw Invariants.breach("only queries run in slices");
    }
}
