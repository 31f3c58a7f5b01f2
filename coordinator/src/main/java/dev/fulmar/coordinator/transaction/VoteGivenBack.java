package dev.fulmar.coordinator.transaction;

import dev.fulmar.engine.partition.Partition;
import dev.fulmar.engine.partition.PartitionTask;
import dev.fulmar.foundation.id.TransactionId;

/**
 * The coordinator's message that returns a vote to a partition, which asked for it to vote again behind a strict
 * reader. The coordinator has not decided, and waits for the new vote.
 */
public record VoteGivenBack(TransactionId transaction, int attempt) implements PartitionTask {
    @Override
    public void run(Partition partition) {
        partition.readers().voteGivenBack(transaction, attempt);
    }
}
