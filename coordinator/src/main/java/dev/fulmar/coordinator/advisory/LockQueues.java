package dev.fulmar.coordinator.advisory;

import dev.fulmar.foundation.check.Invariants;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The claims of this node's sessions that wait, in the order in which they came. The first one of each lock tries, the
 * others wait for it. Thread-safe.
 */
final class LockQueues {
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<AdvisoryKey, Deque<LockClaim>> queues = new TreeMap<>();
    private final long firstPauseNanos;
    private final long longestPauseNanos;

    /** The next step of a claim whose try has not given the lock. */
    sealed interface Next {
        /** It tries again after a while. */
        record Pause(long nanos) implements Next {}

        /** It ends so. */
        record End(LockAnswer answer) implements Next {}
    }

    LockQueues(long firstPauseNanos, long longestPauseNanos) {
        this.firstPauseNanos = firstPauseNanos;
        this.longestPauseNanos = longestPauseNanos;
    }

    /** Whether the claim may try now: one that does not wait, or the first of those that do. */
    boolean enter(LockClaim claim) {
        lock.lock();
        try {
            claim.pauseNanos = firstPauseNanos;
            if (!claim.wish.waits()) {
                return true;
            }
            Deque<LockClaim> queue = queues.computeIfAbsent(claim.wish.key(), key -> new ArrayDeque<>());
            if (claim.wish.hasShared()) {
                queue.addFirst(claim); // the others wait for the lock that it shares
            } else {
                queue.add(claim);
            }
            return queue.getFirst() == claim;
        } finally {
            lock.unlock();
        }
    }

    /** Whether a try begins. */
    boolean beginTry(LockClaim claim) {
        lock.lock();
        try {
            boolean begins = !claim.isOver && !claim.isTrying && claim.givenUp == null;
            claim.isTrying |= begins;
            return begins;
        } finally {
            lock.unlock();
        }
    }

    /**
     * A try has ended without the lock.
     *
     * @param answer for a claim that does not wait; null for one that tries again
     */
    Next endTry(LockClaim claim, @Nullable LockAnswer answer) {
        lock.lock();
        try {
            Invariants.check(claim.isTrying && !claim.isOver, "a claim ends behind its try");
            LockAnswer end = claim.givenUp != null ? claim.givenUp : answer;
            if (end != null) {
                return new Next.End(end);
            }
            claim.isTrying = false;
            long pauseNanos = claim.isWoken ? 0 : claim.pauseNanos;
            claim.pauseNanos = claim.isWoken ? firstPauseNanos : Math.min(longestPauseNanos, 2 * claim.pauseNanos);
            claim.isWoken = false;
            return new Next.Pause(pauseNanos);
        } finally {
            lock.unlock();
        }
    }

    /** Whether the claim ends at once for that reason; one whose try is under way ends with it. */
    boolean giveUp(LockClaim claim, LockAnswer answer) {
        lock.lock();
        try {
            if (claim.isOver || claim.givenUp != null) {
                return false;
            }
            claim.givenUp = answer;
            return !claim.isTrying;
        } finally {
            lock.unlock();
        }
    }

    /**
     * The claim is answered.
     *
     * @return the next one, which may try now; null for none
     */
    @Nullable LockClaim leave(LockClaim claim) {
        lock.lock();
        try {
            Invariants.check(!claim.isOver, "a claim is answered once");
            claim.isOver = true;
            Deque<LockClaim> queue = queues.get(claim.wish.key());
            if (queue == null || !claim.wish.waits()) {
                return null;
            }
            boolean wasFirst = queue.peek() == claim;
            queue.remove(claim);
            if (queue.isEmpty()) {
                queues.remove(claim.wish.key());
            }
            return wasFirst ? queue.peek() : null;
        } finally {
            lock.unlock();
        }
    }

    /** The first claim of a lock that somebody has given back, if it may try at once. */
    @Nullable LockClaim wake(AdvisoryKey key) {
        lock.lock();
        try {
            Deque<LockClaim> queue = queues.get(key);
            LockClaim first = queue == null ? null : queue.peek();
            if (first == null) {
                return null;
            }
            first.isWoken = first.isTrying;
            first.pauseNanos = firstPauseNanos;
            return first.isTrying ? null : first;
        } finally {
            lock.unlock();
        }
    }

    /** The locks for which some wait. */
    List<AdvisoryKey> awaited() {
        lock.lock();
        try {
            return new ArrayList<>(queues.keySet());
        } finally {
            lock.unlock();
        }
    }

    /** Whether the claim still waits, and from now on is shown. */
    boolean show(LockClaim claim) {
        lock.lock();
        try {
            claim.isShown |= !claim.isOver;
            return !claim.isOver;
        } finally {
            lock.unlock();
        }
    }

    boolean isOver(LockClaim claim) {
        lock.lock();
        try {
            return claim.isOver;
        } finally {
            lock.unlock();
        }
    }
}
