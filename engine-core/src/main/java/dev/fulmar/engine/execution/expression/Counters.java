package dev.fulmar.engine.execution.expression;

import dev.fulmar.foundation.check.Invariants;

/** The port at which expressions draw numbers of sequences. */
@FunctionalInterface
public interface Counters {
    /** The port where numbers cannot be drawn: in the merge of a query, in a snapshot. */
    Counters NONE = table -> {
        throw Invariants.breach("numbers are drawn where rows are written");
    };

    /** The sequence's counter; the caller keeps it. */
    Counter of(int table);

    /** Draws the numbers of one sequence. */
    @FunctionalInterface
    interface Counter {
        long next();
    }
}
