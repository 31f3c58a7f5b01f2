package dev.fulmar.engine.table;

/**
 * An observer of every row that comes, changes or goes. It does not see the undo of these, which precedes all that
 * waits for the end of the transaction.
 */
interface RowObserver {
    /** The row has come and is in no index yet, or it is about to change or to go: it holds what it held. */
    void changing(long row);

    /** The row is about to get the values that the image has in the shape's columns; it holds what it held. */
    default void changing(long row, long image, UpdateShape shape) {
        changing(row);
    }

    /** Whether a row that is changed so is one to hear of. */
    default boolean isConcernedBy(UpdateShape shape) {
        return true;
    }
}
