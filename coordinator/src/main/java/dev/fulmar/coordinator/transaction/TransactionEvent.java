package dev.fulmar.coordinator.transaction;

import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.engine.partition.CoordinatorMessage;
import dev.fulmar.engine.partition.FragmentWork;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.PartitionId;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** An event of a multi-partition transaction. */
sealed interface TransactionEvent {
    /** The control code wants work done. */
    record WorkWanted(SortedMap<PartitionId, List<FragmentWork>> work) implements TransactionEvent {}

    /** The control code takes statements back. */
    record UndoWanted(int firstStatement) implements TransactionEvent {}

    /** The control code has ended; {@code response} is what it wants to answer. */
    record ControlEnded(TransactionResponse response) implements TransactionEvent {}

    /** A partition has sent a message. */
    record Heard(CoordinatorMessage message) implements TransactionEvent {}

    /** The transaction is to fail unless it is decided. */
    record Cancelled(ErrorCode code, String message) implements TransactionEvent {}

    /**
     * All votes are in, and what must be durable before the decision is, or never will be.
     *
     * @param refusal why it never will be; null if it is
     */
    record Committable(long timestamp, @Nullable FulmarException refusal) implements TransactionEvent {}
}
