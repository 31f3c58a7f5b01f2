package dev.fulmar.coordinator.session;

import dev.fulmar.coordinator.request.ResponseSink;
import dev.fulmar.coordinator.request.TransactionRequest;

/** Port by which connections execute transactions statement by statement. Thread-safe. */
@FunctionalInterface
public interface SessionRouter {
    /**
     * A statement of the client's transaction with the number. BEGIN opens it; a client uses no number twice. Each
     * answer goes to the sink, which tells clients apart.
     */
    void execute(long number, TransactionRequest.AdHoc request, ResponseSink sink);
}
