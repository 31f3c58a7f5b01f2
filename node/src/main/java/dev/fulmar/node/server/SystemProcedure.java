package dev.fulmar.node.server;

import dev.fulmar.coordinator.request.ResponseSink;
import dev.fulmar.coordinator.request.TransactionRequest;

/** A procedure of the node itself; its name begins with {@code @}. */
@FunctionalInterface
public interface SystemProcedure {
    /**
     * Starts the call; every outcome, a refusal included, goes to the sink, followed by a flush. Called on an event
     * loop, so it must not block.
     */
    void call(TransactionRequest.Call request, ClientOrigin origin, ResponseSink sink);
}
