package dev.fulmar.coordinator.advisory;

import dev.fulmar.foundation.check.Invariants;

/**
 * A session's question for a lock.
 *
 * @param holder the session
 * @param isShared whether others may have it too that share it
 * @param hasShared whether the session shares it already
 * @param patienceNanos for how long to wait for others; 0 to go on without, {@link #FOR_EVER} without a limit
 */
public record LockWish(String holder, AdvisoryKey key, boolean isShared, boolean hasShared, long patienceNanos) {
    /** Waits until others give it back. */
    public static final long FOR_EVER = Long.MAX_VALUE;

    public LockWish {
        Invariants.check(!isShared || !hasShared, "a session that shares a lock wants it for itself or not at all");
        Invariants.check(patienceNanos >= 0, "nobody waits for less than no time");
    }

    boolean waits() {
        return patienceNanos > 0;
    }
}
