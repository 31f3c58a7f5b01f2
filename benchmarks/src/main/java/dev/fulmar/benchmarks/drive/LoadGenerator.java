package dev.fulmar.benchmarks.drive;

import dev.fulmar.benchmarks.workload.RequestSource;
import dev.fulmar.client.CallHandler;
import dev.fulmar.client.CallResult;
import dev.fulmar.client.FulmarClient;
import dev.fulmar.foundation.error.FulmarException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Drives a server with streams of requests. In a closed loop a stream sends its next request when the last one is
 * answered, on the client's own thread, so no thread changes in between; in an open loop a stream's requests are due at
 * fixed times.
 */
public final class LoadGenerator {
    private final FulmarClient client;
    private final LoadShape shape;
    private final Measurement measurement = new Measurement();
    private final CountDownLatch running;
    private volatile boolean ending;
    private volatile boolean stopping;

    public LoadGenerator(FulmarClient client, LoadShape shape) {
        this.client = client;
        this.shape = shape;
        running = new CountDownLatch(shape.streams());
    }

    /** Ends the load before its time, within a second. For any thread. */
    public void end() {
        ending = true;
    }

    /** Runs the load to its end; {@code sources} has one per stream. */
    public LoadReport run(List<? extends RequestSource> sources, LoadListener listener) throws InterruptedException {
        if (sources.size() != shape.streams()) {
            throw new IllegalArgumentException("need " + shape.streams() + " sources, not " + sources.size());
        }
        long startNanos = System.nanoTime();
        for (int i = 0; i < sources.size(); i++) {
            new Stream(sources.get(i), startNanos, i).start();
        }
        Measurement.Interval counted = Measurement.Interval.empty();
        long countedFromNanos = startNanos + shape.warmupSeconds() * 1_000_000_000L;
        int last = shape.warmupSeconds() + shape.seconds();
        long countedToNanos = startNanos;
        for (int second = 1; second <= last && !ending; second++) {
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
    private final class Stream implements CallHandler {
        private static final int SENDING = 0;
        private static final int WAITING = 1;
        private static final int ANSWERED = 2;

        private final RequestSource source;
        private final long intervalNanos;
        private final AtomicInteger state = new AtomicInteger();
        private long dueNanos;

        Stream(RequestSource source, long startNanos, int number) {
            this.source = source;
            intervalNanos = shape.isOpenLoop() ? (long) (1e9 * shape.streams() / shape.ratePerSecond()) : 0;
            dueNanos = startNanos + intervalNanos * number / shape.streams();
        }

        void start() {
            sendNext(System.nanoTime());
        }

        /** A loop, because replies that are there at once must not deepen the stack. */
        private void sendNext(long firstNanos) {
            long nowNanos = firstNanos;
            while (!stopping) {
                if (!shape.isOpenLoop()) {
                    dueNanos = nowNanos;
                } else if (dueNanos - nowNanos > 0) {
                    CompletableFuture.delayedExecutor(dueNanos - nowNanos, TimeUnit.NANOSECONDS)
                            .execute(this::start);
                    return;
                }
                state.set(SENDING);
                send();
                if (state.compareAndSet(SENDING, WAITING)) {
                    return;
                }
                nowNanos = System.nanoTime();
            }
            running.countDown();
        }

        private void send() {
            try {
                source.send(client, this);
            } catch (FulmarException e) {
                failed(e);
            }
        }

        @Override
        public void completed(CallResult result) {
            long nowNanos = System.nanoTime();
            try {
                source.committed(result);
                measurement.record(nowNanos - dueNanos, null);
            } catch (RuntimeException e) {
                measurement.record(nowNanos - dueNanos, e);
            }
            answered(nowNanos);
        }

        @Override
        public void failed(FulmarException error) {
            long nowNanos = System.nanoTime();
            measurement.record(nowNanos - dueNanos, error);
            answered(nowNanos);
        }

        private void answered(long nowNanos) {
            dueNanos += intervalNanos;
            if (state.getAndSet(ANSWERED) == WAITING) {
                sendNext(nowNanos);
            }
        }
    }
}
