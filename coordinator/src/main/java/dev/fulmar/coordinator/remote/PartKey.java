package dev.fulmar.coordinator.remote;

import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.id.TransactionId;

/** Key of a participant's part: a transaction, or one attempt of it, at one partition. */
record PartKey(TransactionId transaction, int attempt, PartitionId partition) implements Comparable<PartKey> {
    /** For what an attempt takes over from the one before. */
    static PartKey ofAnyAttempt(TransactionId transaction, PartitionId partition) {
        return new PartKey(transaction, 0, partition);
    }

    @Override
    public int compareTo(PartKey other) {
        int byTransaction = transaction.compareTo(other.transaction);
        if (byTransaction != 0) {
            return byTransaction;
        }
        int byAttempt = Integer.compare(attempt, other.attempt);
        return byAttempt != 0 ? byAttempt : partition.compareTo(other.partition);
    }
}
