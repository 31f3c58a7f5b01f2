package dev.fulmar.coordinator.transaction;

import dev.fulmar.coordinator.request.ResponseSink;
import dev.fulmar.coordinator.request.TransactionRequest;

/**
 * A request that was accepted, with its sink.
 *
 * @param nanos when, on the node's monotonic clock
 */
public record IncomingRequest(TransactionRequest request, ResponseSink sink, long nanos) {
    /** The same arrival of a request that says the same in another way. */
    public IncomingRequest with(TransactionRequest other) {
        return other.equals(request) ? this : new IncomingRequest(other, sink, nanos);
    }
}
