package dev.fulmar.foundation.id;

/**
 * Identity and age of a transaction: hybrid logical time first, then the node that gave it. A restarted transaction
 * keeps its id, so it grows older and wound-wait cannot starve it.
 *
 * @param timestamp hybrid logical timestamp, see {@code HybridLogicalClock}
 * @param node number of the issuing node
 */
public record TransactionId(long timestamp, int node) implements Comparable<TransactionId> {
    /** Whether this transaction wins a conflict against the other (wound-wait: the older one wins). */
    public boolean isOlderThan(TransactionId other) {
        return compareTo(other) < 0;
    }

    @Override
    public int compareTo(TransactionId other) {
        int byTime = Long.compareUnsigned(timestamp, other.timestamp);
        return byTime != 0 ? byTime : Integer.compare(node, other.node);
    }
}
