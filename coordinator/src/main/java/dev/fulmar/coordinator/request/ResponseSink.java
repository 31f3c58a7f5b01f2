package dev.fulmar.coordinator.request;

/** Takes the answer to a request. Called on any thread, usually a site's: an implementation must not block. */
@FunctionalInterface
public interface ResponseSink {
    /** Takes the one answer. The sink may collect answers until {@link #flush()}. */
    void respond(TransactionRequest request, TransactionResponse response);

    /** Called on the thread of {@link #respond} when no more answers follow at once, at least once after each answer. */
    default void flush() {}
}
