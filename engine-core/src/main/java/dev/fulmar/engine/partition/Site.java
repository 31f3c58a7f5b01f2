package dev.fulmar.engine.partition;

import dev.fulmar.engine.partition.counter.SiteCounters;
import dev.fulmar.engine.spi.SliceHaste;
import dev.fulmar.foundation.agent.Agent;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.schedule.Scheduler;
import dev.fulmar.foundation.time.Clock;
import java.util.Arrays;
import java.util.List;

/**
 * The partitions that one thread runs. The site gives each a bounded turn, again and again, and long reading its share
 * of the time. A partition may move to another site, which costs as much for a large one as for a small one. Invariant:
 * a partition is one site's at a time, and its thread's alone; on its way it is no site's.
 */
public final class Site implements Agent {
    /** Slices without a request between them after which more of them are taken for likely. */
    private static final int FEW_SLICES = 3;

    /** Messages that a partition handles before the site's next partition gets its turn. */
    private static final int TURN_LIMIT = 16;

    private final int number;
    private final Clock clock;
    private final Scheduler scheduler;
    /** Replaced, never changed, by the site's thread. */
    private volatile SitePartition[] partitions;

    private final SiteMoves moves = new SiteMoves();
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

    private volatile Runnable waker = () -> {};

    /** A timer will bring the site back. */
    private volatile boolean timerRuns;

    /**
     * @param scheduler wakes the site when long reading has waited enough
     * @param partitions those that it runs first; their outlets lead to the batch
     * @param replies the batch into which the gates of its partitions let replies out
     */
    public Site(int number, Clock clock, Scheduler scheduler, List<SitePartition> partitions, ReplyBatch replies) {
        this.number = number;
        this.clock = clock;
        this.scheduler = scheduler;
        this.pace = new SlicePace(clock.monotonicNanos());
        this.partitions = partitions.toArray(SitePartition[]::new);
        this.replies = replies;
    }

    @Override
    public int doWork() {
        long startNanos = clock.monotonicNanos();
        if (moves.isUnderWay()) {
            move();
        }
        SitePartition[] all = partitions;
        int handled = 0;
        boolean worked = false;
        for (int i = all.length; i > 0 && !replies.isFull(); i--) {
            PartitionExecutor executor = all[next].executor();
            handled += executor.run(TURN_LIMIT);
            worked |= executor.hasWorked();
            next = next + 1 == all.length ? 0 : next + 1;
        }
        for (SitePartition partition : all) {
            partition.executor().endTurn();
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
        SitePartition[] all = partitions;
        int place = nextReader;
        for (int i = all.length; i > 0; i--) {
            if (all[place].executor().isReading()) {
                return place;
            }
            place = place + 1 == all.length ? 0 : place + 1;
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
        SitePartition[] all = partitions;
        nextReader = reader + 1 == all.length ? 0 : reader + 1;
        SliceHaste haste = all[reader].executor().runSlice();
        replies.flush();
        long endNanos = clock.monotonicNanos();
        pace.ran(nowNanos, endNanos, haste);
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
        for (SitePartition partition : partitions) {
            if (partition.executor().partition().inbox().mayTakeLong()) {
                return true;
            }
        }
        return moves.isDue();
    }

    /**
     * Ends the idle wait of the site's thread by the given means whenever there is something to do. Called before the
     * site starts.
     */
    public void wakeWith(Runnable newWaker) {
        waker = newWaker;
        for (SitePartition partition : partitions) {
            partition.executor().partition().inbox().wakeWith(newWaker);
        }
    }

    /**
     * Gives the partition, which is here or on its way, to the other site as soon as nothing ties it to this one's
     * thread. Any thread.
     *
     * @param moved run once the other site has it, on that site's thread; or once the node ends, on some thread
     */
    public void give(PartitionId partition, Site target, Runnable moved) {
        moves.depart(new SiteMoves.PendingMove(partition, target, moved));
        waker.run();
    }

    /** Gives and takes the partitions whose time has come. Who arrives has a turn before it leaves. */
    private void move() {
        moves.giveDepartures(this::leave);
        moves.takeArrivals(arrival -> {
            arrival.partition().outlet().moveTo(replies);
            SitePartition[] more = Arrays.copyOf(partitions, partitions.length + 1);
            more[partitions.length] = arrival.partition();
            runs(more);
            arrival.moved().run();
        });
    }

    private void runs(SitePartition[] all) {
        partitions = all;
        next = 0;
        nextReader = 0;
    }

    /** Whether the departure is over, one way or the other. */
    private boolean leave(SiteMoves.PendingMove departure) {
        SitePartition leaving = Arrays.stream(partitions)
                .filter(one -> one.executor().partition().id().equals(departure.partition))
                .findFirst()
                .orElse(null);
        if (leaving == null) {
            return false; // it has yet to arrive
        }
        if (departure.target == this) {
            departure.moved.run();
            return true;
        }
        Partition partition = leaving.executor().partition();
        ThreadTies ties = partition.threadTies();
        ties.loosen();
        if (ties.isTied()) {
            return false;
        }
        if (!partition.isQuiescent()) {
            if (!departure.isAsked) {
                departure.isAsked = true;
                partition.whenQuiescent(itself -> {
                    if (!departure.isOver) {
                        itself.threadTies().stop();
                    }
                });
            }
            return false;
        }
        departure.isOver = true;
        ties.moved();
        runs(Arrays.stream(partitions).filter(one -> !one.equals(leaving)).toArray(SitePartition[]::new));
        departure.target.take(leaving, departure.moved);
        return true;
    }

    /** The partition is this site's from now on. Any thread. */
    private void take(SitePartition coming, Runnable moved) {
        coming.executor().partition().inbox().wakeWith(waker);
        if (!moves.arrive(new SiteMoves.Arrival(coming, moved))) {
            coming.executor().close();
            moved.run();
        }
        waker.run();
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
        moves.close(arrival -> {
            arrival.partition().outlet().moveTo(replies);
            arrival.partition().executor().close();
            arrival.moved().run();
        });
        for (SitePartition partition : partitions) {
            partition.executor().close();
        }
        replies.flush();
    }

    public int number() {
        return number;
    }

    /** The partitions that it runs now. Any thread. */
    public List<PartitionExecutor> executors() {
        return Arrays.stream(partitions).map(SitePartition::executor).toList();
    }

    public SiteCounters counters() {
        return counters;
    }
}
