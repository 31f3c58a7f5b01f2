package dev.fulmar.coordinator;

import dev.fulmar.coordinator.change.ChangeHandle;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import java.util.function.Consumer;

/** The ways to run statements of which a greater one of this node consists. */
interface OwnStatements {
    /** Runs a statement wherever it can run. */
    void run(TransactionRequest.AdHoc statement, Consumer<TransactionResponse> then);

    /**
     * Changes the catalog by this node or not at all: a node that has taken the changes over also ends what this one
     * has begun.
     */
    void change(TransactionRequest.AdHoc statement, ChangeHandle handle, Consumer<TransactionResponse> then);
}
