package dev.fulmar.coordinator.request;

import org.jspecify.annotations.Nullable;

/**
 * Sink of a request that is part of another one. All but the answer is that of the other one's sink.
 *
 * @param <R> the other request
 */
public abstract class PassingSink<R extends TransactionRequest> implements ResponseSink {
    protected final R request;
    protected final ResponseSink sink;

    /**
     * @param request whose answer the sink takes
     * @param sink of that request
     */
    protected PassingSink(R request, ResponseSink sink) {
        this.request = request;
        this.sink = sink;
    }

    @Override
    public boolean reserve(TransactionRequest part, long bytes) {
        return sink.reserve(request, bytes);
    }

    @Override
    public boolean isOf(ResponseSink client) {
        return ResponseSink.super.isOf(client) || sink.isOf(client);
    }

    @Override
    public boolean isGone() {
        return sink.isGone();
    }

    @Override
    public String origin() {
        return sink.origin();
    }

    @Override
    public @Nullable LastNumbers lastNumbers() {
        return sink.lastNumbers();
    }

    @Override
    public @Nullable HeldCursors heldCursors() {
        return sink.heldCursors();
    }

    @Override
    public void flush() {
        sink.flush();
    }
}
