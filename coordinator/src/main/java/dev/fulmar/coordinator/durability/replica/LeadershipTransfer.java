package dev.fulmar.coordinator.durability.replica;

import dev.fulmar.coordinator.membership.leadership.LeadershipEvent;
import dev.fulmar.coordinator.replication.ReplicaProtocol;
import dev.fulmar.coordinator.transaction.PartitionRuntime;
import dev.fulmar.engine.partition.Partition;
import org.jspecify.annotations.Nullable;

/**
 * Transfer of leadership from a primary to another copy, because its process is about to end, or because the assignment
 * prefers the other's node. The primary takes no more requests, finishes those that it has, and gives the term away
 * once all of them are safe. So no request has an unknown outcome, and its own log has nothing that the next primary's
 * has not. For the partition's thread, but for {@link #isUnderWay}.
 */
final class LeadershipTransfer {
    /**
     * After that a process that is about to end gives the term away whatever is under way, as if it had died. One that
     * stays takes requests again.
     */
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
    void look(
            ReplicaProtocol replicaProtocol,
            boolean serves,
            @Nullable PartitionRuntime runtime,
            ReplicaEnvironment environment,
            long nowNanos) {
        boolean isWanted = serves && replicaProtocol.isToHandOver();
        if (isWanted && !isUnderWay) {
            sinceNanos = nowNanos;
            ticket = replicaProtocol.ticket();
        }
        isUnderWay = isWanted;
        if (!isWanted) {
            return;
        }
        boolean isConfirmed = replicaProtocol.safeNumber() >= ticket;
        if (isConfirmed && replicaProtocol.isSettled() && isQuiet(runtime, environment)) {
            replicaProtocol.take(new LeadershipEvent.TransferAsked());
        } else if (nowNanos - sinceNanos >= PATIENCE_NANOS) {
            replicaProtocol.take(new LeadershipEvent.TransferLate(isConfirmed));
        }
    }

    /** Whether nothing is under way that has begun here. */
    private static boolean isQuiet(@Nullable PartitionRuntime runtime, ReplicaEnvironment environment) {
        if (runtime == null) {
            return environment.isCatalogCalm();
        }
        Partition partition = runtime.partition();
        return partition.isQuiescent() && partition.inbox().isEmpty();
    }
}
