package dev.fulmar.client;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Admits calls while there is room for them, and tells the handler of each its outcome, once. Thread-safe. */
final class CallAdmission {
    private static final Logger LOG = LoggerFactory.getLogger(CallAdmission.class);
    private static final long DRAIN_POLL_NANOS = 100_000;

    private final int maxOutstanding;
    private final boolean waitsWhenFull;
    private final Semaphore room;

    /** Calls whose handlers have not returned. Room is given back earlier, so that a handler can send the next call. */
    private final AtomicInteger unsettled = new AtomicInteger();

    private final ClientCounters counters = new ClientCounters();

    CallAdmission(int maxOutstanding, boolean waitsWhenFull) {
        this.maxOutstanding = maxOutstanding;
        this.waitsWhenFull = waitsWhenFull;
        this.room = new Semaphore(maxOutstanding);
    }

    /** Takes one more call in; whether there is room for it at once. Else {@link #admits} has to decide. */
    boolean hasRoom() {
        unsettled.incrementAndGet();
        return room.tryAcquire();
    }

    /**
     * Whether there is room for the call before its time is over. If not, its handler has been told.
     *
     * @param mayWait whether the caller's thread may wait; an event loop's must not
     */
    boolean admits(PendingCall call, boolean mayWait) {
        try {
            if (waitsWhenFull && mayWait && room.tryAcquire(call.timeoutMillis, TimeUnit.MILLISECONDS)) {
                return true;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        failedWithoutRoom(
                call,
                new FulmarException(
                        ErrorCode.SERVER_BUSY,
                        "the call was not sent: " + maxOutstanding
                                + " calls wait for their outcome already; send fewer at a time or raise maxOutstanding"));
        return false;
    }

    void succeeded(PendingCall call, CallResult result) {
        counters.completed.increment();
        room.release();
        try {
            call.handler.completed(result);
        } catch (RuntimeException e) {
            LOG.error("the handler of a call of {} failed", call.text, e);
        } finally {
            unsettled.decrementAndGet();
        }
    }

    void failed(PendingCall call, FulmarException error) {
        room.release();
        failedWithoutRoom(call, error);
    }

    private void failedWithoutRoom(PendingCall call, FulmarException error) {
        counters.failed.increment();
        if (error.code() == ErrorCode.TIMEOUT || error.code() == ErrorCode.OUTCOME_UNKNOWN) {
            counters.outcomesUnknown.increment();
        }
        try {
            call.handler.failed(error);
        } catch (RuntimeException e) {
            LOG.error("the handler of a failed call of {} failed", call.text, e);
        } finally {
            unsettled.decrementAndGet();
        }
    }

    /** Waits until the handlers of all calls have returned. */
    void drain() {
        while (unsettled.get() > 0) {
            LockSupport.parkNanos(DRAIN_POLL_NANOS);
        }
    }

    ClientCounters counters() {
        return counters;
    }

    ClientStatistics statistics() {
        return new ClientStatistics(
                counters.completed.sum(),
                counters.failed.sum(),
                counters.outcomesUnknown.sum(),
                counters.repeated.sum(),
                counters.connectionsLost.sum(),
                maxOutstanding - room.availablePermits());
    }
}
