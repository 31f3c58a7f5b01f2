package dev.fulmar.engine.table;

/**
 * Walks all visible rows bucket by bucket in the order of their slots. That order is a function of the bucket's committed history (which slots
 * were freed and used again), never of addresses; a rolled back transaction leaves no trace in it. Rows inserted while it is open may or may
 * not be seen; updates never move a row. Reusable, one thread.
 */
public final class ScanCursor {
    /** Address of the next row, 0 at the end. */
    public long next() {
        throw new UnsupportedOperationException();
    }
}
