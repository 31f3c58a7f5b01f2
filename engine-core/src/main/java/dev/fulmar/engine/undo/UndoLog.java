package dev.fulmar.engine.undo;

/**
 * Before-images of the running transaction of one partition, newest last. Also knows what must be released when it ends. One
 * thread.
 */
public final class UndoLog {
    /** A point to which {@link #rollbackTo} can return. */
    public long mark() {
        throw new UnsupportedOperationException();
    }

    /** Undoes what happened since the mark, newest first. */
    public void rollbackTo(long mark) {
        throw new UnsupportedOperationException();
    }

    /** Undoes the transaction; the partition is exactly as before it. */
    public void rollback() {
        throw new UnsupportedOperationException();
    }

    /** Stamps the rows that were written, and releases deleted rows and old index entries. */
    public void commit(long commitTimestamp) {
        throw new UnsupportedOperationException();
    }

    /** Whether the transaction has changed nothing. */
    public boolean isEmpty() {
        throw new UnsupportedOperationException();
    }

    public long usedBytes() {
        throw new UnsupportedOperationException();
    }
}
