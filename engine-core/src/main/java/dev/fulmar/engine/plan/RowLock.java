package dev.fulmar.engine.plan;

/** The wish of a query that its rows stay as they are until its transaction ends. It counts in sessions only. */
public enum RowLock {
    /** {@code FOR SHARE}: others may want the same. */
    SHARED,
    /** {@code FOR SHARE SKIP LOCKED}: leaves out a row that another transaction has. */
    SHARED_OR_SKIP,
    /** {@code FOR UPDATE}: waits until no other transaction has it. */
    EXCLUSIVE,
    /** {@code FOR UPDATE NOWAIT}: fails where another transaction has it. */
    EXCLUSIVE_AT_ONCE,
    /** {@code FOR UPDATE SKIP LOCKED}: leaves out a row that another transaction has. */
    EXCLUSIVE_OR_SKIP;

    /** Whether others may want the same. */
    public boolean isShared() {
        return this == SHARED || this == SHARED_OR_SKIP;
    }

    /** Whether a row that another transaction has is left out. */
    public boolean skips() {
        return this == SHARED_OR_SKIP || this == EXCLUSIVE_OR_SKIP;
    }
}
