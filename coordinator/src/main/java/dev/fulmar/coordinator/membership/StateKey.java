package dev.fulmar.coordinator.membership;

import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.id.PartitionId;
import org.jspecify.annotations.Nullable;

/** Key of a record in the store. */
public sealed interface StateKey<R extends StateRecord> {
    /** The cluster's identity. */
    record Cluster() implements StateKey<ClusterRecord> {}

    /** A node that belongs to the cluster, alive or not. */
    record Node(NodeId node) implements StateKey<NodeRecord> {}

    /** The version of the catalog that holds. */
    record Catalog() implements StateKey<VersionRecord> {}

    /** The version of the partition plan that holds. */
    record Plan() implements StateKey<VersionRecord> {}

    /** Planned assignment of {@link AssignmentRecord#PARTITIONS} partitions in a row; chunk 0 has the first ones. */
    record Assignment(int chunk) implements StateKey<AssignmentRecord> {}

    /** The term of a partition: its primary and its copies in sync. */
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
