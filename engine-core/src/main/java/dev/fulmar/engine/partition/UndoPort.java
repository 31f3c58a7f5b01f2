package dev.fulmar.engine.partition;

/**
 * Port by which the partition executor undoes or commits a partition's changes, and reclaims the memory of committed
 * ones. The changes are in the order in which they were made; a position is a place in that order.
 */
public interface UndoPort {
    /** The place after the last change. */
    long position();

    /** Undoes everything after the position, the latest change first. */
    void undoTo(long position);

    /**
     * Gives back a bounded part of the memory that committed changes left behind and no reader needs any more. Does
     * nothing while changes are not final.
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

    /** Gives up the changed data: undoes the changes if that is possible, else forgets them. */
    default void giveUp() {
        undoTo(0);
    }

    /** Makes the changes up to the position final; they are the oldest ones, and take the timestamp. */
    void commitTo(long position, long commitTimestamp);
}
