package dev.fulmar.coordinator.transaction;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * The word of partitions on other nodes that they have held back replies for a strict reader until all had passed its
 * timestamp. A node that lost sight of the reader has let them out, and what was read may be older than what somebody
 * knows. Thread-safe.
 */
public final class SnapshotConfirmation {
    private final Runnable complete;
    private final AtomicInteger missing;
    private volatile boolean broken;

    SnapshotConfirmation(int partitions, Runnable complete) {
        this.missing = new AtomicInteger(partitions);
        this.complete = complete;
    }

    /** A partition has held back what it had to. */
    public void confirmed() {
        if (missing.decrementAndGet() == 0) {
            complete.run();
        }
    }

    /** Nobody knows whether a partition has. */
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
