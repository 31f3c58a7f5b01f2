package dev.fulmar.coordinator.durability.log;

import dev.fulmar.coordinator.durability.environment.DurabilityMode;
import dev.fulmar.engine.partition.CommitGate;
import dev.fulmar.engine.partition.Partition;
import dev.fulmar.engine.partition.ReplyOutlet;
import dev.fulmar.engine.partition.counter.LatencyHistogram;
import dev.fulmar.foundation.error.FulmarException;
import java.util.concurrent.atomic.AtomicInteger;

/** Gate that holds the replies, votes and decisions of one partition until the log before them is durable. */
public final class DurableGate implements CommitGate {
    private final ReplyOutlet outlet;
    private final boolean repliesWait;
    private final DurableLog log;

    private final GatedReplies held = new GatedReplies();

    /** Waiting times of what was held, for one at a time. */
    private final LatencyHistogram waits = new LatencyHistogram();

    /** Written by the partition's thread only. */
    private final AtomicInteger count = new AtomicInteger();

    public DurableGate(ReplyOutlet outlet, DurabilityMode mode, DurableLog log) {
        this.outlet = outlet;
        this.repliesWait = mode == DurabilityMode.SYNC;
        this.log = log;
    }

    /** Number of replies, votes and decisions that are held. Any thread. */
    public int heldCount() {
        return count.get();
    }

    /** Waiting times of what was held, of a sample. Any thread may read. */
    public LatencyHistogram waits() {
        return waits;
    }

    @Override
    public void hold(Partition partition, long logPosition, GatedReply gatedReply) {
        if (repliesWait || log.failure() != null) {
            holdVote(partition, logPosition, gatedReply);
        } else {
            gatedReply.leave(outlet.replies());
        }
    }

    @Override
    public void letOut(GatedReply gatedReply) {
        gatedReply.leave(outlet.replies());
    }

    @Override
    public void holdVote(Partition partition, long logPosition, GatedReply gatedReply) {
        if (held.isEmpty() && logPosition <= log.durablePosition(partition)) {
            gatedReply.leave(outlet.replies());
            return;
        }
        held.add(logPosition, gatedReply);
        if (held.wantsSample()) {
            held.beginSample(partition.clock().monotonicNanos());
        }
        count.lazySet(count.getPlain() + 1);
    }

    @Override
    public int release(Partition partition) {
        if (held.isEmpty()) {
            return 0;
        }
        FulmarException failure = log.failure();
        long durable = log.durablePosition(partition);
        int released = 0;
        while (!held.isEmpty() && held.firstPosition() <= durable) {
            held.removeFirst().leave(outlet.replies());
            released++;
        }
        if (held.sampleHasLeft()) {
            waits.record(partition.clock().monotonicNanos() - held.endSample());
        }
        while (failure != null && !held.isEmpty()) {
            held.removeFirst().lost(failure, outlet.replies());
            released++;
        }
        count.lazySet(count.getPlain() - released);
        return released;
    }
}
