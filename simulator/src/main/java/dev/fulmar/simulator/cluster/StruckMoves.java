package dev.fulmar.simulator.cluster;

import dev.fulmar.coordinator.durability.replica.PartitionReplica;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.id.PartitionId;
import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;

/** Counter of faults that met a move: one of their nodes led its source or its destination at that moment. */
final class StruckMoves {
    private final SimulatedCluster cluster;
    private int count;

    StruckMoves(SimulatedCluster cluster) {
        this.cluster = cluster;
    }

    int count() {
        return count;
    }

    /** Nodes that lead the source or the destination of a move under way. To be asked before the fault. */
    Set<NodeId> moving() {
        Set<NodeId> moving = new TreeSet<>();
        if (cluster.scenario().movesKeys()) {
            for (SimulatedNode node : cluster.nodes()) {
                if (node.hasBegun() && leadsAMove(node)) {
                    moving.add(node.node());
                }
            }
        }
        return moving;
    }

    /** Whether a bucket of a partition that the node leads is cut, copied for another one, or staged. */
    private boolean leadsAMove(SimulatedNode node) {
        for (int partition = 0; partition < cluster.scenario().partitions(); partition++) {
            PartitionReplica replica = node.database().copies().of(new PartitionId(partition));
            if (replica.leads() && replica.runtime().storage().moves().isUnderWay()) {
                return true;
            }
        }
        return false;
    }

    /** A fault of the nodes has had its effect. */
    void met(Set<NodeId> moving, Collection<NodeId> struck) {
        if (struck.stream().anyMatch(moving::contains)) {
            count++;
        }
    }
}
