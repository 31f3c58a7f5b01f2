package dev.fulmar.coordinator.reconfiguration;

import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.id.PartitionId;
import org.jspecify.annotations.Nullable;

/**
 * Port by which a reconfiguration learns which nodes of a cluster lead its partitions, as this node knows it.
 * Thread-safe.
 */
public interface PrimaryNodes {
    /** The node of the partition's primary; null if none is known. */
    @Nullable NodeId of(PartitionId partition);

    /** The node that makes the changes of the catalog; null if none is known. */
    @Nullable NodeId ofCatalog();
}
