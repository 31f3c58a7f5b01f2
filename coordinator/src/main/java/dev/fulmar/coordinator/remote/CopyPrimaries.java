package dev.fulmar.coordinator.remote;

import dev.fulmar.coordinator.cluster.Topology;
import dev.fulmar.coordinator.durability.replica.PartitionReplicas;
import dev.fulmar.coordinator.durability.replica.ReplicaStatus;
import dev.fulmar.coordinator.membership.PartitionRecord;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.id.PartitionId;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * {@link PrimaryMap} of a cluster with copies: this node leads a partition if its replica serves, else the node that
 * {@link Topology} names.
 *
 * @param topology null while the process has no place in its cluster
 */
record CopyPrimaries(NodeId self, PartitionReplicas copies, Supplier<@Nullable Topology> topology)
        implements PrimaryMap {
    @Override
    public @Nullable NodeId primaryOf(PartitionId partition) {
        if (status(partition).serves()) {
            return self;
        }
        Topology known = topology.get();
        NodeId node = known == null ? null : known.primaryOf(partition);
        return self.equals(node) ? null : node;
    }

    @Override
    public long epochOf(PartitionId partition) {
        ReplicaStatus here = status(partition);
        if (here.serves()) {
            return here.epoch();
        }
        Topology known = topology.get();
        PartitionRecord record = known == null ? null : known.recordOf(partition);
        return record == null ? 0 : record.epoch();
    }

    @Override
    public boolean answersFor(PartitionId base) {
        return status(base).answers();
    }

    @Override
    public boolean isMovable() {
        return true;
    }

    private ReplicaStatus status(PartitionId partition) {
        return copies.of(partition).status();
    }
}
