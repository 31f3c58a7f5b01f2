package dev.fulmar.engine.execution.operator;

import dev.fulmar.engine.execution.expression.Evaluator;
import dev.fulmar.engine.execution.expression.Frame;

/** One aggregate; its running value is {@link #STATE_BYTES} of native memory per group, zero at first. */
interface Accumulator {
    int STATE_BYTES = 32;

    /** Takes the current row in. */
    void add(Frame frame, long state);

    /** Makes the state independent of copies of it that were taken. */
    default void detach(long state) {}

    /**
     * The value at the end.
     *
     * @param source position in the frame's rows of the address of the group's states
     * @param offset of this aggregate's state
     */
    Evaluator result(int source, int offset);
}
