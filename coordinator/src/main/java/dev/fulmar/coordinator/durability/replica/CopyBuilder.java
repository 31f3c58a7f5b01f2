package dev.fulmar.coordinator.durability.replica;

import dev.fulmar.coordinator.membership.PartitionRecord;

/** Rebuilds copies that cannot follow their primary. */
@FunctionalInterface
public interface CopyBuilder {
    /**
     * Builds the copy anew from the primary of the term, gives it another life, and ends with
     * {@link PartitionReplica#rebuilt}. Called on the partition's thread; the copy does nothing meanwhile.
     */
    void rebuild(PartitionReplica copy, PartitionRecord term);
}
