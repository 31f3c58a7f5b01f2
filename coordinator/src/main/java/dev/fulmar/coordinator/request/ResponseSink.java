package dev.fulmar.coordinator.request;

import dev.fulmar.engine.partition.ReplyTarget;

/** Takes the answer to a request. Called on any thread, usually a site's: an implementation must not block. */
@FunctionalInterface
public interface ResponseSink extends ReplyTarget {
    /** Takes the one answer. The sink may collect answers until {@link #flush()}. */
    void respond(TransactionRequest request, TransactionResponse response);

    /** Called on the thread of {@link #respond} when no more answers follow at once, at least once after each answer. */
    @Override
    default void flush() {}
}
