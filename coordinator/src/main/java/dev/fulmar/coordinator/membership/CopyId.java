package dev.fulmar.coordinator.membership;

import dev.fulmar.foundation.id.NodeId;

/**
 * Identity of a copy of a partition: its node, and its generation there ("life"). A copy that may have lost something
 * that it had confirmed begins another life, and with it loses its place among the copies in sync. So a node that comes
 * back with an empty disk under its old number is not taken for the copy that it was.
 *
 * @param life grows with each copy of the partition on this node: the incarnation of the process that began the copy,
 *     or, as a process may begin several, that incarnation above {@link #COUNT_BITS} bits that count them. A restart
 *     that kept all that was confirmed keeps the life too
 */
public record CopyId(NodeId node, long life) implements Comparable<CopyId> {
    /** Bits of a life that count the copies of one process. */
    public static final int COUNT_BITS = 20;

    public CopyId {
        if (life < 1) {
            throw new IllegalArgumentException("life " + life + " of a copy; the first is 1");
        }
    }

    /** Incarnation of the process that began the copy. */
    public long incarnation() {
        return life >> COUNT_BITS == 0 ? life : life >> COUNT_BITS;
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
