package dev.fulmar.coordinator.replication.building;

import dev.fulmar.coordinator.membership.CopyId;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.id.NodeId;

/**
 * Generations ("lives") for the copies of one process: each is above all that earlier processes of the node gave, for
 * their incarnations were lower. Every copy's life comes from here.
 */
public final class ReplicaGenerations {
    private ReplicaGenerations() {}

    /**
     * The next life.
     *
     * @param incarnation of the process
     * @param before the last life that is known of a copy of the partition on this node, 0 if there is none
     */
    public static CopyId next(NodeId node, long incarnation, long before) {
        Invariants.check(
                incarnation > 0 && incarnation < Long.MAX_VALUE >> CopyId.COUNT_BITS, "incarnations count from 1");
        long first = incarnation << CopyId.COUNT_BITS;
        long life = Math.max(first, before + 1);
        Invariants.check(life >> CopyId.COUNT_BITS == incarnation, "no process gives lives of a later one");
        return new CopyId(node, life);
    }
}
