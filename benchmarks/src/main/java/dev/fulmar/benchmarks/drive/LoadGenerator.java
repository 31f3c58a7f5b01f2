package dev.fulmar.benchmarks.drive;

import dev.fulmar.benchmarks.workload.RequestSource;
import dev.fulmar.client.CallResult;
import dev.fulmar.client.FulmarClient;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Drives a server with streams of requests. In a closed loop a stream sends its next request when the last one is answered,
 * on the client's own thread, so no thread changes in between; in an open loop a stream's requests are due at fixed times.
 */
public final class LoadGenerator {
    private final FulmarClient client;
    private final LoadShape shape;
    private final Measurement measurement = new Measurement();
    private final CountDownLatch running;
    private volatile boolean stopping;

    public LoadGenerator(FulmarClient client, LoadShape shape) {
        this.client = client;
        this.shape = shape;
        running = new CountDownLatch(shape.streams());
    }

    /** Runs the load to its end; {@code sources} has one per stream. */
    public LoadReport run(List<? extends RequestSource> sources, LoadListener listener) throws InterruptedException {
        if (sources.size() != shape.streams()) {
            throw new IllegalArgumentException("need " + shape.streams() + " sources, not " + sources.size());
        }
        long startNanos = System.nanoTime();
        for (int i = 0; i < sources.size(); i++) {
            new Stream(sources.get(i), startNanos, i).sendNext();
        }
        Measurement.Interval counted = Measurement.Interval.empty();
        long countedFromNanos = startNanos + shape.warmupSeconds() * 1_000_000_000L;
        int last = shape.warmupSeconds() + shape.seconds();
        long countedToNanos = startNanos;
        for (int second = 1; second <= last; second++) {
            waitUntil(startNanos + second * 1_000_000_000L);
            Measurement.Interval interval = measurement.takeInterval();
            boolean warmup = second <= shape.warmupSeconds();
            countedToNanos = System.nanoTime();
            if (warmup) {
                countedFromNanos = countedToNanos;
            } else {
                counted = counted.plus(interval);
            }
            listener.second(
                    second, warmup, interval.committed(), interval.aborted(), interval.failed(), interval.latency());
        }
        stopping = true;
        running.await();
        return new LoadReport(
                (countedToNanos - countedFromNanos) / 1e9,
                counted.committed(),
                counted.aborted(),
                counted.failures(),
                counted.latency());
    }

    private static void waitUntil(long deadlineNanos) {
        for (long left = deadlineNanos - System.nanoTime(); left > 0; left = deadlineNanos - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    /** One place in flight. Touched by one thread at a time: whoever completes its request sends the next one. */
    private final class Stream {
        private final RequestSource source;
        private final long intervalNanos;
        private long dueNanos;

        Stream(RequestSource source, long startNanos, int number) {
            this.source = source;
            intervalNanos = shape.isOpenLoop() ? (long) (1e9 * shape.streams() / shape.ratePerSecond()) : 0;
            dueNanos = startNanos + intervalNanos * number / shape.streams();
        }

        /** A loop, because replies that are there at once must not deepen the stack. */
        void sendNext() {
            while (!stopping) {
                long aheadNanos = shape.isOpenLoop() ? dueNanos - System.nanoTime() : 0;
                if (aheadNanos > 0) {
                    CompletableFuture.delayedExecutor(aheadNanos, TimeUnit.NANOSECONDS)
                            .execute(this::sendNext);
                    return;
                }
                if (!shape.isOpenLoop()) {
                    dueNanos = System.nanoTime();
                }
                CompletableFuture<CallResult> reply = send();
                if (!reply.isDone()) {
                    var _ = reply.whenComplete((result, problem) -> {
                        answered(result, problem);
                        sendNext();
                    });
                    return;
                }
                var _ = reply.whenComplete(this::answered);
            }
            running.countDown();
        }

        private CompletableFuture<CallResult> send() {
            try {
                return source.send(client);
            } catch (RuntimeException e) {
                return CompletableFuture.failedFuture(e);
            }
        }

        private void answered(@Nullable CallResult result, @Nullable Throwable problem) {
            measurement.record(System.nanoTime() - dueNanos, problem);
            if (result != null) {
                source.committed(result);
            }
            dueNanos += intervalNanos;
        }
    }
}
