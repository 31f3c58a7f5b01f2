package dev.fulmar.coordinator.transaction;

import dev.fulmar.coordinator.fiber.Fiber;
import dev.fulmar.coordinator.fiber.FiberFactory;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.request.TransactionResponse.Failed;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.failstop.FatalErrors;
import dev.fulmar.foundation.id.TransactionId;
import dev.fulmar.foundation.time.Clock;
import dev.fulmar.foundation.time.HybridLogicalClock;
import org.jspecify.annotations.Nullable;

/**
 * A transaction over several partitions that only reads, all of them at one timestamp. It takes no lock; its control
 * code runs in a fiber.
 */
final class SnapshotTransaction implements LiveTransactions.Live {
    private final TransactionId id;
    private final Clock clock;
    private final PartitionRuntimes runtimes;
    private final PartitionTransport transport;
    private final ControlCode control;
    private final boolean strict;
    private final boolean single;
    private final DistributedTransaction.Completion completion;
    private final Fiber fiber;

    private volatile @Nullable Failed cancelled;

    /**
     * @param strict whether everything that was acknowledged before must be seen
     * @param single whether the control code executes one batch only
     */
    SnapshotTransaction(
            TransactionId id,
            Clock clock,
            PartitionRuntimes runtimes,
            PartitionTransport transport,
            FiberFactory fibers,
            ControlCode control,
            boolean strict,
            boolean single,
            DistributedTransaction.Completion completion) {
        this.id = id;
        this.clock = clock;
        this.runtimes = runtimes;
        this.transport = transport;
        this.control = control;
        this.strict = strict;
        this.single = single;
        this.completion = completion;
        this.fiber = fibers.create("snapshot", this::runAttempts);
    }

    @Override
    public TransactionId id() {
        return id;
    }

    void start() {
        fiber.start();
    }

    @Override
    public void cancel(ErrorCode code, String message) {
        if (cancelled == null) {
            cancelled = new Failed(code, message);
            control.interrupt(new AttemptEnded(message));
            fiber.unpark();
        }
    }

    boolean isCancelled() {
        return cancelled != null;
    }

    /** A timestamp that most likely no partition has passed: the last one of this microsecond. */
    long proposal() {
        return HybridLogicalClock.ofMicros(clock.wallMicros() + 1) - 1;
    }

    void park() {
        fiber.park();
    }

    /** Something that the fiber may wait for has happened. Any thread. */
    void wake() {
        fiber.unpark();
    }

    private void runAttempts() {
        int restarts = -1;
        TransactionResponse response;
        SnapshotAttempt attempt;
        do {
            restarts++;
            attempt = new SnapshotAttempt(this, runtimes, transport, strict, single, restarts);
            response = run(attempt);
        } while (attempt.mustRestart() && cancelled == null);
        control.ended();
        completion.completed(response, restarts);
    }

    /** A failure too may tell of what was read. */
    private TransactionResponse answer(SnapshotAttempt attempt) throws Exception {
        try {
            return control.run(attempt);
        } catch (FulmarException failed) {
            return new Failed(failed.code(), String.valueOf(failed.getMessage()));
        }
    }

    private TransactionResponse run(SnapshotAttempt attempt) {
        Failed before = cancelled;
        if (before != null) { // it asks no partition for anything
            return before;
        }
        TransactionResponse response;
        try {
            response = answer(attempt);
            attempt.confirm();
        } catch (Throwable thrown) { // an ended attempt, or a defect: either way the caller gets an answer
            FatalErrors.handIfClassIsGone(thrown);
            response = new Failed(ErrorCode.INTERNAL, "the transaction broke off: " + thrown);
        } finally {
            attempt.close();
        }
        Failed reason = cancelled;
        if (reason != null) {
            return reason;
        }
        return response instanceof Committed done
                ? new Committed(done.kind(), done.value(), done.results(), attempt.timestamp())
                : response;
    }
}
