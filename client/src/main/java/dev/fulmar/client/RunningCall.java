package dev.fulmar.client;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A statement or a call of a procedure that was sent, until its outcome is known and after. Thread-safe. */
public final class RunningCall {
    private final ClientConnections connections;
    private final PendingCall call;
    private final CompletableFuture<CallResult> outcome;

    RunningCall(ClientConnections connections, PendingCall call, CompletableFuture<CallResult> outcome) {
        this.connections = connections;
        this.call = call;
        this.outcome = outcome;
    }

    /** Completes on an event loop's thread. */
    public CompletableFuture<CallResult> outcome() {
        return outcome;
    }

    /** Waits for the outcome; the exception is the one that the call failed with. */
    public CallResult await() {
        return connections.await(outcome);
    }

    /**
     * Asks for it to be ended. The {@link #outcome} tells what came of that: {@code CANCELLED} if it was, and had no
     * effect, else whatever it came to before it could be.
     *
     * @return completes when the server was asked; exceptionally with {@code NOT_SUPPORTED} if it is too old to
     *     understand
     */
    public CompletableFuture<@Nullable Void> cancel() {
        CompletableFuture<@Nullable Void> asked = new CompletableFuture<>();
        if (outcome.isDone()) {
            asked.complete(null);
        } else {
            connections.cancel(call, asked);
        }
        return asked;
    }
}
