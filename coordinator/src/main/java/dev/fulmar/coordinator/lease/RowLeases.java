package dev.fulmar.coordinator.lease;

import dev.fulmar.foundation.schedule.Scheduler;
import dev.fulmar.foundation.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * The leases of the rows that this node's partitions have. Sessions get the lease of a row in the order of their age. A
 * holder that waits for another lease gives way to an older asker (wound-wait). A lease ends with its transaction, or
 * when it has not been used for some time. Thread-safe; who waits hears on the thread that makes the lease free.
 */
public final class RowLeases {
    private final Clock clock;
    private final Scheduler scheduler;
    private final long lastsNanos;
    private final ReentrantLock lock = new ReentrantLock();

    private final TreeMap<Long, RowLease> leases = new TreeMap<>();
    private long sweptNanos;

    /** The rows whose leases a transaction has. */
    private final TreeMap<LeaseAsker, TreeSet<Long>> held = new TreeMap<>();

    /** The row for which a transaction waits; it waits for one at a time. */
    private final TreeMap<LeaseAsker, Long> awaited = new TreeMap<>();

    /** @param lastsNanos how long a lease lasts that its holder does not use */
    public RowLeases(Clock clock, Scheduler scheduler, long lastsNanos) {
        this.clock = clock;
        this.scheduler = scheduler;
        this.lastsNanos = lastsNanos;
        this.sweptNanos = clock.monotonicNanos();
    }

    /**
     * Asks for the lease of a row.
     *
     * @param patienceNanos how long to wait for it; 0 not to wait
     * @param then hears once whether the transaction has it
     */
    public void ask(long row, LeaseAsker asker, long patienceNanos, Consumer<Boolean> then) {
        List<Runnable> told = new ArrayList<>();
        lock.lock();
        try {
            ask(row, asker, patienceNanos, then, told);
        } finally {
            lock.unlock();
        }
        told.forEach(Runnable::run);
    }

    private void ask(long row, LeaseAsker asker, long patienceNanos, Consumer<Boolean> then, List<Runnable> told) {
        long now = clock.monotonicNanos();
        sweep(now);
        RowLease lease = leases.computeIfAbsent(row, RowLease::new);
        LeaseAsker holder = lease.holder();
        if (holder == null || holder.equals(asker) || (lease.endNanos() - now <= 0 && !lease.hasWaiters())) {
            give(lease, asker, now);
            told.add(() -> then.accept(true));
        } else if (patienceNanos <= 0 || awaited.containsKey(asker)) {
            told.add(() -> then.accept(false));
        } else {
            lease.await(new RowLease.Waiter(asker, now + patienceNanos, then));
            awaited.put(asker, row);
            giveWay(asker, now, told);
            settle(lease, now, told);
            schedule(lease, now);
        }
    }

    /** Whether another transaction has the lease of the row, or waits for it. */
    public boolean isOfAnother(long row, LeaseAsker asker) {
        lock.lock();
        try {
            RowLease lease = leases.get(row);
            if (lease == null) {
                return false;
            }
            LeaseAsker holder = lease.holder();
            return holder != null
                    && !holder.equals(asker)
                    && (lease.hasWaiters() || lease.endNanos() - clock.monotonicNanos() > 0);
        } finally {
            lock.unlock();
        }
    }

    /** Forgets leases that have ended by themselves: the node of their transaction may be gone. */
    private void sweep(long now) {
        if (now - sweptNanos < lastsNanos) {
            return;
        }
        sweptNanos = now;
        for (RowLease lease : List.copyOf(leases.values())) {
            LeaseAsker holder = lease.holder();
            if (holder != null && !lease.hasWaiters() && lease.endNanos() - now <= 0) {
                take(lease, holder);
                leases.remove(lease.row());
            }
        }
    }

    /** The leases of a transaction that begins to wait pass to older ones. */
    private void giveWay(LeaseAsker asker, long now, List<Runnable> told) {
        for (long row : List.copyOf(held.getOrDefault(asker, new TreeSet<>()))) {
            RowLease lease = leases.get(row);
            if (lease != null) {
                settle(lease, now, told);
            }
        }
    }

    /** The transaction has ended: so do its leases, and its wait. */
    public void release(LeaseAsker asker) {
        List<Runnable> told = new ArrayList<>();
        lock.lock();
        try {
            long now = clock.monotonicNanos();
            Long row = awaited.remove(asker);
            RowLease wanted = row == null ? null : leases.get(row);
            RowLease.Waiter waiter = wanted == null ? null : wanted.forsake(asker);
            if (waiter != null) {
                told.add(() -> waiter.then().accept(false));
            }
            for (long own : List.copyOf(held.getOrDefault(asker, new TreeSet<>()))) {
                RowLease lease = leases.get(own);
                if (lease != null) {
                    take(lease, asker);
                    settle(lease, now, told);
                }
            }
        } finally {
            lock.unlock();
        }
        told.forEach(Runnable::run);
    }

    /** Leases that transactions have. */
    public int count() {
        lock.lock();
        try {
            return held.values().stream().mapToInt(TreeSet::size).sum();
        } finally {
            lock.unlock();
        }
    }

    /** Transactions that wait for a lease. */
    public int waiting() {
        lock.lock();
        try {
            return awaited.size();
        } finally {
            lock.unlock();
        }
    }

    private void give(RowLease lease, LeaseAsker asker, long now) {
        LeaseAsker before = lease.holder();
        if (before != null && !before.equals(asker)) {
            take(lease, before);
        }
        lease.give(asker, now + lastsNanos);
        held.computeIfAbsent(asker, _ -> new TreeSet<>()).add(lease.row());
    }

    private void take(RowLease lease, LeaseAsker holder) {
        lease.free();
        TreeSet<Long> rows = held.get(holder);
        if (rows != null && rows.remove(lease.row()) && rows.isEmpty()) {
            held.remove(holder);
        }
    }

    /** Gives the lease to the next one, if it is free or may be taken away. */
    private void settle(RowLease lease, long now, List<Runnable> told) {
        RowLease.Waiter late = lease.late(now);
        while (late != null) {
            Consumer<Boolean> then = late.then();
            awaited.remove(late.asker());
            told.add(() -> then.accept(false));
            late = lease.late(now);
        }
        LeaseAsker next = lease.next();
        if (next == null) {
            if (lease.holder() == null) {
                leases.remove(lease.row());
            }
        } else if (isFreeFor(next, lease, now)) {
            RowLease.Waiter waiter = lease.forsake(next);
            awaited.remove(next);
            give(lease, next, now);
            if (waiter != null) {
                told.add(() -> waiter.then().accept(true));
            }
        }
    }

    private boolean isFreeFor(LeaseAsker asker, RowLease lease, long now) {
        LeaseAsker holder = lease.holder();
        return holder == null
                || lease.endNanos() - now <= 0
                || (asker.compareTo(holder) < 0 && awaited.containsKey(holder));
    }

    private void schedule(RowLease lease, long now) {
        if (lease.hasWaiters() && lease.mustLookSooner()) {
            long row = lease.row();
            long at = lease.looksAtNext();
            scheduler.schedule(Math.max(1, at - now), () -> look(row, at));
        }
    }

    private void look(long row, long at) {
        List<Runnable> told = new ArrayList<>();
        lock.lock();
        try {
            RowLease lease = leases.get(row);
            if (lease != null && lease.looks(at)) {
                long now = clock.monotonicNanos();
                settle(lease, now, told);
                schedule(lease, now);
            }
        } finally {
            lock.unlock();
        }
        told.forEach(Runnable::run);
    }
}
