package dev.fulmar.engine.partition;

import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.id.TransactionId;

/**
 * A part of a multi-partition transaction that has voted and waits for its decision.
 *
 * @param base partition that knows it
 */
public record VotedPart(TransactionId transaction, int attempt, PartitionId base) {}
