package dev.fulmar.engine.spi;

import dev.fulmar.engine.partitioning.KeySpace;

/**
 * Guard of a partition's data: says whether the rows that a statement needs are here. A subsystem that moves data
 * installs it for as long as it does; a partition without a guard has all that its plan gives it. A statement asks once
 * for each of its keys, whether it runs alone or as fragments, and before it writes a row. On the partition's thread.
 */
public interface DataAccess {
    /**
     * Presence of the rows of one partitioning key, in all tables.
     *
     * @param position of the key in the space, as plans have it
     */
    Presence ofKey(KeySpace space, long position);

    /** Presence of all rows of the partition, for a statement without a key. */
    Presence ofAll();

    /**
     * Whether fragments of transactions over several partitions are guarded too. Such a transaction keeps its locks
     * while it waits for data, so a guard that waits for the partition's lock must let it pass.
     */
    default boolean guardsFragments() {
        return true;
    }

    /**
     * Whether a call that runs alone also needs the key that it was routed by. Its statements may need other rows
     * only. But a retry is routed by that key, so a call's outcome belongs where the key is.
     */
    default boolean guardsRoutes() {
        return false;
    }
}
