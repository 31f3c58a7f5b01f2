package dev.fulmar.engine.partition;

import dev.fulmar.engine.partition.counter.SiteCounters;
import dev.fulmar.foundation.agent.Agent;
import dev.fulmar.foundation.schedule.Scheduler;
import dev.fulmar.foundation.time.Clock;
import java.util.List;

/**
 * The partitions that one thread runs. The site gives each a bounded turn, again and again, and long reading its share
 * of the time.
 */
public final class Site implements Agent {
    /** Slices without a request between them after which more of them are taken for likely. */
    private static final int FEW_SLICES = 3;

    /** Messages that a partition handles before the site's next partition gets its turn. */
    private static final int TURN_LIMIT = 16;

    private final int number;
    private final Clock clock;
    private final Scheduler scheduler;
    private final List<PartitionExecutor> executors;
    private final ReplyBatch replies;
    private final SiteCounters counters = new SiteCounters();

    /** Whose turn is next. */
    private int next;

    private final SlicePace pace;

    /** Whose slice is next. */
    private int nextReader;

    /** Turns in a row in which there was a slice, and nothing else. */
    private int slicesAlone;

    /** Slice follows slice: who brings requests, and runs the site in between, must see to them. */
    private volatile boolean readsOn;

    private Runnable waker = () -> {};

    /** A timer will bring the site back. */
    private volatile boolean timerRuns;

    /**
     * @param scheduler wakes the site when long reading has waited enough
     * @param replies the batch into which the executors' gate lets replies out
     */
    public Site(int number, Clock clock, Scheduler scheduler, List<PartitionExecutor> executors, ReplyBatch replies) {
        this.number = number;
        this.clock = clock;
        this.scheduler = scheduler;
        this.pace = new SlicePace(clock.monotonicNanos());
        this.executors = List.copyOf(executors);
        this.replies = replies;
    }

    @Override
    public int doWork() {
        long startNanos = clock.monotonicNanos();
        int handled = 0;
        boolean worked = false;
        for (int i = executors.size(); i > 0 && !replies.isFull(); i--) {
            PartitionExecutor executor = executors.get(next);
            handled += executor.run(TURN_LIMIT);
            worked |= executor.hasWorked();
            next = next + 1 == executors.size() ? 0 : next + 1;
        }
        for (int i = 0; i < executors.size(); i++) {
            executors.get(i).endTurn();
        }
        replies.flush();
        long nowNanos = handled > 0 ? clock.monotonicNanos() : startNanos;
        if (worked) {
            pace.worked(nowNanos, nowNanos - startNanos);
        }
        int reader = findReader();
        int slices = reader >= 0 ? readOn(reader, nowNanos, handled == 0) : 0;
        slicesAlone = handled == 0 && slices > 0 ? slicesAlone + 1 : 0;
        boolean goesOn = slicesAlone > FEW_SLICES;
        if (goesOn != readsOn) { // a volatile write in each turn would be a fence in each turn
            readsOn = goesOn;
        }
        handled += slices;
        if (handled > 0) {
            counters.busyTurns.increment();
            counters.busyNanos.add(nowNanos - startNanos);
            counters.handled.add(handled);
        } else {
            counters.idleTurns.increment();
        }
        return handled;
    }

    /**
     * Place of a partition with long reading that waits for its next slice, each in turn; negative if there is none.
     */
    private int findReader() {
        int place = nextReader;
        for (int i = executors.size(); i > 0; i--) {
            if (executors.get(place).isReading()) {
                return place;
            }
            place = place + 1 == executors.size() ? 0 : place + 1;
        }
        return -1;
    }

    /** Runs a slice if it is time for one; returns how many ran. */
    private int readOn(int reader, long nowNanos, boolean mayFallAsleep) {
        long delayNanos = pace.delayNanos(nowNanos);
        if (delayNanos > 0) {
            if (mayFallAsleep && !timerRuns) {
                timerRuns = true;
                scheduler.schedule(pace.timerNanos(delayNanos), this::timeIsUp);
            }
            return 0;
        }
        nextReader = reader + 1 == executors.size() ? 0 : reader + 1;
        boolean isUrgent = executors.get(reader).runSlice();
        replies.flush();
        long endNanos = clock.monotonicNanos();
        pace.ran(nowNanos, endNanos, isUrgent);
        counters.busyNanos.add(endNanos - nowNanos);
        counters.sliceNanos.add(endNanos - nowNanos);
        return 1;
    }

    /** On the scheduler's thread. */
    private void timeIsUp() {
        timerRuns = false;
        waker.run();
    }

    /**
     * Whether one of the partitions has work that is not known to be quick, or long reading goes on with nothing
     * between its slices. That looks the same if nothing comes and if whoever brings requests runs the site instead.
     */
    @Override
    public boolean mayTakeLong() {
        if (readsOn) {
            return true;
        }
        for (int i = 0; i < executors.size(); i++) {
            if (executors.get(i).partition().inbox().mayTakeLong()) {
                return true;
            }
        }
        return false;
    }

    /**
     * Ends the idle wait of the site's thread by the given means whenever there is something to do. Called before the
     * site starts.
     */
    public void wakeWith(Runnable newWaker) {
        waker = newWaker;
        for (PartitionExecutor executor : executors) {
            executor.partition().inbox().wakeWith(newWaker);
        }
    }

    /** Ends the idle wait of the site's thread: it takes a turn though there may be nothing to do. Any thread. */
    public void wake() {
        waker.run();
    }

    @Override
    public String roleName() {
        return "site-" + number;
    }

    @Override
    public void onClose() {
        for (PartitionExecutor executor : executors) {
            executor.close();
        }
        replies.flush();
    }

    public int number() {
        return number;
    }

    public List<PartitionExecutor> executors() {
        return executors;
    }

    public SiteCounters counters() {
        return counters;
    }
}
