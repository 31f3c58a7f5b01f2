package dev.fulmar.engine.partition;

/**
 * Callbacks by which a partition answers a snapshot reader's registration: admitted with a timestamp, or turned away.
 * One object for each partition; called on the partition's thread.
 */
public interface SnapshotReader {
    /**
     * The reader is registered: every commit that this partition has given out so far is at or below the timestamp,
     * every later one is above. Called once, unless it is turned away first.
     */
    void admitted(Partition partition, long timestamp);

    /** The partition stops; the reader is not admitted any more, or what it waits for will never happen. */
    void turnedAway(Partition partition);

    /**
     * Another node leads the partition: what the reader reads here is over, and what waits for it will never happen.
     */
    default void sentAway(Partition partition) {
        turnedAway(partition);
    }
}
