package dev.fulmar.benchmarks.timestone;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Measures one rival: threads run random operations on its nodes for a fixed time, with rate, latencies and conflicts
 * as the result.
 */
final class Trial {
    private static final long MOST_NANOS = 60_000_000_000L;

    /** An operation drawn at random. */
    interface Operation {
        void run(Nodes.Access access, SplittableRandom random);
    }

    /** Measurements of a trial. Latencies are of whole operations, attempts that failed included. */
    record Result(double perSecond, double p50Micros, double p99Micros, double conflictsPerOperation) {}

    private Trial() {}

    static Result run(Nodes nodes, int threads, long nanos, long seed, Operation operation) {
        List<Worker> workers = new ArrayList<>();
        CountDownLatch start = new CountDownLatch(1);
        AtomicReference<@Nullable Throwable> broken = new AtomicReference<>();
        for (int i = 0; i < threads; i++) {
            Worker worker = new Worker(nodes, nanos, new SplittableRandom(seed + i), operation, start);
            worker.thread = Thread.ofPlatform()
                    .name("timestone-" + i)
                    .uncaughtExceptionHandler((thread, thrown) -> broken.compareAndSet(null, thrown))
                    .start(worker);
            workers.add(worker);
        }
        start.countDown();
        Histogram latencies = new Histogram(MOST_NANOS, 2);
        double perSecond = 0;
        long conflicts = 0;
        for (Worker worker : workers) {
            join(worker.thread);
            latencies.add(worker.latencies);
            perSecond += worker.operations * 1e9 / worker.elapsedNanos;
            conflicts += worker.conflicts;
        }
        if (broken.get() != null) {
            throw new IllegalStateException("a thread of the trial broke", broken.get());
        }
        long operations = Math.max(
                1, workers.stream().mapToLong(worker -> worker.operations).sum());
        return new Result(
                perSecond,
                latencies.getValueAtPercentile(50) / 1e3,
                latencies.getValueAtPercentile(99) / 1e3,
                (double) conflicts / operations);
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    private static final class Worker implements Runnable {
        private final Nodes nodes;
        private final long nanos;
        private final SplittableRandom random;
        private final Operation operation;
        private final CountDownLatch start;
        private final Histogram latencies = new Histogram(MOST_NANOS, 2);
        private Thread thread = Thread.currentThread();
        private long operations;
        private long conflicts;
        private long elapsedNanos = 1;

        Worker(Nodes nodes, long nanos, SplittableRandom random, Operation operation, CountDownLatch start) {
            this.nodes = nodes;
            this.nanos = nanos;
            this.random = random;
            this.operation = operation;
            this.start = start;
        }

        @Override
        public void run() {
            try (Nodes.Access access = nodes.access()) {
                start.await();
                long conflictsBefore = access.conflicts();
                long begin = System.nanoTime();
                long last = begin;
                while (last - begin < nanos) {
                    operation.run(access, random);
                    long now = System.nanoTime();
                    latencies.recordValue(Math.min(MOST_NANOS, now - last));
                    last = now;
                    operations++;
                }
                elapsedNanos = last - begin;
                conflicts = access.conflicts() - conflictsBefore;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
