package dev.fulmar.coordinator.transaction;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Collects, for a strict read, the confirmations by partitions on other nodes that they held back replies until all had
 * passed its timestamp. A node that lost the reader has released them, and then the result may be older than what a
 * client knows. Thread-safe.
 */
public final class SnapshotConfirmation {
    private final Runnable complete;
    private final AtomicInteger missing;
    private volatile boolean broken;

    SnapshotConfirmation(int partitions, Runnable complete) {
        this.missing = new AtomicInteger(partitions);
        this.complete = complete;
    }

    /** Notes that a partition has held back its replies. */
    public void confirmed() {
        if (missing.decrementAndGet() == 0) {
            complete.run();
        }
    }

    /** Notes that it is unknown whether a partition has held back its replies. */
    public void broken() {
        broken = true;
        complete.run();
    }

    boolean isBroken() {
        return broken;
    }

    boolean isComplete() {
        return broken || missing.get() <= 0;
    }
}
