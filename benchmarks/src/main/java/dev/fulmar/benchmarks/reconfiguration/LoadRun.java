package dev.fulmar.benchmarks.reconfiguration;

import dev.fulmar.benchmarks.drive.LoadReport;
import dev.fulmar.benchmarks.drive.LoadShape;
import dev.fulmar.benchmarks.drive.RunningLoad;
import dev.fulmar.benchmarks.workload.RequestSource;
import dev.fulmar.client.FulmarClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/** A load that runs until it is ended, second by second. */
final class LoadRun implements AutoCloseable {
    private static final int LONGEST_SECONDS = 3_600;
    private static final long POLL_MILLIS = 20;

    private final List<Second> seconds = new ArrayList<>();
    private final RunningLoad load;

    /**
     * Commits and latencies of a second.
     *
     * @param endNanos its end by {@link System#nanoTime()}
     * @param processor part of the machine's processors that was used
     */
    record Second(long endNanos, long committed, long failed, long p50Micros, long p99Micros, double processor) {}

    private LoadRun(FulmarClient client, LoadShape shape, List<RequestSource> sources) throws IOException {
        load = RunningLoad.start(client, shape, sources, new Noting()::second);
    }

    /**
     * Begins a load of so many streams.
     *
     * @param ratePerSecond of an open loop; 0 for a closed one
     */
    static LoadRun start(
            FulmarClient client,
            int streams,
            double ratePerSecond,
            Function<RandomGenerator, RequestSource> requests,
            SplittableRandom random)
            throws IOException {
        List<RequestSource> sources = new ArrayList<>();
        for (int i = 0; i < streams; i++) {
            sources.add(requests.apply(random.split()));
        }
        return new LoadRun(client, new LoadShape(streams, 1, ratePerSecond, 0, LONGEST_SECONDS), sources);
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
            if (load.isDone()) {
                throw new IllegalStateException("the load ended by itself: " + load.end());
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
    List<String> end() throws InterruptedException {
        List<String> failures = new ArrayList<>();
        load.end()
                .failures()
                .forEach((code, failure) ->
                        failures.add(code + " x " + failure.count() + ": " + failure.firstMessage()));
        return failures;
    }

    /** Ends it without a look at its failures; for a measurement that broke off. */
    @Override
    public void close() {
        load.close();
    }
}
