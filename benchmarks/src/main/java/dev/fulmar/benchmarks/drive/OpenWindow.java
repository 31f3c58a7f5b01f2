package dev.fulmar.benchmarks.drive;

import dev.fulmar.foundation.error.FulmarException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** A window of a steady load whose requests do not all have their outcomes. Thread-safe. */
final class OpenWindow {
    /** Shorter times are in the histogram only. */
    private static final long SLOW_NANOS = 100_000_000;

    private final long startNanos;
    private final Measurement measurement = new Measurement();
    private final ConcurrentLinkedQueue<LoadWindow.Slow> slow = new ConcurrentLinkedQueue<>();
    private final AtomicLong offered = new AtomicLong();

    /** Requests without outcome, and one for the window itself until it ends. */
    private final AtomicLong open = new AtomicLong(1);

    private final CompletableFuture<LoadWindow> ended = new CompletableFuture<>();
    private volatile long endNanos;

    OpenWindow(long startNanos) {
        this.startNanos = startNanos;
    }

    /** A request is sent. */
    void offer() {
        offered.incrementAndGet();
        open.incrementAndGet();
    }

    void answered(long dueNanos, long latencyNanos, @Nullable FulmarException problem) {
        measurement.record(latencyNanos, problem);
        if (latencyNanos >= SLOW_NANOS) {
            slow.add(new LoadWindow.Slow(dueNanos, latencyNanos));
        }
        leave();
    }

    /** No more requests are sent in it. */
    CompletableFuture<LoadWindow> end(long nowNanos) {
        endNanos = nowNanos;
        leave();
        return ended;
    }

    private void leave() {
        if (open.decrementAndGet() == 0) {
            Measurement.Interval all = measurement.takeInterval();
            ended.complete(new LoadWindow(
                    (endNanos - startNanos) / 1e9,
                    offered.get(),
                    all.committed() + all.aborted(),
                    all.failures(),
                    all.histogram(),
                    List.copyOf(slow)));
        }
    }
}
