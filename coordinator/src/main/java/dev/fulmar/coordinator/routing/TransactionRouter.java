package dev.fulmar.coordinator.routing;

import dev.fulmar.coordinator.request.ResponseSink;
import dev.fulmar.coordinator.request.TransactionRequest;

/** Takes requests in. Thread-safe. */
public interface TransactionRouter {
    /**
     * Starts the transaction; returns at once. Every outcome, a refusal included, goes to the sink, possibly before this method returns.
     */
    void submit(TransactionRequest request, ResponseSink sink);
}
