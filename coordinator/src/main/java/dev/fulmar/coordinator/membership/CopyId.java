package dev.fulmar.coordinator.membership;

import dev.fulmar.foundation.id.NodeId;

/**
 * A copy of a partition, told by what it holds: a copy that may have lost something that it had confirmed begins another life, and with it loses
 * its place among the copies in sync. So a node that comes back with an empty disk under its old number is not taken for the copy that it was.
 *
 * @param life incarnation of the node's process that began the copy; a restart that kept all that was confirmed keeps the life too
 */
public record CopyId(NodeId node, long life) implements Comparable<CopyId> {
    public CopyId {
        if (life < 1) {
            throw new IllegalArgumentException("life " + life + " of a copy; the first is 1");
        }
    }

    @Override
    public int compareTo(CopyId other) {
        int byNode = node.compareTo(other.node);
        return byNode != 0 ? byNode : Long.compare(life, other.life);
    }

    @Override
    public String toString() {
        return node + "." + life;
    }
}
