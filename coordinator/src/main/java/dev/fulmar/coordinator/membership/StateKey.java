package dev.fulmar.coordinator.membership;

import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.id.PartitionId;
import org.jspecify.annotations.Nullable;

/** Where a record lies. */
public sealed interface StateKey<R extends StateRecord> {
    /** What identifies the cluster. */
    record Cluster() implements StateKey<ClusterRecord> {}

    /** A node that belongs to the cluster, alive or not. */
    record Node(NodeId node) implements StateKey<NodeRecord> {}

    /** Which version of the catalog holds. */
    record Catalog() implements StateKey<VersionRecord> {}

    /** Which version of the partition plan holds. */
    record Plan() implements StateKey<VersionRecord> {}

    /**
     * Which nodes are to have copies of {@link PlacementRecord#PARTITIONS} partitions, the first of them and its number
     * given.
     */
    record Placement(int chunk) implements StateKey<PlacementRecord> {}

    /** Who serves a partition. */
    record Partition(PartitionId partition) implements StateKey<PartitionRecord> {}

    /**
     * Fails unless the records' rules permit the step. Every {@link ClusterState} asks here before it changes anything.
     */
    default void checkStep(Versioned<R> expected, R next) {
        R current = expected.record();
        @Nullable String objection = current == null ? next.objectionAsFirst() : current.objectionTo(next);
        if (objection != null) {
            throw Invariants.breach(this + " is changed by its rules (" + objection + ")");
        }
    }
}
