package dev.fulmar.engine.table;

/**
 * Walks a range of an ordered index in key order over all buckets, and yields visible rows only. Stays right when rows are changed while it is open: it
 * yields each entry at most once, entries that appear behind it are not seen, entries that appear ahead are. So a statement that changes
 * a key column of the index it walks must collect the rows first, or it may meet a row again. Reusable, one thread.
 */
public final class IndexCursor {
    /** Address of the next row, 0 at the end. */
    public long next() {
        throw new UnsupportedOperationException();
    }
}
