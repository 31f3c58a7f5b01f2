package dev.fulmar.coordinator;

import dev.fulmar.coordinator.change.ChangeQueue;
import dev.fulmar.coordinator.transaction.LiveTransactions;
import dev.fulmar.coordinator.transaction.NodeServices;
import dev.fulmar.coordinator.transaction.PartitionRuntime;
import dev.fulmar.coordinator.transaction.PartitionRuntimes;
import dev.fulmar.engine.partition.PartitionTask;
import dev.fulmar.foundation.error.ErrorCode;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;

/**
 * The orderly stop of a database: waits until no work is left, then releases its resources. Every partition is asked in
 * turn whether it has passed a mark. The node is at rest when two such rounds in a row found no work anywhere. That is
 * safe because a request that moves on does so to a partition, or to a transaction that is counted.
 */
final class Shutdown {
    private static final long ROUND_NANOS = 1_000_000;
    private static final int QUIET_ROUNDS = 2;

    private final NodeServices services;
    private final PartitionRuntimes runtimes;
    private final DatabaseRouter router;
    private final LiveTransactions live;
    private final ChangeQueue changes;
    private final IntSupplier held;
    private final Runnable release;
    private final CompletableFuture<Void> done;
    private final AtomicInteger marksToPass = new AtomicInteger();
    private long deadlineNanos;
    private int quietRounds;
    private boolean cancelled;

    /** @param held replies and votes that wait for the log */
    Shutdown(
            NodeServices services,
            PartitionRuntimes runtimes,
            DatabaseRouter router,
            LiveTransactions live,
            ChangeQueue changes,
            IntSupplier held,
            Runnable release,
            CompletableFuture<Void> done) {
        this.services = services;
        this.runtimes = runtimes;
        this.router = router;
        this.live = live;
        this.changes = changes;
        this.held = held;
        this.release = release;
        this.done = done;
    }

    void begin(long timeoutNanos) {
        deadlineNanos = services.clock().monotonicNanos() + timeoutNanos;
        nextRound();
    }

    private void nextRound() {
        marksToPass.set(runtimes.count());
        for (PartitionRuntime runtime : runtimes.all()) {
            runtime.partition().inbox().put((PartitionTask) partition -> marksToPass.decrementAndGet());
        }
        services.scheduler().schedule(ROUND_NANOS, this::look);
    }

    /** Runs on the scheduler's thread. */
    private void look() {
        boolean late = services.clock().monotonicNanos() - deadlineNanos > 0;
        if (marksToPass.get() == 0) {
            quietRounds = isQuiet() ? quietRounds + 1 : 0;
            if (quietRounds == QUIET_ROUNDS) {
                finish();
                return;
            }
        }
        if (late && cancelled) {
            finish();
        } else if (late) {
            cancelled = true; // the last chance to undo in order, for as long again as a round
            live.cancelAll(ErrorCode.NODE_STOPPING, "the node stops and could not wait for the transaction any longer");
            services.scheduler().schedule(ROUND_NANOS, this::look);
        } else if (marksToPass.get() == 0) {
            nextRound();
        } else {
            services.scheduler().schedule(ROUND_NANOS, this::look);
        }
    }

    private boolean isQuiet() {
        return router.compilingCount() == 0
                && changes.openCount() == 0
                && live.count() == 0
                && held.getAsInt() == 0
                && runtimes.all().stream()
                        .allMatch(runtime -> runtime.partition().inbox().isEmpty());
    }

    private void finish() {
        try {
            release.run();
            done.complete(null);
        } catch (RuntimeException | Error e) {
            done.completeExceptionally(e);
        }
    }
}
