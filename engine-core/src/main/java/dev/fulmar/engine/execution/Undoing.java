package dev.fulmar.engine.execution;

import dev.fulmar.engine.undo.UndoLog;
import java.util.function.LongSupplier;

/** Runs a statement's changes and, if they fail, rolls the undo log back to the mark before them. */
final class Undoing {
    private Undoing() {}

    static long run(UndoLog undo, LongSupplier work) {
        long mark = undo.mark();
        boolean complete = false;
        try {
            long result = work.getAsLong();
            complete = true;
            return result;
        } finally {
            if (!complete) {
                undo.rollbackTo(mark);
            }
        }
    }
}
