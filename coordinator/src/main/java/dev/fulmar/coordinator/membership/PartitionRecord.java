package dev.fulmar.coordinator.membership;

import dev.fulmar.foundation.id.NodeId;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The record of a partition's term: its epoch, its primary and the copies in sync. An epoch is the term of one process
 * as the primary: while it lasts only the copies in sync change. A new term is begun by a copy that was in sync, and
 * counts only such copies as in sync; others join later, once they have caught up in that term. So every copy in sync
 * holds everything that was acknowledged in any term.
 *
 * @param epoch counts the terms
 * @param primary the copy that orders the transactions; it is in sync
 * @param incarnation of the primary's process: the same node starts again with a term of its own
 * @param inSync the copies in sync, ascending, one per node
 */
public record PartitionRecord(long epoch, CopyId primary, long incarnation, List<CopyId> inSync)
        implements StateRecord {
    public PartitionRecord {
        inSync = List.copyOf(inSync);
        if (epoch < 1) {
            throw new IllegalArgumentException("epoch " + epoch + "; the first is 1");
        }
        if (incarnation < primary.incarnation()) {
            throw new IllegalArgumentException(
                    "the primary's process " + incarnation + " is older than its copy " + primary);
        }
        if (inSync.size() > ClusterRecord.MAX_COPIES) {
            throw new IllegalArgumentException(
                    inSync.size() + " copies; there are at most " + ClusterRecord.MAX_COPIES);
        }
        for (int i = 1; i < inSync.size(); i++) {
            if (inSync.get(i - 1).node().compareTo(inSync.get(i).node()) >= 0) {
                throw new IllegalArgumentException(
                        "the copies in sync are ascending, one per node, which " + inSync + " are not");
            }
        }
        if (!inSync.contains(primary)) {
            throw new IllegalArgumentException(
                    "the primary " + primary + " is not among the copies in sync, " + inSync);
        }
    }

    /** The copy in sync that the node has. */
    public Optional<CopyId> inSyncOn(NodeId node) {
        return inSync.stream().filter(copy -> copy.node().equals(node)).findFirst();
    }

    /** Whether the process with this incarnation on this node holds the term. */
    public boolean isTermOf(NodeId node, long processIncarnation) {
        return primary.node().equals(node) && incarnation == processIncarnation;
    }

    @Override
    public @Nullable String objectionAsFirst() {
        return epoch == 1 ? null : "a partition begins with epoch 1";
    }

    @Override
    public @Nullable String objectionTo(StateRecord next) {
        return switch (next) {
            case PartitionRecord partition -> objectionToPartition(partition);
            case ClusterRecord _, NodeRecord _, VersionRecord _, AssignmentRecord _ -> "another kind of record";
        };
    }

    /**
     * Whether a node whose copy in sync ended begins alone with what it has left: for databases whose copies do not
     * keep what they confirmed.
     */
    private boolean isSucceededBy(PartitionRecord next) {
        return inSyncOn(next.primary.node())
                        .filter(before -> before.life() < next.primary.life())
                        .isPresent()
                && next.inSync.size() == 1;
    }

    private @Nullable String objectionToPartition(PartitionRecord next) {
        if (next.epoch == epoch) {
            return next.primary.equals(primary) && next.incarnation == incarnation
                    ? null
                    : "another primary needs another epoch";
        }
        if (next.epoch != epoch + 1) {
            return "epoch " + (epoch + 1) + " comes after " + epoch;
        }
        if (isSucceededBy(next)) {
            return null;
        }
        if (!inSync.contains(next.primary)) {
            return next.primary + " is not in sync and must not become the primary";
        }
        return inSync.containsAll(next.inSync) ? null : "a new term counts no copy as in sync that was not before";
    }
}
