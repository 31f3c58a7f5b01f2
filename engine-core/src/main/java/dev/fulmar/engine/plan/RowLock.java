package dev.fulmar.engine.plan;

/** The wish of a query that its rows stay as they are until its transaction ends. It counts in sessions only. */
public enum RowLock {
    /** {@code FOR SHARE}: others may want the same. */
    SHARED,
    /** {@code FOR UPDATE}: waits until no other transaction has it. */
    EXCLUSIVE,
    /** {@code FOR UPDATE NOWAIT}: fails where another transaction has it. */
    EXCLUSIVE_AT_ONCE
}
