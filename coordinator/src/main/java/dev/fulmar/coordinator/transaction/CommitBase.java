package dev.fulmar.coordinator.transaction;

import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.id.TransactionId;
import java.util.List;

/**
 * A transaction's base partition in one term of its leadership, whose log makes the decision durable before other
 * participants are notified. The transaction's request began there, and its primary coordinates the transaction.
 *
 * @param epoch term of the partition's leadership in which the transaction begins
 * @param firstAttempt number of the first attempt: another one in each life of the node, so that an attempt is not
 *     taken for one of an earlier life even if a clock that went back makes an id come twice
 * @param keeper keeps decisions until nobody can ask for them any more
 */
public record CommitBase(PartitionId partition, long epoch, int firstAttempt, Keeper keeper) {
    /** Whether the term goes on, as far as is known. If not the transaction will not commit. */
    boolean isLed() {
        return keeper.epochOf(partition) == epoch;
    }

    /** Keeps the decisions to commit. Thread-safe. */
    public interface Keeper {
        /**
         * The decision is durable in the base partition.
         *
         * @param participants who have yet to acknowledge that they have it
         */
        void keep(
                TransactionId transaction,
                int attempt,
                long commitTimestamp,
                PartitionId base,
                List<PartitionId> participants);

        /** The term in which this node leads the partition, or another one if it does not. */
        long epochOf(PartitionId partition);

        /** The participant has the decision, durably, and will not ask for it. */
        void acknowledged(DecidedAttempt decided, PartitionId participant);
    }
}
