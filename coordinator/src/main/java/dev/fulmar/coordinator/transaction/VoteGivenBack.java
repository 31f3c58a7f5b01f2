package dev.fulmar.coordinator.transaction;

import dev.fulmar.engine.partition.Partition;
import dev.fulmar.engine.partition.PartitionTask;
import dev.fulmar.foundation.id.TransactionId;

/** The coordinator's message that gives back a vote, which the partition has asked for. */
public record VoteGivenBack(TransactionId transaction, int attempt) implements PartitionTask {
    @Override
    public void run(Partition partition) {
        partition.readers().voteGivenBack(transaction, attempt);
    }
}
