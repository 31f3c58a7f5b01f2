package dev.fulmar.engine.partition;

/**
 * Work that a multi-partition transaction executes on one partition, such as a statement's fragment, with callbacks for
 * commit and undo. Self-contained: it can be written down and run elsewhere.
 */
public interface FragmentWork {
    /** Position of the statement that it belongs to, counted through the transaction's attempt; never falls. */
    int statement();

    /** Does the work. A failure undoes this statement here, and ends the batch. */
    FragmentResult run(Partition partition);

    /**
     * Whether {@link #committed} has something to do, so that the transaction needs a decision even if it changed no
     * row.
     */
    default boolean actsAtCommit() {
        return false;
    }

    /** The transaction committed here; called once, in the order of the work. */
    default void committed(Partition partition, long commitTimestamp) {}

    /** The work, which had been done, was undone; called in reverse order. Rows are restored already. */
    default void undone(Partition partition) {}
}
