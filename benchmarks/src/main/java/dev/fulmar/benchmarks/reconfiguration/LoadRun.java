package dev.fulmar.benchmarks.reconfiguration;

import dev.fulmar.benchmarks.drive.LoadGenerator;
import dev.fulmar.benchmarks.drive.LoadReport;
import dev.fulmar.benchmarks.drive.LoadShape;
import dev.fulmar.benchmarks.workload.RequestSource;
import dev.fulmar.client.FulmarClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/** A load that runs until it is ended, second by second. */
final class LoadRun implements AutoCloseable {
    private static final int LONGEST_SECONDS = 3_600;
    private static final long POLL_MILLIS = 20;

    private final List<Second> seconds = new ArrayList<>();
    private final LoadGenerator generator;
    private final CompletableFuture<LoadReport> report = new CompletableFuture<>();

    /**
     * Commits and latencies of a second.
     *
     * @param endNanos its end by {@link System#nanoTime()}
     * @param processor part of the machine's processors that was used
     */
    record Second(long endNanos, long committed, long failed, long p50Micros, long p99Micros, double processor) {}

    /** @param ratePerSecond of an open loop; 0 for a closed one */
    private LoadRun(FulmarClient client, int streams, double ratePerSecond) {
        generator = new LoadGenerator(client, new LoadShape(streams, 1, ratePerSecond, 0, LONGEST_SECONDS));
    }

    static LoadRun start(
            FulmarClient client,
            int streams,
            double ratePerSecond,
            Function<RandomGenerator, RequestSource> requests,
            SplittableRandom random) {
        List<RequestSource> sources = new ArrayList<>();
        for (int i = 0; i < streams; i++) {
            sources.add(requests.apply(random.split()));
        }
        LoadRun run = new LoadRun(client, streams, ratePerSecond);
        Thread.ofPlatform().daemon().name("load").start(() -> run.run(sources));
        return run;
    }

    private void run(List<RequestSource> sources) {
        try {
            Noting noting = new Noting();
            report.complete(generator.run(sources, noting::second));
        } catch (IOException | InterruptedException | RuntimeException e) {
            report.completeExceptionally(e);
        }
    }

    /** Notes each second, on the load's thread. */
    private final class Noting {
        private MachineUse before = MachineUse.now();

        Noting() throws IOException {}

        void second(int second, boolean warmup, long committed, long aborted, long failed, LoadReport.Latency latency) {
            try {
                MachineUse now = MachineUse.now();
                note(new Second(
                        System.nanoTime(),
                        committed,
                        failed,
                        latency.p50Micros(),
                        latency.p99Micros(),
                        now.since(before)));
                before = now;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private synchronized void note(Second second) {
        seconds.add(second);
    }

    /** The seconds that have passed. */
    synchronized List<Second> seconds() {
        return List.copyOf(seconds);
    }

    /** Waits until so many seconds have passed; fails if the load does. */
    List<Second> await(int count) throws InterruptedException {
        List<Second> passed = seconds();
        while (passed.size() < count) {
            if (report.isDone()) {
                throw new IllegalStateException("the load ended by itself: " + report.join());
            }
            Thread.sleep(POLL_MILLIS);
            passed = seconds();
        }
        return passed;
    }

    /** Lets so many further seconds pass whole. */
    List<Second> awaitMore(int count) throws InterruptedException {
        return await(seconds().size() + 1 + count);
    }

    /** Ends it after the last reply; returns its failures. */
    List<String> end() {
        generator.end();
        try {
            List<String> failures = new ArrayList<>();
            report.join()
                    .failures()
                    .forEach((code, failure) ->
                            failures.add(code + " x " + failure.count() + ": " + failure.firstMessage()));
            return failures;
        } catch (CompletionException e) {
            throw new IllegalStateException("the load broke", e);
        }
    }

    /** Ends it without a look at its failures; for a measurement that broke off. */
    @Override
    public void close() {
        generator.end();
        report.handle((done, problem) -> null).join();
    }
}
