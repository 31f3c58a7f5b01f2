package dev.fulmar.coordinator.transaction;

import dev.fulmar.foundation.id.TransactionId;

/**
 * The attempt that a decision is about. An id alone does not identify it: a clock that goes back while its node is down
 * makes one come twice, with attempts of other numbers.
 */
public record DecidedAttempt(TransactionId transaction, int attempt) implements Comparable<DecidedAttempt> {
    @Override
    public int compareTo(DecidedAttempt other) {
        int byTransaction = transaction.compareTo(other.transaction);
        return byTransaction != 0 ? byTransaction : Integer.compare(attempt, other.attempt);
    }
}
