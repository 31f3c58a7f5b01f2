package dev.fulmar.engine.partition;

import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.id.TransactionId;

/**
 * Identity of a part of a multi-partition transaction that has voted. By it a participant asks for a decision that
 * takes long.
 *
 * @param base partition that is asked, for it knows the decision
 */
public record VotedPart(TransactionId transaction, int attempt, PartitionId base) {}
