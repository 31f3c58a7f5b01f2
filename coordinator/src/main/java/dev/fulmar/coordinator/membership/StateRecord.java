package dev.fulmar.coordinator.membership;

import org.jspecify.annotations.Nullable;

/** Record that the store holds under a {@link StateKey}. Immutable; a constructor refuses values that make no sense. */
public sealed interface StateRecord
        permits ClusterRecord, NodeRecord, VersionRecord, AssignmentRecord, PartitionRecord {
    /** Why this record must not be replaced by the next one; null if it may. */
    @Nullable String objectionTo(StateRecord next);

    /** Why this record must not be the first under its key; null if it may. */
    default @Nullable String objectionAsFirst() {
        return null;
    }
}
