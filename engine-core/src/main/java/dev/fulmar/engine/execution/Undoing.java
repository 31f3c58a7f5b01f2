package dev.fulmar.engine.execution;

import dev.fulmar.engine.undo.UndoLog;
import java.util.function.LongSupplier;

/** Undoes what a statement did before it failed. */
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
