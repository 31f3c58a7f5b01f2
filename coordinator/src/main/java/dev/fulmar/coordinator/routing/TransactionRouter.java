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
     * The term of leadership of the partition that remembers the client's transactions, as far as is known here; 0
     * where there are no terms.
     */
    default long term(long clientId) {
        return 0;
    }

    /**
     * The client that the sink leads to is gone, as the sink says by now: transactions that only read for it end soon.
     * Their answers go to the sink nevertheless.
     */
    default void departed(ResponseSink sink) {}
}
