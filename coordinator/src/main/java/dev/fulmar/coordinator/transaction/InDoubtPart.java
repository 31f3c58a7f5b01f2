package dev.fulmar.coordinator.transaction;

import dev.fulmar.engine.partition.FragmentWork;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.id.TransactionId;

/**
 * Description of an in-doubt part: the prepared transaction, the base partition that knows its outcome, and the work to
 * apply at commit. The participant's log, or that of another copy, does not say what became of it.
 *
 * @param partition the participant
 * @param base partition that knows
 * @param proposal the earliest timestamp that it may commit with
 * @param work makes the changes if it is committed
 */
public record InDoubtPart(
        PartitionId partition,
        TransactionId transaction,
        int attempt,
        PartitionId base,
        long proposal,
        FragmentWork work) {}
