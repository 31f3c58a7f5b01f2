package dev.fulmar.coordinator.routing;

import dev.fulmar.coordinator.request.ResponseSink;
import dev.fulmar.coordinator.request.TransactionRequest;

/**
 * Port by which connections and other nodes submit requests to the database, or cancel them; each answer goes to a
 * {@link ResponseSink}. Thread-safe.
 */
public interface TransactionRouter {
    /**
     * Starts the transaction; returns at once. Every outcome, a refusal included, goes to the sink, possibly before
     * this method returns.
     */
    void submit(TransactionRequest request, ResponseSink sink);

    /**
     * Ends the request with the handle soon if that is possible. Its own answer tells what came of it: that it was
     * cancelled and had no effect, or what it came to.
     */
    default void cancel(long clientId, long requestId) {}

    /**
     * The client that the sink leads to is gone, as the sink says by now: transactions that only read for it end soon.
     * Their answers go to the sink nevertheless.
     */
    default void departed(ResponseSink sink) {}
}
