package dev.fulmar.coordinator.lease;

import dev.fulmar.coordinator.lease.TableLeases.Lease;
import dev.fulmar.coordinator.lease.TableLeases.Waiter;
import dev.fulmar.engine.execution.RowArea;
import dev.fulmar.foundation.schedule.Scheduler;
import dev.fulmar.foundation.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The leases of the rows and ranges that this node's partitions have. Sessions get a lease in the order of their age. A
 * holder that waits for another lease gives way to an older asker (wound-wait). A lease ends with its transaction, or
 * when it has not been used for some time. Thread-safe; who waits hears on the thread that makes the lease free.
 */
public final class RowLeases {
    /** Leases of one node; whoever comes then goes on without one. */
    static final int MOST_LEASES = 1 << 14;

    /** Leases of ranges of one table, each of which every asker is compared with. */
    static final int MOST_RANGES = 1 << 10;

    private final Clock clock;
    private final Scheduler scheduler;
    private final long lastsNanos;
    private final Predicate<LeaseWish> isCancelled;
    private final ReentrantLock lock = new ReentrantLock();

    private final TreeMap<Integer, TableLeases> tables = new TreeMap<>();
    private long sweptNanos;

    /** The leases that a transaction has. */
    private final TreeMap<LeaseAsker, List<Lease>> held = new TreeMap<>();

    /** The table for whose rows a transaction waits; it waits for one lease at a time. */
    private final TreeMap<LeaseAsker, TableLeases> awaited = new TreeMap<>();

    private int count;
    private int keeping;

    /** Whether a lease keeps writers waiting; read without the lock. */
    private volatile boolean keepsWriters;

    /**
     * @param lastsNanos how long a lease lasts that its holder does not use
     * @param isCancelled whether the client has cancelled the statement; true before {@link #cancel} is told of it
     */
    public RowLeases(Clock clock, Scheduler scheduler, long lastsNanos, Predicate<LeaseWish> isCancelled) {
        this.clock = clock;
        this.scheduler = scheduler;
        this.lastsNanos = lastsNanos;
        this.isCancelled = isCancelled;
        this.sweptNanos = clock.monotonicNanos();
    }

    /**
     * Asks for the lease of a row or a range.
     *
     * @param then hears once whether the transaction has it, or may go on as if it had
     */
    public void ask(LeaseWish wish, Consumer<Boolean> then) {
        List<Runnable> told = new ArrayList<>();
        lock.lock();
        try {
            ask(wish, then, told);
        } finally {
            lock.unlock();
        }
        told.forEach(Runnable::run);
    }

    private void ask(LeaseWish wish, Consumer<Boolean> then, List<Runnable> told) {
        long now = clock.monotonicNanos();
        sweep(now);
        LeaseAsker asker = wish.asker();
        TableLeases table = tables.computeIfAbsent(wish.area().table(), TableLeases::new);
        Lease own = table.own(wish.area(), asker);
        if (own != null && (own.keepsWriters() || !wish.keepsWriters())) {
            own.lastUntil(now + lastsNanos);
            told.add(() -> then.accept(true));
        } else if (table.inTheWay(wish.area(), asker, lease -> lease.endNanos() - now > 0) == null
                && !table.isAwaitedByOlder(wish.area(), asker)) {
            give(table, wish, now);
            told.add(() -> then.accept(true));
        } else if (wish.patienceNanos() <= 0 || awaited.containsKey(asker) || isCancelled.test(wish)) {
            told.add(() -> then.accept(false));
        } else {
            table.await(new Waiter(wish, now + wish.patienceNanos(), then));
            awaited.put(asker, table);
            giveWay(asker, now, told);
            settle(table, now, told);
        }
        forgetIfEmpty(table);
    }

    /** Whether another transaction has the lease of some of these rows. */
    public boolean isOfAnother(RowArea area, LeaseAsker asker) {
        return isTaken(area, asker, lease -> true);
    }

    /** Whether changes of these rows are to wait: another transaction keeps writers from some. Quick if none does. */
    public boolean keepsOff(RowArea area, LeaseAsker asker) {
        return keepsWriters && isTaken(area, asker, Lease::keepsWriters);
    }

    /** Whether any transaction keeps writers from any rows. Takes no lock. */
    public boolean keepsWriters() {
        return keepsWriters;
    }

    private boolean isTaken(RowArea area, LeaseAsker asker, Predicate<Lease> counts) {
        lock.lock();
        try {
            long now = clock.monotonicNanos();
            sweep(now);
            TableLeases table = tables.get(area.table());
            return table != null
                    && table.inTheWay(area, asker, lease -> lease.endNanos() - now > 0 && counts.test(lease)) != null;
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
        for (TableLeases table : List.copyOf(tables.values())) {
            for (Lease lease : table.all()) {
                if (lease.endNanos() - now <= 0) {
                    take(table, lease);
                }
            }
            forgetIfEmpty(table);
        }
    }

    private void forgetIfEmpty(TableLeases table) {
        if (table.isEmpty()) {
            tables.remove(table.table(), table);
        }
    }

    /** The leases of a transaction that begins to wait pass to older ones. */
    private void giveWay(LeaseAsker asker, long now, List<Runnable> told) {
        for (Lease lease : List.copyOf(held.getOrDefault(asker, List.of()))) {
            settle(lease.area().table(), now, told);
        }
    }

    /** The transaction has ended: so do its leases, and its wait. */
    public void release(LeaseAsker asker) {
        List<Runnable> told = new ArrayList<>();
        lock.lock();
        try {
            long now = clock.monotonicNanos();
            endWait(asker, now, told);
            for (Lease lease : List.copyOf(held.getOrDefault(asker, List.of()))) {
                TableLeases table = tables.get(lease.area().table());
                if (table != null) {
                    take(table, lease);
                    settle(table, now, told);
                    forgetIfEmpty(table);
                }
            }
        } finally {
            lock.unlock();
        }
        told.forEach(Runnable::run);
    }

    /** The client has cancelled the statement with the handle: it waits for no lease any longer. */
    public void cancel(long clientId, long requestId) {
        List<Runnable> told = new ArrayList<>();
        lock.lock();
        try {
            long now = clock.monotonicNanos();
            for (TableLeases table : List.copyOf(tables.values())) {
                for (Waiter waiter : table.waiters()) {
                    if (waiter.wish().isOf(clientId, requestId)) {
                        endWait(waiter.wish().asker(), now, told);
                    }
                }
            }
        } finally {
            lock.unlock();
        }
        told.forEach(Runnable::run);
    }

    private void endWait(LeaseAsker asker, long now, List<Runnable> told) {
        TableLeases wanted = awaited.remove(asker);
        Waiter waiter = wanted == null ? null : wanted.forsake(asker);
        if (wanted != null && waiter != null) {
            told.add(() -> waiter.then().accept(false));
            settle(wanted, now, told); // younger ones may have waited behind it
            forgetIfEmpty(wanted);
        }
    }

    /** Leases that transactions have. */
    public int count() {
        lock.lock();
        try {
            return count;
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

    /** Whether no two transactions have leases that meet, and all figures are right; for tests. */
    boolean areOfOneEach() {
        lock.lock();
        try {
            List<Lease> all = new ArrayList<>();
            tables.values().forEach(table -> all.addAll(table.all()));
            boolean isAlone = all.stream()
                    .allMatch(one -> all.stream()
                            .noneMatch(other -> !one.holder().equals(other.holder())
                                    && one.area().meets(other.area())));
            return isAlone
                    && count == all.size()
                    && count == held.values().stream().mapToInt(List::size).sum()
                    && keeping == all.stream().filter(Lease::keepsWriters).count()
                    && keepsWriters == keeping > 0;
        } finally {
            lock.unlock();
        }
    }

    private void give(TableLeases table, LeaseWish wish, long now) {
        table.displaced(wish.area(), wish.asker()).forEach(lease -> take(table, lease));
        if (count >= MOST_LEASES || (!wish.area().isRow() && table.ranges() >= MOST_RANGES)) {
            return; // it goes on as if it had the lease, and fails if that was needed
        }
        Lease lease = new Lease(wish, now + lastsNanos);
        table.add(lease);
        held.computeIfAbsent(wish.asker(), _ -> new ArrayList<>()).add(lease);
        count++;
        keeping += lease.keepsWriters() ? 1 : 0;
        keepsWriters = keeping > 0;
    }

    private void take(TableLeases table, Lease lease) {
        table.remove(lease);
        List<Lease> of = held.get(lease.holder());
        if (of != null && of.remove(lease)) {
            count--;
            keeping -= lease.keepsWriters() ? 1 : 0;
            keepsWriters = keeping > 0;
            if (of.isEmpty()) {
                held.remove(lease.holder());
            }
        }
    }

    private void settle(int number, long now, List<Runnable> told) {
        TableLeases table = tables.get(number);
        if (table != null) {
            settle(table, now, told);
        }
    }

    /** Gives what is free, or may be taken away, to those that wait, the oldest first. */
    private void settle(TableLeases table, long now, List<Runnable> told) {
        List<Waiter> older = new ArrayList<>();
        long nextNanos = now;
        for (Waiter waiter : table.waiters()) {
            LeaseWish wish = waiter.wish();
            boolean isLate = waiter.deadlineNanos() - now <= 0;
            Lease lasting = isLate ? null : lasting(table, wish, now);
            boolean isNext = !isLate && lasting == null && isFirst(wish, older);
            if (isLate || isNext) {
                table.forsake(wish.asker());
                awaited.remove(wish.asker());
                told.add(() -> waiter.then().accept(isNext));
                if (isNext) {
                    give(table, wish, now);
                }
                continue;
            }
            long changes = lasting != null && lasting.endNanos() - waiter.deadlineNanos() < 0
                    ? lasting.endNanos()
                    : waiter.deadlineNanos();
            nextNanos = older.isEmpty() || changes - nextNanos < 0 ? changes : nextNanos;
            older.add(waiter);
        }
        if (!older.isEmpty() && table.mustLookSooner(nextNanos)) {
            long at = nextNanos;
            table.looksAt(at);
            scheduler.schedule(Math.max(1, at - now), () -> look(table.table(), at));
        }
    }

    private static boolean isFirst(LeaseWish wish, List<Waiter> older) {
        for (Waiter waiter : older) {
            if (waiter.wish().area().meets(wish.area())) {
                return false;
            }
        }
        return true;
    }

    /** Another one's lease that is in the way of the wish, and does not yield to it. */
    private @Nullable Lease lasting(TableLeases table, LeaseWish wish, long now) {
        return table.inTheWay(
                wish.area(),
                wish.asker(),
                lease -> lease.endNanos() - now > 0
                        && !(wish.asker().compareTo(lease.holder()) < 0 && awaited.containsKey(lease.holder())));
    }

    private void look(int number, long at) {
        List<Runnable> told = new ArrayList<>();
        lock.lock();
        try {
            TableLeases table = tables.get(number);
            if (table != null && table.looks(at)) {
                settle(table, clock.monotonicNanos(), told);
                forgetIfEmpty(table);
            }
        } finally {
            lock.unlock();
        }
        told.forEach(Runnable::run);
    }
}
