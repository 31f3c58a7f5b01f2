package dev.fulmar.coordinator.membership;

import dev.fulmar.foundation.id.NodeId;
import java.util.HashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Planned assignment of copies of some partitions that follow each other. The partitions' own records say which nodes
 * have copies.
 *
 * @param copies per partition the nodes, the one that should lead first
 */
public record AssignmentRecord(List<List<NodeId>> copies) implements StateRecord {
    /** Partitions of a record; the last one may have fewer. */
    public static final int PARTITIONS = 32;

    public AssignmentRecord {
        copies = copies.stream().map(List::copyOf).toList();
        if (copies.isEmpty() || copies.size() > PARTITIONS) {
            throw new IllegalArgumentException(
                    "the copies of " + copies.size() + " partitions; there are 1 to " + PARTITIONS);
        }
        for (List<NodeId> nodes : copies) {
            if (nodes.isEmpty()
                    || nodes.size() > ClusterRecord.MAX_COPIES
                    || new HashSet<>(nodes).size() < nodes.size()) {
                throw new IllegalArgumentException("copies on " + nodes + "; there are 1 to " + ClusterRecord.MAX_COPIES
                        + ", each on another node");
            }
        }
    }

    /** Key of the record that has the partition. */
    public static StateKey.Assignment keyOf(int partition) {
        return new StateKey.Assignment(partition / PARTITIONS);
    }

    @Override
    public @Nullable String objectionTo(StateRecord next) {
        return switch (next) {
            case AssignmentRecord assignment when assignment.copies.size() == copies.size() -> null;
            case AssignmentRecord _ -> "the number of partitions never changes";
            case ClusterRecord _, NodeRecord _, VersionRecord _, PartitionRecord _ -> "another kind of record";
        };
    }
}
