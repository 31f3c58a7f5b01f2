package dev.fulmar.engine.partition;

import dev.fulmar.engine.partition.counter.SiteCounters;
import dev.fulmar.foundation.agent.Agent;
import dev.fulmar.foundation.time.Clock;
import java.util.List;

/** A thread's share of the partitions: gives each a bounded turn, again and again. */
public final class Site implements Agent {
    /** Messages that a partition handles before the site's next partition gets its turn. */
    private static final int TURN_LIMIT = 16;

    private final int number;
    private final Clock clock;
    private final List<PartitionExecutor> executors;
    private final ReplyBatch replies;
    private final SiteCounters counters = new SiteCounters();

    /** Whose turn is next. */
    private int next;

    /**
     * @param replies the batch into which the executors' gate lets replies out
     */
    public Site(int number, Clock clock, List<PartitionExecutor> executors, ReplyBatch replies) {
        this.number = number;
        this.clock = clock;
        this.executors = List.copyOf(executors);
        this.replies = replies;
    }

    @Override
    public int doWork() {
        long startNanos = clock.monotonicNanos();
        int handled = 0;
        for (int i = executors.size(); i > 0 && !replies.isFull(); i--) {
            handled += executors.get(next).run(TURN_LIMIT);
            next = next + 1 == executors.size() ? 0 : next + 1;
        }
        for (int i = 0; i < executors.size(); i++) {
            executors.get(i).endTurn();
        }
        boolean busy = handled > 0;
        for (int i = 0; i < executors.size(); i++) {
            handled += executors.get(i).runSlice(busy);
        }
        replies.flush();
        if (handled > 0) {
            counters.busyTurns.increment();
            counters.busyNanos.add(clock.monotonicNanos() - startNanos);
            counters.handled.add(handled);
        } else {
            counters.idleTurns.increment();
        }
        return handled;
    }

    /** Whether one of the partitions has work that is not known to be quick. */
    @Override
    public boolean mayTakeLong() {
        for (int i = 0; i < executors.size(); i++) {
            if (executors.get(i).partition().inbox().mayTakeLong()) {
                return true;
            }
        }
        return false;
    }

    /** Ends the idle wait of the site's thread by the given means whenever a message arrives. */
    public void wakeWith(Runnable waker) {
        for (PartitionExecutor executor : executors) {
            executor.partition().inbox().wakeWith(waker);
        }
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
