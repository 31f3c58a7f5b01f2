package dev.fulmar.coordinator.durability.log;

import dev.fulmar.coordinator.durability.environment.DurabilityMode;
import dev.fulmar.engine.partition.CommitGate;
import dev.fulmar.engine.partition.Partition;
import dev.fulmar.engine.partition.ReplyBatch;
import dev.fulmar.engine.partition.counter.LatencyHistogram;
import dev.fulmar.foundation.error.FulmarException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Gate that holds the replies, votes and decisions of one site's partitions until the log before them is durable. */
public final class DurableGate implements CommitGate {
    private final ReplyBatch replies;
    private final boolean repliesWait;
    private final DurableLog log;

    /** By partition number; null for partitions of other sites. */
    private final @Nullable GatedReplies[] held;

    /** Waiting times of what was held, for one at a time of each partition. */
    private final LatencyHistogram waits = new LatencyHistogram();

    /** Written by the site's thread only. */
    private final AtomicInteger count = new AtomicInteger();

    public DurableGate(ReplyBatch replies, DurabilityMode mode, DurableLog log, int partitions) {
        this.replies = replies;
        this.repliesWait = mode == DurabilityMode.SYNC;
        this.log = log;
        this.held = new GatedReplies[partitions];
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
            gatedReply.leave(replies);
        }
    }

    @Override
    public void letOut(GatedReply gatedReply) {
        gatedReply.leave(replies);
    }

    @Override
    public void holdVote(Partition partition, long logPosition, GatedReply gatedReply) {
        GatedReplies waiting = held[partition.id().number()];
        boolean isFirst = waiting == null || waiting.isEmpty();
        if (isFirst && logPosition <= log.durablePosition(partition)) {
            gatedReply.leave(replies);
            return;
        }
        if (waiting == null) {
            waiting = new GatedReplies();
            held[partition.id().number()] = waiting;
        }
        waiting.add(logPosition, gatedReply);
        if (waiting.wantsSample()) {
            waiting.beginSample(partition.clock().monotonicNanos());
        }
        count.lazySet(count.getPlain() + 1);
    }

    @Override
    public int release(Partition partition) {
        GatedReplies waiting = held[partition.id().number()];
        if (waiting == null || waiting.isEmpty()) {
            return 0;
        }
        FulmarException failure = log.failure();
        long durable = log.durablePosition(partition);
        int released = 0;
        while (!waiting.isEmpty() && waiting.firstPosition() <= durable) {
            waiting.removeFirst().leave(replies);
            released++;
        }
        if (waiting.sampleHasLeft()) {
            waits.record(partition.clock().monotonicNanos() - waiting.endSample());
        }
        while (failure != null && !waiting.isEmpty()) {
            waiting.removeFirst().lost(failure, replies);
            released++;
        }
        count.lazySet(count.getPlain() - released);
        return released;
    }
}
