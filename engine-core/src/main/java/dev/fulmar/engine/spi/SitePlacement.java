package dev.fulmar.engine.spi;

import dev.fulmar.foundation.id.PartitionId;

/**
 * Port by which a subsystem says which site of the node runs which partition. A move touches no data: its cost does not
 * depend on the size of the partition. Thread-safe.
 */
public interface SitePlacement {
    /** Sites of the node. */
    int siteCount();

    /** The site that runs the partition, or is about to. */
    int siteOf(PartitionId partition);

    /**
     * Moves the partition to the site as soon as no transaction holds it and no control code waits at its thread.
     * Requests that come meanwhile wait in its inbox.
     *
     * @param site its number, from 0 on
     * @param moved run once, on any thread, when the site runs the partition, or the node stops
     */
    void move(PartitionId partition, int site, Runnable moved);
}
