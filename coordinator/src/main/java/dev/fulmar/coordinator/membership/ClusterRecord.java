package dev.fulmar.coordinator.membership;

import dev.fulmar.engine.catalog.SequenceRule;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The cluster's identity, and the settings on which all its nodes must agree.
 *
 * @param clusterId drawn once; a node of another cluster is refused by it
 * @param partitions how many partitions the database has, spares included
 * @param copies how many copies of a partition there are to be, k + 1
 * @param minInSync with fewer copies in sync a partition takes no writes
 * @param spares how many of the partitions, the last ones, have no keys by the first plan
 */
public record ClusterRecord(UUID clusterId, String name, int partitions, int copies, int minInSync, int spares)
        implements StateRecord {
    /** Longest name, in characters. */
    public static final int MAX_NAME_LENGTH = 64;

    /** Most partitions of a cluster. */
    public static final int MAX_PARTITIONS = 65_536;

    /** Most copies of a partition. */
    public static final int MAX_COPIES = 16;

    public ClusterRecord {
        if (!isName(name)) {
            throw new IllegalArgumentException("a cluster's name has 1 to " + MAX_NAME_LENGTH
                    + " letters, digits, hyphens and underscores, which '" + name + "' has not");
        }
        if (partitions < 1 || partitions > MAX_PARTITIONS) {
            throw new IllegalArgumentException(partitions + " partitions; a cluster has 1 to " + MAX_PARTITIONS);
        }
        if (copies < 1 || copies > MAX_COPIES) {
            throw new IllegalArgumentException(copies + " copies of a partition; there are 1 to " + MAX_COPIES);
        }
        if (minInSync < 1 || minInSync > copies) {
            throw new IllegalArgumentException(minInSync + " copies at least in sync, of " + copies);
        }
        if (spares < 0 || spares >= partitions) {
            throw new IllegalArgumentException(
                    spares + " spare partitions of " + partitions + "; at least one partition has keys");
        }
        if (spares > 0 && partitions > SequenceRule.PLACES) {
            throw new IllegalArgumentException(
                    partitions + " partitions, " + spares + " of them spare; there are at most " + SequenceRule.PLACES
                            + " if some are, for each draws numbers of sequences at a place of its own");
        }
    }

    /** A cluster without spare partitions. */
    public ClusterRecord(UUID clusterId, String name, int partitions, int copies, int minInSync) {
        this(clusterId, name, partitions, copies, minInSync, 0);
    }

    /** Whether it can name a cluster; such a name is also safe in a path. */
    public static boolean isName(String name) {
        return !name.isEmpty()
                && name.length() <= MAX_NAME_LENGTH
                && name.chars().allMatch(c -> c < 128 && (Character.isLetterOrDigit(c) || c == '-' || c == '_'));
    }

    @Override
    public @Nullable String objectionTo(StateRecord next) {
        return switch (next) {
            case ClusterRecord cluster
            when cluster.clusterId.equals(clusterId)
                    && cluster.name.equals(name)
                    && cluster.partitions == partitions
                    && cluster.spares == spares -> null;
            case ClusterRecord _ -> "identity, name and numbers of partitions of a cluster never change";
            case NodeRecord _, VersionRecord _, AssignmentRecord _, PartitionRecord _ -> "another kind of record";
        };
    }
}
