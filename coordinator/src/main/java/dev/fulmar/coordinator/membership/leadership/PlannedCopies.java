package dev.fulmar.coordinator.membership.leadership;

import dev.fulmar.coordinator.membership.CopyId;
import dev.fulmar.coordinator.membership.PartitionRecord;
import dev.fulmar.foundation.id.NodeId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The nodes that the assignment wants copies on, and the wait for the preferred one to lead. A primary elsewhere hands
 * over once that one's copy has been in sync for a while in one process. So a node that comes and goes leads nothing.
 */
final class PlannedCopies {
    private final long returnNanos;

    /** The preferred one first; empty until the plan is known. */
    private List<NodeId> nodes = List.of();

    private @Nullable NextPrimary next;
    private long sinceNanos;
    private boolean isDue;

    /** A copy that can lead, and the process that has it. */
    record NextPrimary(CopyId copy, long process) {}

    /** @param returnNanos how long the preferred copy has to be in sync before it leads */
    PlannedCopies(long returnNanos) {
        this.returnNanos = returnNanos;
    }

    void plan(List<NodeId> wanted) {
        nodes = wanted;
    }

    /** The node that should lead; null until the plan is known. */
    @Nullable NodeId preferred() {
        return nodes.isEmpty() ? null : nodes.getFirst();
    }

    /** Whether no copy is wanted there: no primary sends to it any more, so it must not be waited for. */
    boolean excludes(NodeId node) {
        return !nodes.isEmpty() && !nodes.contains(node);
    }

    boolean includes(NodeId node) {
        return nodes.contains(node);
    }

    /** Whether the plan is known, and each of its nodes has a copy in sync. */
    boolean isComplete(PartitionRecord record) {
        return !nodes.isEmpty()
                && nodes.stream().allMatch(node -> record.inSyncOn(node).isPresent());
    }

    /** @param found the preferred copy as it could lead in place of this one; null if it could not */
    void look(@Nullable NextPrimary found, long nowNanos) {
        if (found == null || !found.equals(next)) {
            next = found;
            isDue = false;
            sinceNanos = nowNanos;
        }
        isDue = isDue || (found != null && nowNanos - sinceNanos >= returnNanos);
    }

    /** Whether a next primary's time is still to come. */
    boolean awaitsTime() {
        return next != null && !isDue;
    }

    /** The copy that is to lead now; null if none. It has been the same process's since before that was due. */
    @Nullable NextPrimary due() {
        return isDue ? next : null;
    }

    /** The transfer did not come about in time; the next primary waits once more. */
    void putOff(long nowNanos) {
        isDue = false;
        sinceNanos = nowNanos;
    }
}
