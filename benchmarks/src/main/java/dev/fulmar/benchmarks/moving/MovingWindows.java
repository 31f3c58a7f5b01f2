package dev.fulmar.benchmarks.moving;

import dev.fulmar.benchmarks.drive.LoadReport;
import dev.fulmar.benchmarks.drive.LoadShape;
import dev.fulmar.benchmarks.drive.LoadWindow;
import dev.fulmar.benchmarks.drive.SteadyLoad;
import dev.fulmar.benchmarks.experiment.CodeFingerprint;
import dev.fulmar.benchmarks.experiment.ControlStalls;
import dev.fulmar.benchmarks.experiment.Experiment;
import dev.fulmar.benchmarks.experiment.Findings;
import dev.fulmar.benchmarks.experiment.JavaChild;
import dev.fulmar.benchmarks.experiment.StallRecorder;
import dev.fulmar.benchmarks.experiment.TemporaryDirectory;
import dev.fulmar.benchmarks.random.ZipfianKeys;
import dev.fulmar.benchmarks.run.BenchmarkRun;
import dev.fulmar.benchmarks.workload.RequestSource;
import dev.fulmar.benchmarks.workload.Workload;
import dev.fulmar.benchmarks.ycsb.KeyChoice;
import dev.fulmar.benchmarks.ycsb.YcsbMix;
import dev.fulmar.benchmarks.ycsb.YcsbWorkload;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/**
 * Live reconfiguration under load. A table of 1 GB moves from one node to another one and back, while requests come at
 * half the rate that the database can serve. Each window in which it moves has a quiet one of the same length beside
 * it. Pairs that are done are kept in a directory, and a later run goes on.
 */
public final class MovingWindows implements Experiment {
    static final String NAME = "moving-windows";

    private static final int PAIRS = 10;
    private static final int QUICK_PAIRS = 2;
    private static final long ROW_BYTES = 1_008;
    private static final long RECORDS = 1_000_000_000 / ROW_BYTES;
    private static final long QUICK_RECORDS = 100_000_000 / ROW_BYTES;
    private static final double SKEW = 0.99;
    private static final double SHARE_OF_CAPACITY = 0.5;
    private static final int TENTHS = 10;

    /** Share of the requests that are in time at a rate that counts as sustained. */
    private static final double SUSTAINED_SHARE = 0.999;

    private static final long SETTLING_MILLIS = 3_000;
    private static final int CLIENTS = 4;
    private static final int IN_FLIGHT = 32;
    private static final int WARMUP_SECONDS = 20;
    private static final int CAPACITY_SECONDS = 20;
    private static final int QUICK_SECONDS = 8;

    /** Requests that may wait for their answers at a time. */
    private static final int STREAMS = 4_000;

    /** A move may have effects after its end. */
    private static final long AFTER_MOVE_MILLIS = 2_000;

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final double NANOS_PER_SECOND = 1e9;

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String meaning() {
        return "1 GB moves between two nodes under half load: errors, latency, time and bytes written";
    }

    @Override
    public Findings run(Settings settings) throws Exception {
        MoveCase moveCase = MoveCase.of(settings.only());
        int planned = settings.quick() ? QUICK_PAIRS : PAIRS;
        String way = fingerprint() + " " + moveCase + (settings.quick() ? " quick" : "");
        PairLedger ledger = new PairLedger(settings.directory(), way);
        if (ledger.pairs().size() < planned) {
            try (TemporaryDirectory directory = TemporaryDirectory.create("fulmar-moving-windows-")) {
                new Trial(settings, moveCase, ledger, planned).run(directory);
            }
        }
        Findings findings = new Findings(NAME, settings.quick(), "sync");
        WindowJudge.report(findings, moveCase, planned, ledger.pairs());
        findings.series("offeredPerSecond", ledger.ratePerSecond().orElseThrow());
        return findings;
    }

    /** Of the code that a node consists of, and of what measures it. */
    private static String fingerprint() {
        return CodeFingerprint.ofNode(MovingWindows.class);
    }

    /** The pairs that are to be made in this run. */
    private static final class Trial {
        private final Settings settings;
        private final MoveCase moveCase;
        private final PairLedger ledger;
        private final int planned;
        private final long records;
        private final SplittableRandom random;
        private final YcsbWorkload workload;

        Trial(Settings settings, MoveCase moveCase, PairLedger ledger, int planned) {
            this.settings = settings;
            this.moveCase = moveCase;
            this.ledger = ledger;
            this.planned = planned;
            records = settings.quick() ? QUICK_RECORDS : RECORDS;
            random = new SplittableRandom(settings.seed());
            workload = new YcsbWorkload(
                    YcsbMix.A, records, new KeyChoice.Zipfian(new ZipfianKeys(records, SKEW)), random.split());
        }

        void run(TemporaryDirectory directory) throws IOException, InterruptedException {
            try (MovingCluster cluster = MovingCluster.start(directory.path(), workload, moveCase, records)) {
                settings.output().accept(String.format(Locale.ROOT, "loading %,d rows", records));
                workload.load(cluster.client(), Workload.Progress.silent());
                double rate = rate(cluster);
                while (ledger.pairs().size() < planned) {
                    WindowPair pair = pair(cluster, rate);
                    settings.output().accept(pair.text());
                    ledger.note(pair);
                }
            }
        }

        /** Half the rate that an open loop can sustain. */
        private double rate(MovingCluster cluster) throws IOException, InterruptedException {
            int seconds = settings.quick() ? QUICK_SECONDS : CAPACITY_SECONDS;
            int warmup = settings.quick() ? QUICK_SECONDS : WARMUP_SECONDS;
            LoadReport report = new BenchmarkRun(cluster.client(), workload, Workload.Progress.silent())
                    .measure(
                            new LoadShape(CLIENTS, IN_FLIGHT, 0, warmup, seconds),
                            settings.seed(),
                            (second, isWarmup, committed, aborted, failed, latency) -> {});
            if (report.failed() > 0) {
                throw new IllegalStateException("the load fails: " + report.failures());
            }
            settings.output()
                    .accept(String.format(
                            Locale.ROOT,
                            "a closed loop of %d requests: %,.0f/s, p50 %d us, p99 %d us",
                            CLIENTS * IN_FLIGHT,
                            report.throughputPerSecond(),
                            report.latency().p50Micros(),
                            report.latency().p99Micros()));
            if (ledger.ratePerSecond().isEmpty()) {
                ledger.noteRate(SHARE_OF_CAPACITY * capacity(cluster, report.throughputPerSecond()));
            }
            return ledger.ratePerSecond().orElseThrow();
        }

        /**
         * The highest rate of an open loop, in tenths of the closed loop's, at which nearly all requests are answered
         * in time. An open loop has smaller groups of requests than a full closed one, and so it can sustain less.
         */
        private double capacity(MovingCluster cluster, double closedPerSecond)
                throws IOException, InterruptedException {
            for (int tenths = TENTHS; tenths > 0; tenths--) {
                double rate = closedPerSecond * tenths / TENTHS;
                try (SteadyLoad load = SteadyLoad.start(cluster.client(), sources(), rate)) {
                    Thread.sleep(SETTLING_MILLIS);
                    load.turn(PATIENCE);
                    Thread.sleep(1_000L * QUICK_SECONDS);
                    LoadWindow window = load.turn(PATIENCE);
                    double inTime = (double) WindowFigures.answeredInTime(window) / window.offered();
                    settings.output()
                            .accept(String.format(
                                    Locale.ROOT, "an open loop of %,.0f/s: %.3f %% in time", rate, 100 * inTime));
                    if (inTime >= SUSTAINED_SHARE) {
                        return rate;
                    }
                }
            }
            throw new IllegalStateException("the database answers no rate in time");
        }

        private List<RequestSource> sources() {
            return Stream.generate(() -> workload.requests(random.split()))
                    .limit(STREAMS)
                    .toList();
        }

        /** Windows take turns in being the first; a quiet one lasts as long as the moving window before it. */
        private WindowPair pair(MovingCluster cluster, double rate) throws IOException, InterruptedException {
            int number = ledger.pairs().size() + 1;
            boolean movingFirst = number % 2 == 1;
            JavaChild control = JavaChild.start(StallRecorder.class, List.of("-Xmx64m"), List.of());
            try {
                Measured quiet = null;
                Measured moving;
                try (SteadyLoad load = SteadyLoad.start(cluster.client(), sources(), rate)) {
                    Thread.sleep(1_000L * (settings.quick() ? QUICK_SECONDS : WARMUP_SECONDS));
                    cluster.awaitCheckpoints();
                    if (!movingFirst) {
                        quiet = quiet(
                                cluster, load, ledger.pairs().getLast().moving().seconds());
                    }
                    moving = moving(cluster, load);
                    if (quiet == null) {
                        quiet = quiet(cluster, load, moving.window.seconds());
                    }
                }
                ControlStalls stalls = ControlStalls.parse(control.finish());
                // Without the load, which would make the snapshot that is read too old.
                List<String> problems = workload.verifyTables(cluster.client(), Workload.Progress.silent());
                return new WindowPair(
                        number,
                        movingFirst,
                        moving.figures(stalls),
                        quiet.figures(stalls),
                        moving.move.seconds(),
                        moving.move.rows(),
                        ROW_BYTES,
                        moving.move.bytesSent(),
                        moving.move.worstPauseMillis(),
                        problems);
            } finally {
                control.close();
            }
        }

        private Measured moving(MovingCluster cluster, SteadyLoad load) throws IOException, InterruptedException {
            NodeWrites before = cluster.writes();
            long begin = System.nanoTime();
            load.turn(PATIENCE);
            MovingCluster.Move move = cluster.move();
            Thread.sleep(AFTER_MOVE_MILLIS);
            LoadWindow window = load.turn(PATIENCE);
            String late = LateRequests.text(window.slow(), WindowFigures.IN_TIME_NANOS, begin);
            if (!late.isEmpty()) {
                settings.output().accept(late);
            }
            return measured(cluster, window, move, before, begin);
        }

        private Measured quiet(MovingCluster cluster, SteadyLoad load, double seconds)
                throws IOException, InterruptedException {
            NodeWrites before = cluster.writes();
            long begin = System.nanoTime();
            load.turn(PATIENCE);
            Thread.sleep(Math.round(1_000 * seconds));
            return measured(cluster, load.turn(PATIENCE), new MovingCluster.Move(0, 0, 0, 0), before, begin);
        }

        private static Measured measured(
                MovingCluster cluster, LoadWindow window, MovingCluster.Move move, NodeWrites before, long begin)
                throws IOException, InterruptedException {
            cluster.awaitCheckpoints();
            return new Measured(
                    window, move, cluster.writes().since(before), (System.nanoTime() - begin) / NANOS_PER_SECOND);
        }
    }

    /** A window before it is known how the machine stalled. */
    private record Measured(LoadWindow window, MovingCluster.Move move, NodeWrites written, double writtenSeconds) {
        WindowFigures figures(ControlStalls stalls) {
            return WindowFigures.of(window, stalls, written, writtenSeconds);
        }
    }
}
