package dev.fulmar.benchmarks.experiment;

import dev.fulmar.benchmarks.drive.LoadShape;
import dev.fulmar.benchmarks.random.ZipfianKeys;
import dev.fulmar.benchmarks.run.BenchmarkRun;
import dev.fulmar.benchmarks.run.LocalDatabase;
import dev.fulmar.benchmarks.timestone.LineChart;
import dev.fulmar.benchmarks.tpcc.TpccScale;
import dev.fulmar.benchmarks.tpcc.TpccWorkload;
import dev.fulmar.benchmarks.workload.Workload;
import dev.fulmar.benchmarks.ycsb.KeyChoice;
import dev.fulmar.benchmarks.ycsb.YcsbMix;
import dev.fulmar.benchmarks.ycsb.YcsbWorkload;
import dev.fulmar.client.FulmarClient;
import dev.fulmar.coordinator.durability.Durability;
import dev.fulmar.pmemlog.checkpoint.CheckpointCounters;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.BiFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Write amplification: bytes that the database writes for each byte that its users write. Everything counts: the
 * operation log with headers, padding, seals and the zeros of new segments, checkpoint logs, master heaps and their
 * growth, the superblock. A case runs for a few checkpoints first, then until its checkpoint logs were filled at least
 * three times (those beside the undo log: for three checkpoints), and ends with a checkpoint and what follows from it.
 */
public final class WriteAmplification implements Experiment {
    private static final int PARTITIONS = 2;
    private static final double SKEW = 0.99;
    private static final long CYCLES = 3;

    /** Checkpoints after which what one sets free serves the next interval. */
    private static final int SETTLING_ROUNDS = 3;

    private static final int YCSB_ROWS = 1_000_000;
    private static final int QUICK_YCSB_ROWS = 100_000;
    private static final int YCSB_ROW_BYTES = 8 + 10 * 100;
    private static final int YCSB_FIELD_BYTES = 100;
    private static final int LARGE_BYTES = 1000;
    private static final int MEBIBYTE = 1 << 20;
    private static final int LOG_MEBIBYTES = 256;
    private static final int[] SWEPT_MEBIBYTES = {32, 64, 128, 256};
    private static final int[] SWEPT_MEBIBYTES_OF_TPCC = {64, 256};
    private static final int[] QUICK_SWEEP = {LOG_MEBIBYTES};

    /** TPC-C's rows are many, and the checkpoints at the end count, so an interval is not too short. */
    private static final int[] QUICK_SWEEP_OF_TPCC = {2 * LOG_MEBIBYTES};

    private static final int QUICK_DIVISOR = 8;
    private static final int STRETCH_SECONDS = 2;
    private static final int MOST_SECONDS = 300;
    private static final int QUICK_MOST_SECONDS = 90;

    /** Checkpoints of a case whose rows are too small to fill a checkpoint log in bearable time. */
    private static final int ROUNDS_BESIDE = 3;

    private static final double WORST_MOMENT = 0.9;
    private static final long PATIENCE_NANOS = 120_000_000_000L;

    @Override
    public String name() {
        return "write-amplification";
    }

    @Override
    public String meaning() {
        return "bytes written for each byte of rows, over the interval of checkpoints, beside PMDK's undo log";
    }

    @Override
    public Findings run(Settings settings) throws Exception {
        Findings findings = new Findings(name(), settings.quick(), "sync");
        int divisor = settings.quick() ? QUICK_DIVISOR : 1;
        int rows = settings.quick() ? QUICK_YCSB_ROWS : YCSB_ROWS;
        Sweep ycsb = new Sweep();
        for (int mebibytes : settings.quick() ? QUICK_SWEEP : SWEPT_MEBIBYTES) {
            ycsb.add(new Trial(settings, ycsb(settings, rows, mebibytes, divisor)).run());
        }
        Sweep tpcc = new Sweep();
        for (int mebibytes : settings.quick() ? QUICK_SWEEP_OF_TPCC : SWEPT_MEBIBYTES_OF_TPCC) {
            tpcc.add(new Trial(settings, tpcc(settings, mebibytes, divisor)).run());
        }
        Outcome field = ycsb.outcomes.getLast(); // at the default interval
        Outcome orders = tpcc.outcomes.getLast();
        findings.check("write-amplification.by-rows", "YCSB", field.byRows());
        findings.check("write-amplification.by-rows", "TPC-C", orders.byRows());
        findings.check("write-amplification.cycles", "YCSB", field.cycles);
        findings.check("write-amplification.cycles", "TPC-C", orders.cycles);
        findings.series("ycsbOverInterval", ycsb.asList());
        findings.series("tpccOverInterval", tpcc.asList());
        findings.picture("ycsb", ycsb.picture("YCSB A, rows of 1 KB, zipf 0.99"));
        findings.picture("tpcc", tpcc.picture("TPC-C, two warehouses"));
        besideUndoLog(settings, findings, field, divisor, rows);
        return findings;
    }

    private static void besideUndoLog(Settings settings, Findings findings, Outcome field, int divisor, int rows)
            throws Exception {
        Outcome small = new Trial(settings, updates("rows of 16 B", rows, Long.BYTES, 0, divisor)).run();
        Outcome large = new Trial(settings, updates("rows of 1 KB", rows, LARGE_BYTES, 0, divisor)).run();
        UndoLog undoLog = UndoLog.count(
                settings.seed(),
                List.of(
                        new UndoLog.Range(2 * Long.BYTES, Long.BYTES, Long.BYTES),
                        new UndoLog.Range(YCSB_ROW_BYTES, Long.BYTES + YCSB_FIELD_BYTES, YCSB_FIELD_BYTES),
                        new UndoLog.Range(Long.BYTES + LARGE_BYTES, Long.BYTES, LARGE_BYTES)));
        List<String> names = List.of(
                "rows of 16 B, 8 of them overwritten",
                "a field of 100 B in rows of 1 KB",
                "rows of 1 KB, overwritten whole");
        List<Outcome> outcomes = List.of(small, field, large);
        List<Map<String, Object>> cases = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            cases.add(beside(names.get(i), outcomes.get(i), undoLog.of(i)));
            settings.output().accept(cases.get(i).toString());
            findings.check(
                    "write-amplification.undo-log-fences",
                    names.get(i),
                    undoLog.of(i).fences() / outcomes.get(i).fencesOfACommit());
        }
        findings.series("besideUndoLog", cases);
        if (!undoLog.absent().isEmpty()) {
            findings.series("undoLogNotMeasured", undoLog.absent());
            settings.output().accept("PMDK's undo log is not measured: " + undoLog.absent());
        }
        findings.check(
                "write-amplification.undo-log-share",
                large.bytesOfACommit() / undoLog.of(2).bytes());
    }

    private static Map<String, Object> beside(String what, Outcome outcome, UndoLog.Figures undoLog) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("case", what);
        map.put("bytesOfACommit", outcome.bytesOfACommit());
        map.put("fencesOfACommit", outcome.fencesOfACommit());
        map.putAll(undoLog.asMap());
        return map;
    }

    private static Case ycsb(Settings settings, int rows, int mebibytes, int divisor) {
        Workload workload = new YcsbWorkload(
                YcsbMix.A,
                rows,
                new KeyChoice.Zipfian(new ZipfianKeys(rows, SKEW)),
                new SplittableRandom(settings.seed()));
        return new Case(
                "YCSB A, log of " + mebibytes / divisor + " MiB",
                workload,
                mebibytes / divisor,
                "hash",
                Integer.MAX_VALUE,
                (client, commits) -> UserBytes.of(commits, YCSB_ROW_BYTES, YCSB_FIELD_BYTES));
    }

    private static Case updates(String name, int rows, int columnBytes, int fillerBytes, int divisor) {
        int rowBytes = Long.BYTES + columnBytes + fillerBytes;
        return new Case(
                name,
                new RowUpdates(rows, columnBytes, fillerBytes),
                LOG_MEBIBYTES / divisor,
                "hash",
                ROUNDS_BESIDE,
                (client, commits) -> UserBytes.of(commits, rowBytes, columnBytes));
    }

    private static Case tpcc(Settings settings, int mebibytes, int divisor) {
        Workload workload = new TpccWorkload(TpccScale.full(PARTITIONS), new SplittableRandom(settings.seed()));
        return new Case(
                "TPC-C, log of " + mebibytes / divisor + " MiB",
                workload,
                mebibytes / divisor,
                LocalDatabase.ranges(PARTITIONS, PARTITIONS),
                Integer.MAX_VALUE,
                (client, commits) -> UserBytes.ofTpcc(client));
    }

    /**
     * A load to count.
     *
     * @param logMebibytes log after which a checkpoint is due
     * @param mostRounds checkpoints after which it is enough
     * @param written what users have written, by a client and the number of commits so far
     */
    private record Case(
            String name,
            Workload workload,
            int logMebibytes,
            String partitioning,
            int mostRounds,
            BiFunction<FulmarClient, Long, UserBytes> written) {}

    /** One load at several intervals of checkpoints. */
    private static final class Sweep {
        private final List<Outcome> outcomes = new ArrayList<>();

        void add(Outcome outcome) {
            outcomes.add(outcome);
        }

        List<Map<String, Object>> asList() {
            return outcomes.stream().map(Outcome::asMap).toList();
        }

        /** The curve against the time of a restart. */
        String picture(String title) {
            LineChart chart = new LineChart(
                    title,
                    "places: log between checkpoints, and how long a restart takes at worst",
                    "bytes written for each byte of rows",
                    outcomes.stream()
                            .map(each -> String.format(
                                    Locale.ROOT, "%d MiB, %.1f s", each.logMebibytes, each.recoverySeconds))
                            .toList());
            line(chart, "all", each -> each.written.total());
            line(chart, "operation log", each -> each.written.records() + each.written.logFrame());
            line(chart, "checkpoint log", each -> each.written.checkpointLog());
            line(chart, "master heap", each -> each.written.master());
            return chart.toSvg();
        }

        private void line(LineChart chart, String name, ToLongFunction<Outcome> bytes) {
            chart.line(
                    name,
                    outcomes.stream()
                            .map(each -> Math.max(1, bytes.applyAsLong(each)) / each.user.rows())
                            .toList());
        }
    }

    /** Outcome of a case. */
    private record Outcome(
            String name,
            int logMebibytes,
            WrittenBytes written,
            UserBytes user,
            double cycles,
            double seconds,
            double recoverySeconds) {
        Outcome withRecovery(double recovery) {
            return new Outcome(name, logMebibytes, written, user, cycles, seconds, recovery);
        }

        double byRows() {
            return written.total() / user.rows();
        }

        double bytesOfACommit() {
            return (double) written.total() / written.commits();
        }

        double fencesOfACommit() {
            return (double) written.fences() / written.commits();
        }

        Map<String, Object> asMap() {
            Map<String, Object> map = new LinkedHashMap<>();
            map.put("case", name);
            map.put("byRowBytes", written.per(user.rows()));
            map.put("byChangedBytes", written.per(user.columns()));
            map.put("rowBytesOfACommit", user.rows() / written.commits());
            map.put("imagesOfACommit", (double) written.images() / written.commits());
            map.put("ofThemStraightToTheMasterHeap", (double) written.straight() / written.images());
            map.put("recordsOfAGroup", (double) written.commits() / written.fences());
            map.put("commits", written.commits());
            map.put("checkpointLogCycles", cycles);
            map.put("seconds", seconds);
            map.put("recoverySecondsAtWorst", recoverySeconds);
            return map;
        }
    }

    /** One case from an empty database to its end. */
    private static final class Trial {
        private final Settings settings;
        private final Case theCase;

        Trial(Settings settings, Case theCase) {
            this.settings = settings;
            this.theCase = theCase;
        }

        private LocalDatabase start(TemporaryDirectory directory) {
            return LocalDatabase.start(Map.of(
                    "partitions",
                    Integer.toString(PARTITIONS),
                    "partitioning",
                    theCase.partitioning,
                    "sites",
                    "1",
                    "memory.limit",
                    "6g",
                    "data",
                    directory.path().resolve("data").toString(),
                    "durability",
                    "sync",
                    "checkpoint.log-size",
                    theCase.logMebibytes + "m",
                    "recovery.objective",
                    "10m"));
        }

        Outcome run() throws Exception {
            try (TemporaryDirectory directory = TemporaryDirectory.create("fulmar-write-amplification-")) {
                Outcome counted;
                try (LocalDatabase database = start(directory);
                        FulmarClient client = database.connect(1024)) {
                    counted = count(database, client, directory.path());
                }
                long begin = System.nanoTime();
                try (LocalDatabase again = start(directory)) {
                    double recovery = (System.nanoTime() - begin) / 1e9;
                    Outcome outcome = counted.withRecovery(recovery);
                    settings.output()
                            .accept(String.format(
                                    Locale.ROOT,
                                    "%s: %.3f bytes for each byte of rows, %.2f of changed columns, restart %.1f s (port %d)",
                                    outcome.name,
                                    outcome.byRows(),
                                    outcome.written.total() / outcome.user.columns(),
                                    recovery,
                                    again.port()));
                    settings.output().accept(outcome.asMap().toString());
                    return outcome;
                }
            }
        }

        private Outcome count(LocalDatabase database, FulmarClient client, Path place) throws Exception {
            Durability durability = durability(database);
            BenchmarkRun run = new BenchmarkRun(client, theCase.workload, Workload.Progress.silent());
            run.prepare();
            drain(durability);
            long seed = settle(run, durability);
            WrittenBytes before = WrittenBytes.of(durability, place);
            UserBytes userBefore = theCase.written.apply(client, before.commits());
            long begin = System.nanoTime();
            long limit = begin + mostNanos();
            long last = rounds(durability) + (long) theCase.mostRounds;
            while (cycles(durability, before) < CYCLES && rounds(durability) < last && System.nanoTime() < limit) {
                load(run, ++seed);
            }
            drain(durability);
            WrittenBytes written = WrittenBytes.of(durability, place).since(before);
            UserBytes user = theCase.written
                    .apply(client, written.commits() + before.commits())
                    .since(userBefore);
            double cycles = cycles(durability, before);
            double seconds = (System.nanoTime() - begin) / 1e9;
            long rounds = rounds(durability);
            long logStart = durability.counters().recordBytes();
            long worst = (long) (WORST_MOMENT * theCase.logMebibytes * MEBIBYTE);
            while (rounds(durability) == rounds && durability.counters().recordBytes() - logStart < worst) {
                load(run, ++seed);
            }
            return new Outcome(theCase.name, theCase.logMebibytes, written, user, cycles, seconds, 0);
        }

        private static long rounds(Durability durability) {
            return WrittenBytes.checkpoints(durability).rounds();
        }

        private long mostNanos() {
            return (settings.quick() ? QUICK_MOST_SECONDS : MOST_SECONDS) * 1_000_000_000L;
        }

        /**
         * Runs the load until the log uses its segments again, which is how it goes on for ever; returns the last seed.
         */
        private long settle(BenchmarkRun run, Durability durability) throws InterruptedException {
            CheckpointCounters counters = WrittenBytes.checkpoints(durability);
            long rounds = counters.rounds() + SETTLING_ROUNDS;
            long limit = System.nanoTime() + mostNanos();
            long seed = settings.seed();
            while (counters.rounds() < rounds && System.nanoTime() < limit) {
                load(run, ++seed);
            }
            return seed;
        }

        private static void load(BenchmarkRun run, long seed) throws InterruptedException {
            run.measure(new LoadShape(4, 32, 0, 0, STRETCH_SECONDS), seed, (s, w, c, a, f, latency) -> {});
        }

        private static Durability durability(LocalDatabase database) {
            @Nullable Durability durability = database.database().durability();
            if (durability == null) {
                throw new IllegalStateException("the database is not durable");
            }
            return durability;
        }

        /** Number of times that the checkpoint logs were filled since. */
        private static double cycles(Durability durability, WrittenBytes before) {
            double capacity = (double) PARTITIONS
                    * Objects.requireNonNull(durability.checkpoints()).clogBytes();
            return (WrittenBytes.checkpoints(durability).clogBytes() - before.checkpointLog()) / capacity;
        }

        /** Takes a checkpoint and waits until nothing is left that it brought about. */
        private static void drain(Durability durability) throws InterruptedException {
            CheckpointCounters counters = WrittenBytes.checkpoints(durability);
            long deadline = System.nanoTime() + PATIENCE_NANOS;
            for (int round = 0; round < 2; round++) { // the first may have begun before
                long rounds = counters.rounds();
                Objects.requireNonNull(durability.checkpoints()).request();
                while (counters.rounds() == rounds && System.nanoTime() < deadline) {
                    Thread.sleep(20);
                }
            }
            long reclaimed = -1;
            while (reclaimed != counters.reclaimedSegments() && System.nanoTime() < deadline) {
                reclaimed = counters.reclaimedSegments();
                Thread.sleep(500);
            }
        }
    }
}
