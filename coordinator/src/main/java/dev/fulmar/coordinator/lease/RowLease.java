package dev.fulmar.coordinator.lease;

import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The lease of one row, with those that wait for it. Touched under the lock of {@link RowLeases}. */
final class RowLease {
    /**
     * One that waits.
     *
     * @param deadlineNanos when it waits no longer
     * @param then hears whether it has the lease
     */
    record Waiter(LeaseAsker asker, long deadlineNanos, Consumer<Boolean> then) {}

    private final long row;
    private final TreeMap<LeaseAsker, Waiter> waiters = new TreeMap<>();
    private @Nullable LeaseAsker holder;
    private long endNanos;
    private boolean isWatched;
    private long lookNanos;

    RowLease(long row) {
        this.row = row;
    }

    long row() {
        return row;
    }

    @Nullable LeaseAsker holder() {
        return holder;
    }

    /** When the lease ends by itself. */
    long endNanos() {
        return endNanos;
    }

    void give(LeaseAsker asker, long untilNanos) {
        holder = asker;
        endNanos = untilNanos;
    }

    void free() {
        holder = null;
    }

    void await(Waiter waiter) {
        waiters.put(waiter.asker(), waiter);
    }

    @Nullable Waiter forsake(LeaseAsker asker) {
        return waiters.remove(asker);
    }

    boolean hasWaiters() {
        return !waiters.isEmpty();
    }

    /** The oldest one that waits. */
    @Nullable LeaseAsker next() {
        return waiters.isEmpty() ? null : waiters.firstKey();
    }

    /** One whose deadline has passed, which does not wait any more; null if there is none. */
    @Nullable Waiter late(long nowNanos) {
        for (Waiter waiter : waiters.values()) {
            if (waiter.deadlineNanos() - nowNanos <= 0) {
                waiters.remove(waiter.asker());
                return waiter;
            }
        }
        return null;
    }

    /** The first moment at which something changes by itself. */
    private long nextNanos() {
        long next = endNanos;
        for (Waiter waiter : waiters.values()) {
            next = waiter.deadlineNanos() - next < 0 ? waiter.deadlineNanos() : next;
        }
        return next;
    }

    /** Whether nobody looks at it again before something changes by itself. */
    boolean mustLookSooner() {
        return !isWatched || nextNanos() - lookNanos < 0;
    }

    /** Notes that it is looked at again at the moment that is returned, and not before. */
    long looksAtNext() {
        isWatched = true;
        lookNanos = nextNanos();
        return lookNanos;
    }

    /** Notes that it is looked at now, as was noted before; false if it is looked at another time instead. */
    boolean looks(long at) {
        boolean isAwaited = isWatched && at == lookNanos;
        isWatched &= !isAwaited;
        return isAwaited;
    }
}
