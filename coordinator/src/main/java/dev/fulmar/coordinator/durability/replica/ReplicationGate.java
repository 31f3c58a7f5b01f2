package dev.fulmar.coordinator.durability.replica;

import dev.fulmar.coordinator.durability.log.DurableLog;
import dev.fulmar.coordinator.durability.log.GatedReplies;
import dev.fulmar.engine.partition.CommitGate;
import dev.fulmar.engine.partition.Partition;
import dev.fulmar.engine.partition.ReplyOutlet;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Gate that holds the replies, votes and decisions of one partition until all copies that count have confirmed a group
 * closed after them. That includes this node's own log. Before a copy takes part in the cluster another gate
 * counts.
 */
public final class ReplicationGate implements CommitGate {
    private static final FulmarException DEPOSED = new FulmarException(
            ErrorCode.OUTCOME_UNKNOWN,
            "another node serves the partition now, and nobody knows yet whether it has the transaction; send the request again"
                    + " with the same handle to learn its outcome");

    private final ReplyOutlet outlet;
    private final CommitGate before;
    private final PartitionReplicas copies;
    private final DurableLog log;

    private final GatedReplies held = new GatedReplies();

    /** Written by the partition's thread only. */
    private final AtomicInteger count = new AtomicInteger();

    public ReplicationGate(ReplyOutlet outlet, CommitGate before, PartitionReplicas copies, DurableLog log) {
        this.outlet = outlet;
        this.before = before;
        this.copies = copies;
        this.log = log;
    }

    /** Number of replies, votes and decisions that are held. Any thread. */
    public int heldCount() {
        return count.get();
    }

    @Override
    public void hold(Partition partition, long logPosition, GatedReply gatedReply) {
        PartitionReplica copy = copies.of(partition.id());
        if (!copy.isJoined()) {
            before.hold(partition, logPosition, gatedReply);
        } else {
            holdJoined(copy, gatedReply);
        }
    }

    @Override
    public void holdVote(Partition partition, long logPosition, GatedReply gatedReply) {
        PartitionReplica copy = copies.of(partition.id());
        if (!copy.isJoined()) {
            before.holdVote(partition, logPosition, gatedReply);
        } else {
            holdJoined(copy, gatedReply);
        }
    }

    private void holdJoined(PartitionReplica copy, GatedReply gatedReply) {
        if (!copy.leads()) {
            gatedReply.lost(DEPOSED, outlet.replies());
            return;
        }
        held.add(copy.ticket(), gatedReply);
        if (Invariants.EXPENSIVE) {
            Invariants.check(
                    held.endsInOrder(), "a primary's reply waits for no earlier group than the replies before it");
        }
        count.lazySet(count.getPlain() + 1);
    }

    @Override
    public void letOut(GatedReply gatedReply) {
        gatedReply.leave(outlet.replies());
    }

    @Override
    public int release(Partition partition) {
        PartitionReplica copy = copies.of(partition.id());
        int done = before.release(partition);
        boolean isLost = copy.takeLoss();
        if (held.isEmpty()) {
            return done;
        }
        int released = 0;
        FulmarException failure = log.failure();
        FulmarException cause = isLost ? DEPOSED : failure;
        long safe = isLost ? -1 : copy.safeNumber();
        while (!held.isEmpty() && held.firstPosition() <= safe) {
            held.removeFirst().leave(outlet.replies());
            released++;
        }
        while (cause != null && !held.isEmpty()) {
            held.removeFirst().lost(cause, outlet.replies());
            released++;
        }
        count.lazySet(count.getPlain() - released);
        return done + released;
    }
}
