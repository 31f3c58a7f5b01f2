package dev.fulmar.coordinator.durability;

import dev.fulmar.engine.partition.CommitGate;
import dev.fulmar.engine.partition.Partition;
import dev.fulmar.engine.partition.ReplyBatch;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Holds what leaves the partitions of one site until all copies that count have confirmed a group that was closed after
 * it. That includes this node's own log. Before a copy takes part in the cluster another gate counts.
 */
final class HostedGate implements CommitGate {
    private static final FulmarException DEPOSED = new FulmarException(
            ErrorCode.OUTCOME_UNKNOWN,
            "another node serves the partition now, and nobody knows yet whether it has the transaction; send the request again"
                    + " with the same handle to learn its outcome");

    private final ReplyBatch replies;
    private final CommitGate before;
    private final HostedCopies copies;
    private final DurableLog log;

    /** By partition number; null for partitions of other sites. */
    private final @Nullable HeldDepartures[] held;

    /** Written by the site's thread only. */
    private final AtomicInteger count = new AtomicInteger();

    HostedGate(ReplyBatch replies, CommitGate before, HostedCopies copies, DurableLog log, int partitions) {
        this.replies = replies;
        this.before = before;
        this.copies = copies;
        this.log = log;
        this.held = new HeldDepartures[partitions];
    }

    /** How much is held. Any thread. */
    int heldCount() {
        return count.get();
    }

    @Override
    public void hold(Partition partition, long logPosition, Departure departure) {
        HostedCopy copy = copies.of(partition.id());
        if (!copy.isJoined()) {
            before.hold(partition, logPosition, departure);
        } else {
            holdJoined(partition, copy, departure);
        }
    }

    @Override
    public void holdVote(Partition partition, long logPosition, Departure departure) {
        HostedCopy copy = copies.of(partition.id());
        if (!copy.isJoined()) {
            before.holdVote(partition, logPosition, departure);
        } else {
            holdJoined(partition, copy, departure);
        }
    }

    private void holdJoined(Partition partition, HostedCopy copy, Departure departure) {
        if (!copy.leads()) {
            departure.lost(DEPOSED, replies);
            return;
        }
        int number = partition.id().number();
        HeldDepartures waiting = held[number];
        if (waiting == null) {
            waiting = new HeldDepartures();
            held[number] = waiting;
        }
        waiting.add(copy.ticket(), departure);
        count.lazySet(count.getPlain() + 1);
    }

    @Override
    public void letOut(Departure departure) {
        departure.leave(replies);
    }

    @Override
    public int release(Partition partition) {
        HostedCopy copy = copies.of(partition.id());
        int done = copies.work(partition) + before.release(partition);
        HeldDepartures waiting = held[partition.id().number()];
        boolean isLost = copy.takeLoss();
        if (waiting == null || waiting.isEmpty()) {
            return done;
        }
        int released = 0;
        FulmarException failure = log.failure();
        FulmarException cause = isLost ? DEPOSED : failure;
        long safe = isLost ? -1 : copy.safeNumber();
        while (!waiting.isEmpty() && waiting.firstPosition() <= safe) {
            waiting.removeFirst().leave(replies);
            released++;
        }
        while (cause != null && !waiting.isEmpty()) {
            waiting.removeFirst().lost(cause, replies);
            released++;
        }
        count.lazySet(count.getPlain() - released);
        return done + released;
    }
}
