package dev.fulmar.coordinator.replication;

import dev.fulmar.coordinator.membership.CopyId;
import dev.fulmar.coordinator.membership.PartitionRecord;
import dev.fulmar.foundation.id.NodeId;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;

/**
 * Succession in a partition all of whose copies in sync ended as the nodes restarted, for copies that do not keep what
 * they confirmed. Once the node of each of them has said that it has another one now, none can come back, and the one
 * with the longest log of the latest term goes on. As long as one has not said so nothing happens: it may have more. So
 * every node says it, whatever came of its copy: one that was given up, to be built from a primary, has nothing and
 * begins nothing, but else a copy that could begin would wait for it, and it for a primary.
 */
final class Succession {
    private static final Comparator<ReplicationMessage.Replaces> BY_LOG = Comparator.comparingLong(
                    ReplicationMessage.Replaces::lastEpoch)
            .thenComparingLong(ReplicationMessage.Replaces::end)
            .thenComparing(claim -> claim.copy().node(), Comparator.reverseOrder());

    private final Map<NodeId, ReplicationMessage.Replaces> claims = new TreeMap<>();
    private boolean hasTold;
    private long toldNanos;

    /** A node has another copy. */
    void heard(ReplicationMessage.Replaces claim) {
        claims.merge(
                claim.copy().node(),
                claim,
                (before, next) -> next.copy().life() >= before.copy().life() ? next : before);
    }

    /** Whether the own copy is to go on. */
    boolean isDue(ReplicationMessage.Replaces own, PartitionRecord record) {
        ReplicationMessage.Replaces best = own;
        boolean isOneOfThem = false;
        for (CopyId ended : record.inSync()) {
            boolean isOwn = ended.node().equals(own.copy().node());
            ReplicationMessage.Replaces claim = isOwn ? own : claims.get(ended.node());
            if (claim == null || claim.epoch() != record.epoch() || claim.copy().life() <= ended.life()) {
                return false;
            }
            isOneOfThem |= isOwn;
            best = !hasNothing(claim) && BY_LOG.compare(claim, best) > 0 ? claim : best;
        }
        return isOneOfThem && best.equals(own);
    }

    /**
     * It may have been given up and begin nothing, so no copy leaves it the first word. Several that have nothing may
     * propose themselves: the compare-and-set decides.
     */
    private static boolean hasNothing(ReplicationMessage.Replaces claim) {
        return claim.lastEpoch() == 0 && claim.end() == 0;
    }

    /** Whether it is time to tell the others once more. */
    boolean mayTell(long nowNanos, long pauseNanos) {
        boolean may = !hasTold || nowNanos - toldNanos >= pauseNanos;
        if (may) {
            hasTold = true;
            toldNanos = nowNanos;
        }
        return may;
    }
}
