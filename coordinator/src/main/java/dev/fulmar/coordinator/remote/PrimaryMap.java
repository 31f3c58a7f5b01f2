package dev.fulmar.coordinator.remote;

import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.id.PartitionId;
import org.jspecify.annotations.Nullable;

/** Map of the partitions' primaries, as far as this node knows. Thread-safe. */
public interface PrimaryMap {
    /** This node. */
    NodeId self();

    /**
     * The node that leads the partition; null while none is known to. This node is named only once it knows all that
     * its copy has.
     */
    @Nullable NodeId primaryOf(PartitionId partition);

    /** The epoch in which it leads. */
    long epochOf(PartitionId partition);

    default boolean isOwn(PartitionId partition) {
        return self().equals(primaryOf(partition));
    }

    /**
     * Whether this node knows what became of the transactions whose base partition it is. It may before it executes
     * anything there. Exact on the partition's thread.
     */
    default boolean answersFor(PartitionId base) {
        return isOwn(base);
    }

    /**
     * Whether leadership may pass from node to node, so that this node may be the last to hear that it leads no more.
     */
    default boolean isMovable() {
        return false;
    }
}
