package dev.fulmar.coordinator;

import dev.fulmar.coordinator.remote.PrimaryMap;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.id.PartitionId;
import org.jspecify.annotations.Nullable;

/**
 * One node leads all partitions, in a term that does not change.
 *
 * @param isOwn what this node takes itself for; it may have learnt something else between two questions
 */
record FixedPrimaries(NodeId self, @Nullable NodeId primary, boolean isOwn) implements PrimaryMap {
    @Override
    public @Nullable NodeId primaryOf(PartitionId partition) {
        return primary;
    }

    @Override
    public long epochOf(PartitionId partition) {
        return 1;
    }

    @Override
    public boolean isOwn(PartitionId partition) {
        return isOwn;
    }
}
