package dev.fulmar.coordinator.transaction;

import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.id.TransactionId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A decision to commit that somebody may still ask for.
 *
 * @param base partition whose log has it
 * @param participants who have not acknowledged it
 */
public record KeptDecision(
        TransactionId transaction,
        int attempt,
        long commitTimestamp,
        PartitionId base,
        List<PartitionId> participants) {
    public KeptDecision {
        participants = List.copyOf(participants);
    }

    /** What it is on. */
    public DecidedAttempt decided() {
        return new DecidedAttempt(transaction, attempt);
    }

    /** What is left once the participant has acknowledged; null if nobody can ask any more. */
    public @Nullable KeptDecision without(PartitionId participant) {
        List<PartitionId> others = participants.stream()
                .filter(other -> !other.equals(participant))
                .toList();
        return others.isEmpty() ? null : new KeptDecision(transaction, attempt, commitTimestamp, base, others);
    }
}
