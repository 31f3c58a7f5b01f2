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
    interface Counter {
        /**
         * Draws a number.
         *
         * @param least that its receiver can have
         * @param greatest that its receiver can have
         */
        long next(long least, long greatest);

        /**
         * Draws numbers of a dense sequence that follow one another. There are as many as a node draws together, or as
         * are wanted if that is more, or as there are left.
         *
         * @return the first of them
         */
        long nextRange(long wanted);
    }
}
