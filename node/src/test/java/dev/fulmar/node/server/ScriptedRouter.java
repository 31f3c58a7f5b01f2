package dev.fulmar.node.server;

import dev.fulmar.coordinator.request.ResponseSink;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.routing.TransactionRouter;
import dev.fulmar.foundation.error.ErrorCode;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Answers {@code Echo} at once with its parameters, {@code Fail} with an error, and keeps everything else for the test
 * to answer.
 */
final class ScriptedRouter implements TransactionRouter {
    /** A request that waits for its answer. */
    record Held(TransactionRequest request, ResponseSink sink) {
        void answer(TransactionResponse response) {
            sink.respond(request, response);
            sink.flush();
        }
    }

    private final BlockingQueue<Held> held = new LinkedBlockingQueue<>();
    private final BlockingQueue<ResponseSink> departed = new LinkedBlockingQueue<>();
    private final BlockingQueue<Long> cancelled = new LinkedBlockingQueue<>();

    @Override
    public void submit(TransactionRequest request, ResponseSink sink) {
        Held work = new Held(request, sink);
        switch (request.subject()) {
            case "Echo" ->
                work.answer(new TransactionResponse.Committed(TransactionResponse.Kind.TABLE, 0, request.parameters()));
            case "Fail" ->
                work.answer(new TransactionResponse.Failed(ErrorCode.UNIQUE_VIOLATION, "the row is there; drop it"));
            case "Explode" -> throw new IllegalStateException("a planted defect");
            default -> held.add(work);
        }
    }

    @Override
    public void departed(ResponseSink sink) {
        departed.add(sink);
    }

    @Override
    public void cancel(long clientId, long requestId) {
        cancelled.add(requestId);
    }

    /** The number of the request that was cancelled next; null if none is in the time. */
    @Nullable Long nextCancelled(long millis) throws InterruptedException {
        return cancelled.poll(millis, TimeUnit.MILLISECONDS);
    }

    /** The way to the client of whom it was told next that it is gone. */
    ResponseSink nextDeparted() throws InterruptedException {
        ResponseSink next = departed.poll(10, TimeUnit.SECONDS);
        if (next == null) {
            throw new AssertionError("no client is gone");
        }
        return next;
    }

    Held next() throws InterruptedException {
        Held next = held.poll(10, TimeUnit.SECONDS);
        if (next == null) {
            throw new AssertionError("no request came");
        }
        return next;
    }

    boolean isEmpty() {
        return held.isEmpty();
    }

    static TransactionResponse value(long value) {
        return new TransactionResponse.Committed(TransactionResponse.Kind.VALUE, value, new byte[0]);
    }
}
