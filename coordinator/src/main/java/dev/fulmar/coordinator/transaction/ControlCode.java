package dev.fulmar.coordinator.transaction;

import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.engine.partition.PartitionMessage.PrepareMode;
import dev.fulmar.engine.partition.RequestOutcome;
import dev.fulmar.engine.procedure.ControlSignal;
import dev.fulmar.foundation.error.FulmarException;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** The control code of a multi-partition transaction. */
public interface ControlCode {
    /**
     * Runs one attempt in the transaction's fiber; the answer counts if the transaction commits. A {@link
     * FulmarException} rolls the transaction back. Anything that control code turns a {@link ControlSignal} of the
     * transaction into has no effect.
     */
    TransactionResponse run(FragmentDispatch dispatch);

    /** Ends a computation of the running attempt soon; any thread. */
    default void interrupt(ControlSignal signal) {}

    /**
     * All participants can commit. The transaction does so once {@code proceed} is run, on whatever thread, with the
     * commit timestamp; it fails if a {@link FulmarException} is thrown here, or handed to {@code refuse} later. One of
     * the three, once.
     *
     * @param promised that the participants have promised to commit at, or later
     */
    default void committing(long promised, LongConsumer proceed, Consumer<FulmarException> refuse) {
        proceed.accept(promised);
    }

    /** Whether a transaction with the answer leaves no trace. */
    default boolean undoes(TransactionResponse response) {
        return response instanceof TransactionResponse.Failed;
    }

    /** The outcome to log with the commit, by which a retry after a restart finds it; null for nothing. */
    default @Nullable RequestOutcome outcome(TransactionResponse response) {
        return null;
    }

    /** No attempt will run any more; the last call, in the transaction's fiber. */
    default void ended() {}

    /** Whether other transactions may run speculatively between vote and decision. */
    default PrepareMode prepareMode() {
        return PrepareMode.SPECULATE;
    }
}
