package dev.fulmar.engine.partition;

import dev.fulmar.engine.partition.counter.SiteCounters;
import dev.fulmar.foundation.agent.Agent;
import dev.fulmar.foundation.time.Clock;
import java.util.List;

/** A thread's share of the partitions: gives each a bounded turn, again and again. */
public final class Site implements Agent {
    /** Messages that a partition handles before the site's next partition gets its turn. */
    private static final int TURN_LIMIT = 64;

    private final int number;
    private final Clock clock;
    private final List<PartitionExecutor> executors;
    private final ReplyBatch replies;
    private final SiteCounters counters = new SiteCounters();

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
        for (int i = 0; i < executors.size(); i++) {
            handled += executors.get(i).run(TURN_LIMIT);
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
