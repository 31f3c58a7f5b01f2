package dev.fulmar.coordinator.session;

import dev.fulmar.coordinator.portal.PortalSource;
import dev.fulmar.coordinator.request.PassingSink;
import dev.fulmar.coordinator.request.ResponseSink;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Failed;
import dev.fulmar.coordinator.transaction.HeldSnapshot;
import dev.fulmar.coordinator.transaction.HeldSnapshot.Question;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.schedule.Scheduler;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The snapshots of a transaction that only reads: one for all its queries, or one for each at READ COMMITTED. The
 * session asks when it has the answer before. Touched where its events are handled, but for cancellations.
 */
final class SnapshotReads {
    /**
     * A cursor at a snapshot.
     *
     * @param number of the cursor there
     */
    record Place(HeldSnapshot snapshot, int number) {}

    /** Memory of a snapshot here and at the partitions. */
    private static final long SNAPSHOT_BYTES = 16 << 10;

    private final PortalSource source;
    private final Scheduler scheduler;
    private final OpenTransaction transaction;

    private final List<HeldSnapshot> held = new ArrayList<>();
    private @Nullable HeldSnapshot shared;
    private final AtomicReference<@Nullable Asking> running = new AtomicReference<>();

    SnapshotReads(PortalSource source, Scheduler scheduler, OpenTransaction transaction) {
        this.source = source;
        this.scheduler = scheduler;
        this.transaction = transaction;
        transaction.atEnd(this::close);
    }

    /** A question that is not answered yet. */
    private final class Asking extends PassingSink<TransactionRequest.AdHoc> {
        private final HeldSnapshot snapshot;
        private final Scheduler.Timer timer;

        Asking(TransactionRequest.AdHoc request, HeldSnapshot snapshot, ResponseSink sink) {
            super(request, sink);
            this.snapshot = snapshot;
            this.timer = scheduler.schedule(
                    source.timeoutNanos(request),
                    () -> end(
                            ErrorCode.TIMEOUT,
                            "the query was not answered in time; read less at once, or raise the time-out"));
        }

        boolean isOf(long clientId, long requestId) {
            return request.clientId() == clientId && request.requestId() == requestId;
        }

        void end(ErrorCode code, String message) {
            if (running.get() == this) {
                snapshot.end(code, message);
            }
        }

        @Override
        public void respond(TransactionRequest asked, TransactionResponse response) {
            running.set(null);
            timer.cancel();
            sink.respond(request, told(response, snapshot));
        }
    }

    /** Where the state is chosen, a transaction that cannot go on must be run again. */
    private static TransactionResponse told(TransactionResponse response, HeldSnapshot snapshot) {
        if (!(response instanceof Failed(ErrorCode code, String message, var _))) {
            return response;
        }
        boolean isLost = snapshot.isOver() && snapshot.hasAnswered() && code.category() == ErrorCode.Category.RETRYABLE;
        return isLost || code == ErrorCode.SNAPSHOT_TOO_OLD || code == ErrorCode.TRANSACTION_RESTART
                ? new Failed(
                        ErrorCode.SERIALIZATION_FAILURE,
                        "the snapshot that the transaction reads is lost; run it again from BEGIN on (" + message + ")")
                : response;
    }

    /** Whether the snapshot of all queries is lost. */
    boolean isOver() {
        HeldSnapshot known = shared;
        return known != null && known.isOver();
    }

    /** The rows of a query are the answer. */
    void query(TransactionRequest.AdHoc request, ResponseSink sink) {
        HeldSnapshot snapshot = snapshot();
        Asking asking = new Asking(request, snapshot, sink);
        running.set(asking);
        source.ask(snapshot, request, 0, asking);
    }

    /** Declares a cursor; the answer says whether it is one. */
    Place declare(TransactionRequest.AdHoc request, int number, ResponseSink sink) {
        HeldSnapshot snapshot = snapshot();
        Asking asking = new Asking(request, snapshot, sink);
        running.set(asking);
        source.ask(snapshot, request, number, asking);
        return new Place(snapshot, number);
    }

    /** So many rows of a cursor are the answer. */
    void fetch(Place cursor, int rows, TransactionRequest.AdHoc request, ResponseSink sink) {
        ask(cursor.snapshot(), new Question.Fetch(request, cursor.number(), rows), sink);
    }

    /** The count of rows of a cursor that are skipped is the answer. */
    void move(Place cursor, int rows, TransactionRequest.AdHoc request, ResponseSink sink) {
        ask(cursor.snapshot(), new Question.Move(request, cursor.number(), rows), sink);
    }

    private void ask(HeldSnapshot snapshot, Question question, ResponseSink sink) {
        Asking asking = new Asking(question.request(), snapshot, sink);
        running.set(asking);
        snapshot.ask(question, asking);
    }

    /** Gives up what is left of a cursor. */
    void close(Place cursor) {
        if (cursor.snapshot() == shared) {
            cursor.snapshot().close(cursor.number());
        } else {
            end(cursor.snapshot());
        }
    }

    private HeldSnapshot snapshot() {
        HeldSnapshot known = shared;
        if (known != null) {
            return known;
        }
        transaction.take(SNAPSHOT_BYTES);
        HeldSnapshot begun = source.hold(transaction.micros(), transaction.seed(), transaction.memory());
        held.add(begun);
        if (transaction.isOfOneState()) {
            shared = begun;
        }
        return begun;
    }

    /** Ends the snapshots of queries that are answered, but for one of all queries, and those of cursors. */
    void answered(List<Place> cursors) {
        for (HeldSnapshot each : List.copyOf(held)) {
            boolean isRead = each == shared || cursors.stream().anyMatch(cursor -> cursor.snapshot() == each);
            if (!isRead) {
                end(each);
            }
        }
    }

    private void end(HeldSnapshot snapshot) {
        if (held.remove(snapshot)) {
            transaction.giveBack(SNAPSHOT_BYTES);
            snapshot.end(ErrorCode.NO_ACTIVE_TRANSACTION, "the transaction has ended, or its cursor");
        }
    }

    private void close() {
        List.copyOf(held).forEach(this::end);
        shared = null;
    }

    /** Ends what is read for the request, if that is not answered yet. Any thread. */
    void cancel(long clientId, long requestId) {
        stop(asking -> {
            if (asking.isOf(clientId, requestId)) {
                asking.end(ErrorCode.CANCELLED, "the query was cancelled");
            }
        });
    }

    /** The client is gone, and waits for no answer. */
    void departed() {
        stop(asking -> asking.end(ErrorCode.CANCELLED, "the client is gone"));
    }

    private void stop(Consumer<Asking> ending) {
        Asking asking = running.get();
        if (asking != null) {
            ending.accept(asking);
        }
    }
}
