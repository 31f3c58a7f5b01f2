package dev.fulmar.coordinator.transaction;

import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.engine.partition.PartitionMessage.PrepareMode;
import dev.fulmar.engine.procedure.ControlSignal;

/** What a multi-partition transaction does. */
public interface ControlCode {
    /**
     * Runs one attempt in the transaction's fiber; the answer counts if the transaction commits. A {@link
     * dev.fulmar.foundation.error.FulmarException} rolls the transaction back. Whatever a {@link ControlSignal} of the transaction is
     * turned into has no effect.
     */
    TransactionResponse run(FragmentDispatch dispatch);

    /** Ends a computation of the running attempt soon; any thread. */
    default void interrupt(ControlSignal signal) {}

    /** The transaction is decided; the partitions hear of it right after this call. */
    default void committing() {}

    /** Whether other transactions may run speculatively between vote and decision. */
    default PrepareMode prepareMode() {
        return PrepareMode.SPECULATE;
    }
}
