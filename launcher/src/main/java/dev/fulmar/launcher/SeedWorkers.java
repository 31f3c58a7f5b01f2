package dev.fulmar.launcher;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * Threads that run seeds. Invariant: seeds are counted in their order, so a campaign is the same on any number of
 * threads.
 */
final class SeedWorkers implements AutoCloseable {
    /** Runs per thread that may wait to be counted: some seeds take much longer than others. */
    private static final int MOST_OPEN = 8;

    private final SimulatedSeeds seeds;
    private final int mostOpen;
    private final long first;
    private final long last;
    private final long endNanos;
    private final ExecutorService threads;
    private final Queue<Future<SimulatedSeeds.Made>> open = new ArrayDeque<>();
    private long begun;
    private long counted;

    /**
     * A seed that was run.
     *
     * @param violations what was wrong
     */
    record Counted(long seed, List<String> violations) {}

    /** @param endNanos of {@link System#nanoTime}, after which no seed is begun; {@link Long#MAX_VALUE} for never */
    SeedWorkers(SimulatedSeeds seeds, int threadCount, long first, long last, long endNanos) {
        this.seeds = seeds;
        this.mostOpen = threadCount * MOST_OPEN;
        this.first = first;
        this.last = last;
        this.endNanos = endNanos;
        this.threads = Executors.newFixedThreadPool(
                threadCount, Thread.ofPlatform().name("seeds-", 0).daemon().factory());
    }

    /** Counts the next seed when it has been run; null if there is none any more. */
    @Nullable Counted next() throws InterruptedException, ExecutionException {
        while (open.size() < mostOpen && first + begun <= last && isTime()) {
            long number = begun++;
            open.add(threads.submit(() -> seeds.make(first + number, number)));
        }
        Future<SimulatedSeeds.Made> oldest = open.poll();
        return oldest == null
                ? null
                : new Counted(first + counted++, oldest.get().count());
    }

    private boolean isTime() {
        return endNanos == Long.MAX_VALUE || System.nanoTime() - endNanos < 0;
    }

    /** Waits for what runs, and leaves out what has not begun. */
    @Override
    public void close() {
        threads.shutdownNow();
        threads.close();
    }
}
