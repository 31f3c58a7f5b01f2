package dev.fulmar.coordinator.portal;

import dev.fulmar.coordinator.request.ResponseSink;
import dev.fulmar.coordinator.request.SerialEvents;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.request.TransactionResponse.Kind;
import dev.fulmar.coordinator.transaction.Answers;
import dev.fulmar.coordinator.transaction.PortalReader;
import dev.fulmar.engine.execution.PartSize;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.failstop.FatalErrors;
import dev.fulmar.foundation.schedule.Scheduler;
import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One portal: its fetches, one after the other, and the reader behind them. Thread-safe: the thread that brings an
 * event handles it, unless another one handles events; then that one does it too.
 */
final class Portal implements PortalReader.Listener {
    /** Listener to a portal, which calls it while it handles events. */
    interface Listener {
        /** Its client did not fetch for too long. */
        void timedOut();

        /** Nothing is left of it; the last call. */
        void ended();
    }

    /** A request that waits for a part. */
    record Asked(TransactionRequest request, int rows, ResponseSink sink) {}

    /** An event in the life of a portal. */
    private sealed interface Event {
        record Fetched(Asked asked) implements Event {}

        record PartRead(byte[] rows, boolean isLast, long snapshot) implements Event {}

        record Failed(ErrorCode code, String message) implements Event {}

        record Closed(TransactionRequest request, ResponseSink sink) implements Event {}

        record Cancelled(long clientId, long requestId) implements Event {}

        record Abandoned() implements Event {}

        /** @param timer number of the timer that has run down */
        record TimeOver(long timer) implements Event {}
    }

    /** More fetches than these do not wait: a client has no use for them. */
    private static final int MOST_WAITING = 16;

    private final PortalSource source;
    private final Scheduler scheduler;
    private final PortalLimits limits;
    private final Listener listener;
    private final AtomicReference<@Nullable PortalReader> reader = new AtomicReference<>();

    private final SerialEvents<Event> events = new SerialEvents<>(this::handleSafely);

    // Touched while handling events only.
    private final ArrayDeque<Asked> waiting = new ArrayDeque<>();
    private @Nullable Asked running;

    /** Why no part comes any more. */
    private @Nullable FulmarException failure;

    private boolean isOver;
    private final AtomicReference<Scheduler.@Nullable Timer> timer = new AtomicReference<>();
    private long timerNumber;

    Portal(PortalSource source, Scheduler scheduler, PortalLimits limits, Listener listener) {
        this.source = source;
        this.scheduler = scheduler;
        this.limits = limits;
        this.listener = listener;
    }

    /** Begins, before any fetch. */
    void begin(Function<PortalReader.Listener, PortalReader> readers) {
        reader.set(readers.apply(this));
    }

    void fetch(Asked asked) {
        events.post(new Event.Fetched(asked));
    }

    void close(TransactionRequest request, ResponseSink sink) {
        events.post(new Event.Closed(request, sink));
    }

    void cancel(long clientId, long requestId) {
        events.post(new Event.Cancelled(clientId, requestId));
    }

    /** The client is gone. */
    void abandon() {
        events.post(new Event.Abandoned());
    }

    @Override
    public void part(byte[] rows, boolean isLast, long snapshot) {
        events.post(new Event.PartRead(rows, isLast, snapshot));
    }

    @Override
    public void failed(ErrorCode code, String message) {
        events.post(new Event.Failed(code, message));
    }

    private void handleSafely(Event event) {
        try {
            handle(event);
        } catch (RuntimeException | Error defect) { // else its client would wait for ever
            TransactionResponse.Failed told = Answers.defect(defect);
            fail(new FulmarException(told.code(), told.message()));
            FatalErrors.handIfFatal(defect);
        }
    }

    private void handle(Event event) {
        switch (event) {
            case Event.Fetched(Asked asked) -> fetched(asked);
            case Event.PartRead(byte[] rows, boolean isLast, long snapshot) -> read(rows, isLast, snapshot);
            case Event.Failed(ErrorCode code, String message) -> fail(new FulmarException(code, message));
            case Event.Closed(TransactionRequest request, ResponseSink sink) -> {
                end(closed());
                respond(request, sink, Committed.DONE);
            }
            case Event.Cancelled(long clientId, long requestId) -> cancelled(clientId, requestId);
            case Event.Abandoned _ -> end(closed());
            case Event.TimeOver(long number) -> timeOver(number);
        }
        while (running == null && !waiting.isEmpty()) {
            begin(waiting.remove());
        }
    }

    private static FulmarException closed() {
        return new FulmarException(ErrorCode.PORTAL_ENDED, "the portal was closed while the part was awaited");
    }

    private void fetched(Asked asked) {
        if (waiting.size() >= MOST_WAITING) {
            respond(
                    asked,
                    new FulmarException(
                            ErrorCode.TOO_MANY_PORTALS,
                            MOST_WAITING + " fetches wait for parts of the portal; fetch the next part when the one"
                                    + " before is there"));
        } else {
            waiting.add(asked);
        }
    }

    private void begin(Asked asked) {
        FulmarException why = failure;
        PortalReader from = reader.get();
        if (why != null) {
            respond(asked, why);
            end(why); // its client knows
        } else if (isOver || from == null) {
            respond(asked, Portals.notOpen());
        } else if (!asked.sink().reserve(asked.request(), limits.partBytes())) {
            respond(
                    asked,
                    new FulmarException(
                            ErrorCode.SERVER_BUSY,
                            "there is no memory for another part now; fetch it again after a moment, or raise"
                                    + " requests.memory-limit"));
        } else {
            running = asked;
            setTimer(source.timeoutNanos(asked.request()));
            from.fetch(new PartSize(asked.rows(), limits.partBytes()));
        }
    }

    private void read(byte[] rows, boolean isLast, long snapshot) {
        Asked asked = running;
        if (asked == null) {
            return; // it ended meanwhile
        }
        running = null;
        respond(asked.request(), asked.sink(), new Committed(Kind.TABLE, isLast ? 0 : 1, rows, snapshot));
        if (isLast) {
            end(Portals.notOpen());
        } else {
            setTimer(limits.idleNanos());
        }
    }

    /** Keeps why it failed until its client has heard of it. */
    private void fail(FulmarException why) {
        if (isOver || failure != null) {
            return;
        }
        failure = why;
        Asked asked = running;
        if (asked == null) {
            setTimer(limits.idleNanos());
        } else {
            running = null;
            respond(asked, why);
            end(why);
        }
    }

    private void cancelled(long clientId, long requestId) {
        Asked asked = running;
        if (asked != null
                && asked.request().clientId() == clientId
                && asked.request().requestId() == requestId) {
            stop(ErrorCode.CANCELLED, "the fetch was cancelled, which has ended the portal; open it again");
        }
    }

    /** Ends the reader; its listener hears of it. */
    private void stop(ErrorCode code, String message) {
        PortalReader from = reader.get();
        if (from != null) {
            from.end(code, message);
        }
    }

    private void timeOver(long number) {
        if (number != timerNumber || isOver) {
            return;
        }
        if (failure != null) {
            end(failure); // its client has had as long again to hear of it
        } else if (running != null) {
            stop(
                    ErrorCode.TIMEOUT,
                    "the part was not there in time, which has ended the portal; open it again with smaller parts, or"
                            + " raise the time-out");
        } else {
            listener.timedOut();
            FulmarException why = new FulmarException(
                    ErrorCode.PORTAL_ENDED,
                    "the portal was not fetched from for " + limits.idleNanos() / 1_000_000
                            + " ms and was ended; open it again, and fetch sooner or raise portals.idle-timeout");
            fail(why);
            stop(why.code(), String.valueOf(why.getMessage()));
        }
    }

    private void setTimer(long nanos) {
        cancelTimer();
        long number = ++timerNumber;
        timer.set(scheduler.schedule(nanos, () -> events.post(new Event.TimeOver(number))));
    }

    private void cancelTimer() {
        Scheduler.Timer known = timer.getAndSet(null);
        if (known != null) {
            known.cancel();
        }
    }

    /** Gives up everything; those that wait hear the reason. */
    private void end(FulmarException reason) {
        if (isOver) {
            return;
        }
        isOver = true;
        cancelTimer();
        stop(reason.code(), String.valueOf(reason.getMessage()));
        Asked asked = running;
        running = null;
        if (asked != null) {
            respond(asked, reason);
        }
        while (!waiting.isEmpty()) {
            respond(waiting.remove(), reason);
        }
        listener.ended();
    }

    private static void respond(Asked asked, FulmarException failure) {
        respond(asked.request(), asked.sink(), Answers.failed(failure));
    }

    private static void respond(TransactionRequest request, ResponseSink sink, TransactionResponse response) {
        sink.respond(request, response);
        sink.flush();
    }
}
