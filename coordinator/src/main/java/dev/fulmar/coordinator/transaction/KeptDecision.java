package dev.fulmar.coordinator.transaction;

import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.id.TransactionId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A decision to commit that a participant may still ask for.
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

    /** The attempt that was decided. */
    public DecidedAttempt decided() {
        return new DecidedAttempt(transaction, attempt);
    }

    /** The decision after the participant has acknowledged it; null if no participant can ask any more. */
    public @Nullable KeptDecision without(PartitionId participant) {
        List<PartitionId> others = participants.stream()
                .filter(other -> !other.equals(participant))
                .toList();
        return others.isEmpty() ? null : new KeptDecision(transaction, attempt, commitTimestamp, base, others);
    }
}
