package dev.fulmar.engine.partition;

/**
 * Changes of a partition that are not final yet, in the order in which they were made. A position is a place in that order.
 */
public interface UndoPort {
    /** The place after the last change. */
    long position();

    /** Undoes everything after the position, the latest change first. */
    void undoTo(long position);

    /** Makes the changes up to the position final; they are the oldest ones, and take the timestamp. */
    void commitTo(long position, long commitTimestamp);
}
