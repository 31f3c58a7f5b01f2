package dev.fulmar.coordinator.durability.replica;

import dev.fulmar.coordinator.membership.leadership.LeadershipEvent;
import dev.fulmar.coordinator.replication.ReplicaProtocol;
import dev.fulmar.coordinator.transaction.PartitionRuntime;
import dev.fulmar.engine.partition.Partition;
import org.jspecify.annotations.Nullable;

/**
 * Transfer of leadership from a primary whose process is about to end to another copy. The primary takes no more
 * requests, finishes those that it has, and gives the term away once all of them are safe. So no request has an unknown
 * outcome, and its own log has nothing that the next primary's has not. For the partition's thread, but for
 * {@link #isUnderWay}.
 */
final class LeadershipTransfer {
    /** After that it gives the term away whatever is under way, as if it had died. */
    private static final long PATIENCE_NANOS = 200_000_000;

    private volatile boolean isUnderWay;
    private long sinceNanos;
    private long ticket;

    /** Whether requests are for the next primary. For any thread. */
    boolean isUnderWay() {
        return isUnderWay;
    }

    /**
     * To be called in each turn.
     *
     * @param runtime null for the catalog
     */
    void look(ReplicaProtocol replicaProtocol, boolean serves, @Nullable PartitionRuntime runtime, long nowNanos) {
        boolean isWanted = serves && replicaProtocol.isToHandOver();
        if (isWanted && !isUnderWay) {
            sinceNanos = nowNanos;
            ticket = replicaProtocol.ticket();
        }
        isUnderWay = isWanted;
        if (isWanted
                && replicaProtocol.safeNumber() >= ticket
                && (isDone(replicaProtocol, runtime) || isLate(nowNanos))) {
            replicaProtocol.take(new LeadershipEvent.TransferAsked());
        }
    }

    private boolean isLate(long nowNanos) {
        return nowNanos - sinceNanos >= PATIENCE_NANOS;
    }

    private static boolean isDone(ReplicaProtocol replicaProtocol, @Nullable PartitionRuntime runtime) {
        if (runtime == null) {
            return replicaProtocol.isSettled();
        }
        Partition partition = runtime.partition();
        return replicaProtocol.isSettled()
                && partition.isQuiescent()
                && partition.inbox().isEmpty();
    }
}
