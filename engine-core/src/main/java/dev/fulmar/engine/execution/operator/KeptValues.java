package dev.fulmar.engine.execution.operator;

import dev.fulmar.engine.execution.expression.Frame;

/** An aggregate that needs all values of a group, in their order, before there is a result. */
sealed interface KeptValues extends Accumulator permits ListAccumulator, FoldAccumulator {
    /** Adds the addresses of the state's entries, as {@link ListAccumulator#isAfter} orders them. */
    void gather(long state, AddressList entries);

    /**
     * Puts the result in the place of the entries, which are in order now.
     *
     * @return false if the slice ended before, and it is to be called again
     */
    boolean finish(long state, AddressList entries, Frame frame);
}
