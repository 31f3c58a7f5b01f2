package dev.fulmar.benchmarks.sqlcheck;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs rounds, several at once, each by itself and with a seed of its own, until enough statements were judged. It
 * keeps count, and resumes a campaign that was ended.
 */
final class Rounds {
    private static final int MOST_DIFFERENCES = 25;
    private static final int ROUNDS_BETWEEN_LINES = 20;
    private static final long SEEDS_APART = 1_000_000;

    private final int wanted;
    private final Consumer<String> output;
    private final Tally total = new Tally();
    private final ReentrantLock lock = new ReentrantLock();
    private final @Nullable RoundJournal journal;
    private long next;
    private int finished;
    private boolean isOver;

    /** One of those that run rounds. */
    interface Worker extends AutoCloseable {
        /** Draws tables and statements with the seed, and counts how they were answered. */
        void round(long seed, Tally tally, Consumer<String> output);

        @Override
        void close();
    }

    /** Makes a worker with engines of its own. */
    @FunctionalInterface
    interface WorkerSource {
        Worker make(int number) throws Exception;
    }

    /**
     * Volume of a campaign.
     *
     * @param seed of the rounds; each has one of its own
     * @param statements how many to judge, or fewer if too much is wrong
     * @param workers how many rounds run at once
     * @param progress where rounds that are done are written, and found again; null to begin anew
     */
    record Extent(
            long seed,
            int statements,
            int workers,
            @Nullable Path progress) {}

    private Rounds(Extent extent, Consumer<String> output) throws IOException {
        this.wanted = extent.statements();
        this.output = output;
        this.next = extent.seed() * SEEDS_APART;
        Path file = extent.progress();
        this.journal = file == null ? null : RoundJournal.open(file, total);
        if (journal != null && !journal.isEmpty()) {
            output.accept("goes on after " + total.summary());
        }
    }

    static Tally run(Extent extent, WorkerSource workers, Consumer<String> output) throws Exception {
        Rounds rounds = new Rounds(extent, output);
        List<Future<?>> running = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(extent.workers())) {
            for (int i = 0; i < extent.workers(); i++) {
                int number = i;
                running.add(threads.submit(() -> {
                    rounds.work(workers, number);
                    return null;
                }));
            }
            for (Future<?> each : running) {
                await(each);
            }
        }
        return rounds.total;
    }

    private static void await(Future<?> worker) throws Exception {
        try {
            worker.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        }
    }

    private void work(WorkerSource workers, int number) throws Exception {
        try (Worker worker = workers.make(number)) {
            Long seed = take();
            while (seed != null) {
                Tally tally = new Tally();
                worker.round(seed, tally, output);
                isDone(seed, tally);
                seed = take();
            }
        } finally {
            // One that fails ends all: its failure is told when the others have ended their round.
            end();
        }
    }

    private void end() {
        lock.lock();
        try {
            isOver = true;
        } finally {
            lock.unlock();
        }
    }

    /** The seed of a round that has not run, null if there are enough. */
    private @Nullable Long take() {
        lock.lock();
        try {
            if (isOver || total.statements() >= wanted || total.differences().size() >= MOST_DIFFERENCES) {
                return null;
            }
            while (journal != null && journal.has(next)) {
                next++;
            }
            return next++;
        } finally {
            lock.unlock();
        }
    }

    private void isDone(long seed, Tally tally) throws IOException {
        lock.lock();
        try {
            total.add(tally);
            if (journal != null) {
                journal.write(seed, tally);
            }
            if (++finished % ROUNDS_BETWEEN_LINES == 0) {
                output.accept(total.summary());
            }
            if (total.differences().size() >= MOST_DIFFERENCES) {
                output.accept("too many differences; stopped");
            }
        } finally {
            lock.unlock();
        }
    }
}
