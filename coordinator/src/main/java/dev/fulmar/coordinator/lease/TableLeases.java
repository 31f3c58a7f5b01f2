package dev.fulmar.coordinator.lease;

import dev.fulmar.engine.execution.RowArea;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The leases of one table's rows and ranges, with those that wait for some. Touched under the lock of RowLeases. */
final class TableLeases {
    /** The lease of a row or a range. */
    static final class Lease {
        private final RowArea area;
        private final LeaseAsker holder;
        private final boolean keepsWriters;
        private long endNanos;

        Lease(LeaseWish wish, long endNanos) {
            this.area = wish.area();
            this.holder = wish.asker();
            this.keepsWriters = wish.keepsWriters();
            this.endNanos = endNanos;
        }

        RowArea area() {
            return area;
        }

        LeaseAsker holder() {
            return holder;
        }

        boolean keepsWriters() {
            return keepsWriters;
        }

        /** When it ends by itself. */
        long endNanos() {
            return endNanos;
        }

        void lastUntil(long nanos) {
            endNanos = nanos;
        }
    }

    /**
     * One that waits.
     *
     * @param deadlineNanos when it waits no longer
     * @param then hears whether it has the lease
     */
    record Waiter(LeaseWish wish, long deadlineNanos, Consumer<Boolean> then) {}

    private final int table;

    /** By their numbers; a row has one lease at most. */
    private final TreeMap<Long, Lease> rows = new TreeMap<>();

    private final List<Lease> ranges = new ArrayList<>();
    private final TreeMap<LeaseAsker, Waiter> waiters = new TreeMap<>();
    private boolean isWatched;
    private long lookNanos;

    TableLeases(int table) {
        this.table = table;
    }

    int table() {
        return table;
    }

    boolean isEmpty() {
        return rows.isEmpty() && ranges.isEmpty() && waiters.isEmpty();
    }

    int ranges() {
        return ranges.size();
    }

    void add(Lease lease) {
        if (lease.area().isRow()) {
            rows.put(lease.area().row(), lease);
        } else {
            ranges.add(lease);
        }
    }

    void remove(Lease lease) {
        if (lease.area().isRow()) {
            rows.remove(lease.area().row(), lease);
        } else {
            ranges.remove(lease);
        }
    }

    /** All leases. */
    List<Lease> all() {
        List<Lease> all = new ArrayList<>(rows.values());
        all.addAll(ranges);
        return all;
    }

    /** The asker's lease of the whole area; null if it has none. */
    @Nullable Lease own(RowArea area, LeaseAsker asker) {
        Lease row = area.isRow() ? rows.get(area.row()) : null;
        if (row != null && row.holder().equals(asker)) {
            return row;
        }
        for (Lease range : ranges) {
            if (range.holder().equals(asker) && range.area().hasAllOf(area)) {
                return range;
            }
        }
        return null;
    }

    /** Another one's lease of some of these rows that is in the way; null if none is. */
    @Nullable Lease inTheWay(RowArea area, LeaseAsker asker, Predicate<Lease> isInTheWay) {
        if (area.isRow()) {
            Lease row = rows.get(area.row());
            if (row != null && isOfAnother(row, area, asker) && isInTheWay.test(row)) {
                return row;
            }
        } else {
            for (Lease row : rows.values()) {
                if (isOfAnother(row, area, asker) && isInTheWay.test(row)) {
                    return row;
                }
            }
        }
        for (Lease range : ranges) {
            if (isOfAnother(range, area, asker) && isInTheWay.test(range)) {
                return range;
            }
        }
        return null;
    }

    private static boolean isOfAnother(Lease lease, RowArea area, LeaseAsker asker) {
        return !lease.holder().equals(asker) && lease.area().meets(area);
    }

    /** The leases that end when the asker gets the area: others' of some of these rows, and its own of the same row. */
    List<Lease> displaced(RowArea area, LeaseAsker asker) {
        List<Lease> displaced = new ArrayList<>();
        for (Lease lease : area.isRow() ? ranges : all()) {
            if (isOfAnother(lease, area, asker)) {
                displaced.add(lease);
            }
        }
        Lease row = area.isRow() ? rows.get(area.row()) : null;
        if (row != null) {
            displaced.add(row);
        }
        return displaced;
    }

    void await(Waiter waiter) {
        waiters.put(waiter.wish().asker(), waiter);
    }

    @Nullable Waiter forsake(LeaseAsker asker) {
        return waiters.remove(asker);
    }

    /** Those that wait, the oldest first. */
    List<Waiter> waiters() {
        return List.copyOf(waiters.values());
    }

    /** Whether one that is older than the asker waits for some of these rows. */
    boolean isAwaitedByOlder(RowArea area, LeaseAsker asker) {
        for (Waiter waiter : waiters.headMap(asker).values()) {
            if (waiter.wish().area().meets(area)) {
                return true;
            }
        }
        return false;
    }

    /** Whether nobody looks at it again by then. */
    boolean mustLookSooner(long nanos) {
        return !isWatched || nanos - lookNanos < 0;
    }

    /** Notes that it is looked at again at that moment, and not before. */
    void looksAt(long nanos) {
        isWatched = true;
        lookNanos = nanos;
    }

    /** Notes that it is looked at now, as was noted before; false if it is looked at another time instead. */
    boolean looks(long at) {
        boolean isAwaited = isWatched && at == lookNanos;
        isWatched &= !isAwaited;
        return isAwaited;
    }
}
