package dev.fulmar.coordinator.planning;

import dev.fulmar.engine.spi.PlanningTurn;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.schedule.Scheduler;
import dev.fulmar.foundation.time.Clock;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The queue of statements that wait to be planned, with those that are being planned. Sessions take turns: each has one
 * statement under way. Among the first statements of the other sessions, short texts go before long ones, and then the
 * oldest first. Thread-safe.
 */
public final class PlanningQueue {
    /** Unless something else is said, so many statements may wait. */
    public static final int USUAL_CAPACITY = 256;

    /** Divisor of the capacity: the share that one session's waiting statements may have. */
    private static final int SESSION_SHARE = 4;

    /** A longer text waits until no shorter one does, unless it has waited for {@link #PATIENCE_NANOS}. */
    private static final int SHORT_CHARACTERS = 4_096;

    private static final long PATIENCE_NANOS = 1_000_000_000;

    /** Interval between checks of the claims that wait. */
    private static final long SWEEP_NANOS = 20_000_000;

    private final PlannerThreads threads;
    private final Clock clock;
    private final Scheduler scheduler;
    private final int capacity;
    private final AtomicReference<State> state = new AtomicReference<>(new State(List.of(), List.of()));
    private final AtomicBoolean sweeps = new AtomicBoolean();
    private final AtomicLong planned = new AtomicLong();
    private final AtomicLong refused = new AtomicLong();
    private final AtomicLong nanos = new AtomicLong();

    /** @param capacity statements that may wait */
    public PlanningQueue(PlannerThreads threads, Clock clock, Scheduler scheduler, int capacity) {
        this.threads = threads;
        this.clock = clock;
        this.scheduler = scheduler;
        this.capacity = capacity;
    }

    /** The statements that wait, the oldest first, and those that have begun. */
    private record State(List<Entry> waiting, List<Entry> running) {
        State {
            waiting = List.copyOf(waiting);
            running = List.copyOf(running);
            if (Invariants.EXPENSIVE) {
                Set<Object> sessions = new HashSet<>();
                running.forEach(entry -> sessions.add(entry.claim.session()));
                Invariants.check(sessions.size() == running.size(), "a session has one statement under way");
            }
        }

        long waitingOf(Object session) {
            return waiting.stream()
                    .filter(entry -> entry.claim.session().equals(session))
                    .count();
        }

        State with(Entry entry) {
            List<Entry> more = new ArrayList<>(waiting);
            more.add(entry);
            return new State(more, running);
        }

        State begun(Entry entry) {
            List<Entry> more = new ArrayList<>(running);
            more.add(entry);
            return new State(without(waiting, entry), more);
        }

        State ended(Entry entry) {
            List<Entry> left = without(running, entry);
            Invariants.check(left.size() == running.size() - 1, "a planner ends what it began, once");
            return new State(waiting, left);
        }

        State gone(Entry entry) {
            return new State(without(waiting, entry), running);
        }

        private static List<Entry> without(List<Entry> entries, Entry gone) {
            return entries.stream().filter(entry -> entry != gone).toList();
        }

        /** The statement whose turn it is; null if only sessions wait that have a statement under way. */
        @Nullable Entry next(long nowNanos) {
            Set<Object> sessions = new HashSet<>();
            running.forEach(entry -> sessions.add(entry.claim.session()));
            Entry next = null;
            for (Entry entry : waiting) {
                boolean isFirst = sessions.add(entry.claim.session());
                if (isFirst && (entry.isUrgent(nowNanos) || next == null)) {
                    next = entry;
                    if (entry.isUrgent(nowNanos)) {
                        return next;
                    }
                }
            }
            return next;
        }
    }

    /** One statement. Not a record: it equals nothing but itself. */
    private final class Entry implements PlanningTurn {
        private final PlanningClaim claim;
        private final int characters;
        private final long sinceNanos;
        private final Runnable planning;
        private final Consumer<FulmarException> refusal;

        /** Used by the thread that plans. */
        private @Nullable FulmarException end;

        private Entry(
                PlanningClaim claim, int characters, Runnable planning, Consumer<FulmarException> refusal, long nanos) {
            this.claim = claim;
            this.characters = characters;
            this.planning = planning;
            this.refusal = refusal;
            this.sinceNanos = nanos;
        }

        private boolean isUrgent(long nowNanos) {
            return characters <= SHORT_CHARACTERS || nowNanos - sinceNanos > PATIENCE_NANOS;
        }

        @Override
        public void check() {
            boolean goesOn = false;
            while (end == null && !goesOn) {
                goesOn = threads.goesOn();
                end = over(claim);
            }
            if (end != null) {
                throw new FulmarException(end.code(), String.valueOf(end.getMessage()), end);
            }
        }
    }

    /**
     * Plans a statement when it is its turn.
     *
     * @param characters length of its text
     * @param planning plans it, and sees to its answer; on a planner's thread, within a {@link PlanningTurn}
     * @param refusal hears why it is not planned; on any thread, perhaps before this returns
     */
    public void submit(PlanningClaim claim, int characters, Runnable planning, Consumer<FulmarException> refusal) {
        enqueue(new Entry(claim, characters, planning, refusal, clock.monotonicNanos()), true);
    }

    /** Plans a statement that must be planned and comes one at a time: it is never refused for want of room. */
    public void submitSurely(PlanningClaim claim, Runnable planning, Consumer<FulmarException> refusal) {
        enqueue(new Entry(claim, 0, planning, refusal, clock.monotonicNanos()), false);
    }

    private void enqueue(Entry entry, boolean isBounded) {
        State before;
        do {
            before = state.get();
            if (isBounded && isFull(before, entry)) {
                refuse(entry, busy());
                return;
            }
        } while (!state.compareAndSet(before, before.with(entry)));
        dispatch();
    }

    private boolean isFull(State before, Entry entry) {
        return before.waiting.size() >= capacity
                || before.waitingOf(entry.claim.session()) >= Math.max(1, capacity / SESSION_SHARE);
    }

    private FulmarException busy() {
        return new FulmarException(
                ErrorCode.SERVER_BUSY,
                "too many statements wait to be planned (planner.queue is " + capacity
                        + ", of which one client has a quarter); send fewer at once, and use ? for values that change");
    }

    private void dispatch() {
        while (true) {
            State before = state.get();
            Entry next = before.running.size() < threads.count() ? before.next(clock.monotonicNanos()) : null;
            if (next == null) {
                if (!before.waiting.isEmpty()) {
                    sweepSoon();
                }
                return;
            }
            if (state.compareAndSet(before, before.begun(next))) {
                threads.execute(() -> run(next));
            }
        }
    }

    /** False if the statement was ended before it was planned. */
    private boolean run(Entry entry) {
        long begun = clock.monotonicNanos();
        try {
            FulmarException over = over(entry.claim);
            if (over != null) {
                refuse(entry, over);
                return true;
            }
            PlanningTurn.within(entry, () -> {
                entry.planning.run();
                return true;
            });
            (entry.end == null ? planned : refused).incrementAndGet();
            return entry.end == null;
        } finally {
            nanos.addAndGet(clock.monotonicNanos() - begun);
            State before;
            do {
                before = state.get();
            } while (!state.compareAndSet(before, before.ended(entry)));
            dispatch();
        }
    }

    private void refuse(Entry entry, FulmarException why) {
        refused.incrementAndGet();
        entry.refusal.accept(why);
    }

    private @Nullable FulmarException over(PlanningClaim claim) {
        if (claim.isLate(clock.monotonicNanos())) {
            return new FulmarException(
                    ErrorCode.TIMEOUT,
                    "the statement was not planned before its time was over, and had no effect; simplify it, or raise"
                            + " the time-out");
        }
        return claim.abandoned();
    }

    private void sweepSoon() {
        if (sweeps.compareAndSet(false, true)) {
            scheduler.schedule(SWEEP_NANOS, this::sweep);
        }
    }

    /** Refuses statements that wait in vain, without waiting for their turn. */
    private void sweep() {
        for (Entry entry : state.get().waiting) {
            FulmarException over = over(entry.claim);
            if (over != null && takeAway(entry)) {
                refuse(entry, over);
            }
        }
        sweeps.set(false);
        if (!state.get().waiting.isEmpty()) {
            sweepSoon();
        }
    }

    /** Removes an entry from those that wait; false if it has begun meanwhile. */
    private boolean takeAway(Entry entry) {
        while (true) {
            State before = state.get();
            if (!before.waiting.contains(entry)) {
                return false;
            }
            if (state.compareAndSet(before, before.gone(entry))) {
                return true;
            }
        }
    }

    /** Counts and times of planning so far. */
    public PlanningFigures figures() {
        State now = state.get();
        return new PlanningFigures(planned.get(), refused.get(), nanos.get(), now.waiting.size(), now.running.size());
    }
}
