package dev.fulmar.coordinator.session;

import dev.fulmar.coordinator.request.ResponseSink;
import dev.fulmar.coordinator.request.TransactionRequest;
import java.util.List;

/** Port by which connections execute transactions, statement by statement or at once. Thread-safe. */
public interface SessionTransactions extends SessionRouter {
    /**
     * Executes statements as one transaction, which commits under the request's handle or leaves nothing. They run
     * once, so the answer does not say which of them has failed.
     */
    void executeTogether(List<TransactionRequest.AdHoc> statements, TransactionRequest.AdHoc commit, ResponseSink sink);
}
