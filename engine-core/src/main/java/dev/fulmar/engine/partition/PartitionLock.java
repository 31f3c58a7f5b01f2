package dev.fulmar.engine.partition;

import dev.fulmar.engine.partition.PartitionMessage.FragmentBatch;
import dev.fulmar.engine.partition.counter.OwnedCounter;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.id.TransactionId;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The lock of a partition: its holder, and the requests that wait, oldest first. An attempt that was made to yield is
 * remembered until its coordinator has said that it knows, so that a late message of it is not taken for a new request.
 */
final class PartitionLock {
    /** A request that waits. */
    record Waiter(FragmentBatch batch, long arrival, long sinceNanos) {}

    private final TreeMap<TransactionId, Waiter> waiters = new TreeMap<>();
    private final TreeMap<TransactionId, Integer> wounded = new TreeMap<>();
    private final OwnedCounter holders = new OwnedCounter();
    private @Nullable LockHolder holder;

    @Nullable LockHolder holder() {
        return holder;
    }

    private void hold(@Nullable LockHolder next) {
        holder = next;
        holders.set(next == null ? 0 : 1);
    }

    /** Whether a transaction holds the lock, as any thread may ask; the answer may be a moment old. */
    boolean isHeld() {
        return holders.get() > 0;
    }

    /** Whether the lock is free and no request waits for it. */
    boolean isIdle() {
        return holder == null && waiters.isEmpty();
    }

    int waiterCount() {
        return waiters.size();
    }

    /** The one who gets the lock next, or null. */
    @Nullable Waiter oldestWaiter() {
        Map.Entry<TransactionId, Waiter> first = waiters.firstEntry();
        return first == null ? null : first.getValue();
    }

    void enqueue(Waiter waiter) {
        Waiter earlier = waiters.put(waiter.batch().transaction(), waiter);
        Invariants.check(earlier == null, "a transaction waits for a partition once");
    }

    /** Whether the oldest waiter may take the lock away from the holder. */
    boolean mustYield() {
        LockHolder current = holder;
        return current != null
                && !current.voted
                && !waiters.isEmpty()
                && waiters.firstKey().isOlderThan(current.transaction);
    }

    /** Gives the free lock to the oldest waiter. */
    void grant(LockHolder newHolder) {
        Invariants.check(holder == null, "a granted lock was free");
        Waiter first = waiters.remove(newHolder.transaction);
        Invariants.check(first != null, "a granted lock was asked for");
        if (Invariants.EXPENSIVE) {
            checkGrant(newHolder);
        }
        hold(newHolder);
    }

    private void checkGrant(LockHolder newHolder) {
        Invariants.check(
                waiters.isEmpty() || newHolder.transaction.isOlderThan(waiters.firstKey()),
                "a partition grants its lock to the oldest transaction that waits");
        Invariants.check(
                !wasWounded(newHolder.transaction, newHolder.attempt),
                "a partition never grants its lock again to an attempt that had to yield it");
    }

    /** Gives the free lock to a transaction that has voted already. */
    void restore(LockHolder prepared) {
        Invariants.check(holder == null, "a part that is in doubt finds the lock free");
        hold(prepared);
    }

    /** Refuses all requests that wait for the lock. */
    void refuseWaiters(PartitionId partition) {
        while (!waiters.isEmpty()) {
            waiters.pollFirstEntry().getValue().batch().refused(partition);
        }
    }

    /**
     * Empties the lock, for another node leads the partition: no waiting request gets it, and earlier holders are
     * forgotten.
     */
    void turnAway(PartitionId partition) {
        hold(null);
        wounded.clear();
        while (!waiters.isEmpty()) {
            waiters.pollFirstEntry().getValue().batch().turnedAway(partition);
        }
    }

    void release() {
        Invariants.check(holder != null, "a transaction that releases the lock holds it");
        hold(null);
    }

    /** Takes the lock from the holder, whose coordinator will acknowledge it. */
    void wound(LockHolder victim) {
        Invariants.check(!victim.voted, "a participant that has voted keeps the lock until its decision");
        wounded.put(victim.transaction, victim.attempt);
        hold(null);
    }

    boolean wasWounded(TransactionId transaction, int attempt) {
        Integer victim = wounded.get(transaction);
        return victim != null && victim == attempt;
    }

    /**
     * The coordinator ends the attempt, which does not hold the lock: forgets that it was wounded, or that it waits.
     */
    void forget(TransactionId transaction, int attempt) {
        if (wasWounded(transaction, attempt)) {
            wounded.remove(transaction);
        }
        Waiter waiter = waiters.get(transaction);
        if (waiter != null && waiter.batch().attempt() == attempt) {
            waiters.remove(transaction);
        }
    }
}
