package dev.fulmar.engine.partition;

/**
 * Changes of a partition that are not final yet, in the order in which they were made. A position is a place in that
 * order.
 */
public interface UndoPort {
    /** The place after the last change. */
    long position();

    /** Undoes everything after the position, the latest change first. */
    void undoTo(long position);

    /**
     * Gives back a bounded part of what committed changes left behind and nobody needs any more; does nothing while
     * changes are not final.
     *
     * @return whether there was anything
     */
    default boolean reclaim() {
        return false;
    }

    /** Memory that is kept for readers of earlier versions. */
    default long versionBytes() {
        return 0;
    }

    /** What the changes were made to is of no use any more: they are undone if that is possible, else forgotten. */
    default void giveUp() {
        undoTo(0);
    }

    /** Makes the changes up to the position final; they are the oldest ones, and take the timestamp. */
    void commitTo(long position, long commitTimestamp);
}
