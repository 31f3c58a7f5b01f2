package dev.fulmar.postgres.session;

import dev.fulmar.coordinator.request.ConnectionSettings;
import dev.fulmar.coordinator.request.HeldCursors;
import dev.fulmar.coordinator.request.LastNumbers;
import dev.fulmar.coordinator.request.PassingSink;
import dev.fulmar.coordinator.request.ResponseSink;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.foundation.error.ErrorCode;
import java.util.function.BiConsumer;

/** Receives the answers to a session's requests on any thread, and hands them to its own. */
final class AnswerSink implements ResponseSink {
    /** Receiver of answers, on the session's thread. */
    interface Receiver {
        void answered(long requestId, TransactionResponse response);
    }

    private final SessionThread thread;
    private final Receiver receiver;
    private final HeldMemory memory;
    private final String origin;
    private final LastNumbers ofConnection = new LastNumbers();

    /** Those of the connection, or above them those of a transaction that may run again. */
    private volatile LastNumbers numbers = ofConnection;

    private final ConnectionSettings settings = new ConnectionSettings();
    private final HeldCursors cursors = new HeldCursors();
    private volatile boolean isGone;

    AnswerSink(SessionThread thread, Receiver receiver, HeldMemory memory, String origin) {
        this.thread = thread;
        this.receiver = receiver;
        this.memory = memory;
        this.origin = origin;
    }

    /** The client is gone for good. */
    void leave() {
        isGone = true;
        cursors.leave();
    }

    @Override
    public void respond(TransactionRequest request, TransactionResponse response) {
        thread.execute(() -> receiver.answered(request.requestId(), response));
    }

    /** A sink of the same client, which also tells its thread when the changes of the request count. */
    ResponseSink ofChanges(TransactionRequest.AdHoc request, Runnable applied) {
        return new PassingSink<>(request, this) {
            @Override
            public void applied(TransactionRequest asked) {
                thread.execute(applied);
            }

            @Override
            public void respond(TransactionRequest asked, TransactionResponse response) {
                sink.respond(request, response);
            }

            @Override
            public boolean asksForOutcomes() {
                return sink.asksForOutcomes();
            }
        };
    }

    @Override
    public boolean reserve(TransactionRequest request, long bytes) {
        return memory.reserve(bytes);
    }

    /** PostgreSQL's protocol has no such question. */
    @Override
    public boolean asksForOutcomes() {
        return false;
    }

    /** A sink of the same client for a question whose answer comes another way, unless it is refused. */
    ResponseSink refusals(BiConsumer<ErrorCode, String> refused) {
        return new ResponseSink() {
            @Override
            public void respond(TransactionRequest request, TransactionResponse response) {
                if (response instanceof TransactionResponse.Failed(ErrorCode code, String message, var _)) {
                    refused.accept(code, message);
                }
            }

            @Override
            public boolean isGone() {
                return isGone;
            }

            @Override
            public String origin() {
                return origin;
            }
        };
    }

    @Override
    public boolean isGone() {
        return isGone;
    }

    @Override
    public String origin() {
        return origin;
    }

    @Override
    public HeldCursors heldCursors() {
        return cursors;
    }

    @Override
    public LastNumbers lastNumbers() {
        return numbers;
    }

    /** Numbers that are drawn from now on can be forgotten. */
    void holdNumbers() {
        settleNumbers();
        numbers = ofConnection.above();
    }

    /** Numbers that were drawn so far stay known. */
    void settleNumbers() {
        numbers.settle();
        numbers = ofConnection;
    }

    /** Forgets what was drawn since {@link #holdNumbers}. */
    void forgetNumbers() {
        numbers = ofConnection;
    }

    @Override
    public ConnectionSettings settings() {
        return settings;
    }
}
