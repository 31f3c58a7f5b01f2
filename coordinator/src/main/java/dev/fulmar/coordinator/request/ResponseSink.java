package dev.fulmar.coordinator.request;

import dev.fulmar.engine.partition.ReplyTarget;
import org.jspecify.annotations.Nullable;

/**
 * The receiver of the answer to a request. Called on any thread, usually a site's: an implementation must not block.
 */
@FunctionalInterface
public interface ResponseSink extends ReplyTarget {
    /** Results of no more bytes need no memory of their own: it was taken with the request. */
    int FREE_BYTES = 2 << 10;

    /** Takes the one answer. The sink may collect answers until {@link #flush()}. */
    void respond(TransactionRequest request, TransactionResponse response);

    /**
     * The changes of the request count from now on, and its answer comes once they are durable. What is sent from now
     * on is executed behind them, and is not durable before them. Called on the partition's thread, so it must be
     * quick. In databases of several partitions or nodes none is told so.
     */
    default void applied(TransactionRequest request) {}

    /**
     * Takes memory for results of the request before they are copied for their way to the client. The sink gives it
     * back once the request is answered and the answer has left. Any thread.
     *
     * @return false if there is not so much left, and then the request fails
     */
    default boolean reserve(TransactionRequest request, long bytes) {
        return true;
    }

    /**
     * Whether the client is gone for good, so that an answer has no receiver. Any thread; asked between the rows of a
     * statement too, so it reads fields only.
     */
    default boolean isGone() {
        return false;
    }

    /** The client's address, for people; empty if it has none. Any thread. */
    default String origin() {
        return "";
    }

    /** The last numbers of sequences on the client's connection; null for a sink that is no connection. Any thread. */
    default @Nullable LastNumbers lastNumbers() {
        return null;
    }

    /** Cursors of the connection that outlive their transactions; null where none does. Any thread. */
    default @Nullable HeldCursors heldCursors() {
        return null;
    }

    /** The settings of the client's connection; null for a sink that is no connection. Any thread. */
    default @Nullable ConnectionSettings settings() {
        return null;
    }

    /** Whether answers that it takes go to that sink in the end. Any thread. */
    @SuppressWarnings("ReferenceEquality") // a sink is one way to one client: whether it is that very way
    default boolean isOf(ResponseSink client) {
        return this == client;
    }

    /** Whether the client may ask later what became of a COMMIT, which has to be remembered then. Any thread. */
    default boolean asksForOutcomes() {
        return true;
    }

    /** Whether requests come from another node, which has checked them. */
    default boolean isOfNode() {
        return false;
    }

    /**
     * Called on the thread of {@link #respond} when no more answers follow at once, at least once after each answer.
     */
    @Override
    default void flush() {}
}
