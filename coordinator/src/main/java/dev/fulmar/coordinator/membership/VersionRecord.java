package dev.fulmar.coordinator.membership;

import org.jspecify.annotations.Nullable;

/**
 * Record for the cluster's store: number and digest of the version in force of the catalog, or of the partition plan.
 * The nodes keep the content in their logs. No node writes such a record yet.
 *
 * @param number counts the changes
 * @param digest of the content, so that a node which has other content under the same number notices
 */
public record VersionRecord(long number, long digest) implements StateRecord {
    public VersionRecord {
        if (number < 1) {
            throw new IllegalArgumentException("version " + number + "; the first is 1");
        }
    }

    @Override
    public @Nullable String objectionTo(StateRecord next) {
        return switch (next) {
            case VersionRecord version when version.number == number + 1 -> null;
            case VersionRecord _ -> "version " + (number + 1) + " comes after " + number;
            case ClusterRecord _, NodeRecord _, AssignmentRecord _, PartitionRecord _ -> "another kind of record";
        };
    }
}
