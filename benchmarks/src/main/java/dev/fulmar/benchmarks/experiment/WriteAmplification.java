package dev.fulmar.benchmarks.experiment;

import dev.fulmar.benchmarks.drive.LoadShape;
import dev.fulmar.benchmarks.random.ZipfianKeys;
import dev.fulmar.benchmarks.run.BenchmarkRun;
import dev.fulmar.benchmarks.run.LocalDatabase;
import dev.fulmar.benchmarks.tpcc.TpccScale;
import dev.fulmar.benchmarks.tpcc.TpccWorkload;
import dev.fulmar.benchmarks.workload.Workload;
import dev.fulmar.benchmarks.ycsb.KeyChoice;
import dev.fulmar.benchmarks.ycsb.YcsbMix;
import dev.fulmar.benchmarks.ycsb.YcsbWorkload;
import dev.fulmar.client.FulmarClient;
import dev.fulmar.coordinator.durability.Durability;
import dev.fulmar.pmemlog.checkpoint.CheckpointCounters;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * How many bytes the database writes for each byte that its users write. Everything counts: the operation log with headers, padding, seals and the
 * zeros of new segments, checkpoint logs, master heaps and their growth, the superblock. A case runs for a few checkpoints first, then until its checkpoint logs were
 * filled at least three times, and ends with a checkpoint and what follows from it.
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
    private static final int MEBIBYTE = 1 << 20;
    private static final int LOG_MEBIBYTES = 256;
    private static final int[] SWEPT_MEBIBYTES = {32, 64, 128, 256, 512};
    private static final int QUICK_DIVISOR = 8;
    private static final int STRETCH_SECONDS = 2;
    private static final int MOST_SECONDS = 900;
    private static final int QUICK_MOST_SECONDS = 25;
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
        List<Case> ycsb = new ArrayList<>();
        for (int mebibytes : settings.quick() ? new int[] {LOG_MEBIBYTES} : SWEPT_MEBIBYTES) {
            ycsb.add(ycsb(settings, rows, mebibytes, divisor));
        }
        Case tpcc = tpcc(settings, divisor);
        Outcome main = null;
        List<Map<String, Object>> curve = new ArrayList<>();
        for (Case each : ycsb) {
            Outcome outcome = new Trial(settings, each).run();
            curve.add(outcome.asMap());
            main = each.logMebibytes == LOG_MEBIBYTES / divisor ? outcome : main;
        }
        Outcome orders = new Trial(settings, tpcc).run();
        Outcome field = Objects.requireNonNull(main);
        findings.check("write-amplification.by-rows", "YCSB", field.byRows());
        findings.check("write-amplification.by-rows", "TPC-C", orders.byRows());
        findings.check("write-amplification.cycles", "YCSB", field.cycles);
        findings.check("write-amplification.cycles", "TPC-C", orders.cycles);
        findings.series("ycsbOverInterval", curve);
        findings.series("tpcc", orders.asMap());
        besideUndoLog(settings, findings, field, divisor, rows);
        return findings;
    }

    private static void besideUndoLog(Settings settings, Findings findings, Outcome field, int divisor, int rows)
            throws Exception {
        Outcome small = new Trial(settings, updates("rows of 16 B", rows, Long.BYTES, 0, divisor)).run();
        Outcome large = new Trial(settings, updates("rows of 1 KB", rows, 1000, 0, divisor)).run();
        List<Map<String, Object>> cases = new ArrayList<>();
        cases.add(beside("rows of 16 B, 8 of them overwritten", small, Long.BYTES));
        cases.add(beside("a field of 100 B in rows of 1 KB", field, YCSB_FIELD_BYTES));
        cases.add(beside("rows of 1 KB, overwritten whole", large, 1000));
        findings.series("besideUndoLogComputed", cases);
        findings.check("write-amplification.undo-log-share", large.bytesOfACommit() / UndoLogModel.bytes(1000));
        findings.check("write-amplification.undo-log-fences", UndoLogModel.FENCES / field.fencesOfACommit());
    }

    private static Map<String, Object> beside(String what, Outcome outcome, int rangeBytes) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("case", what);
        map.put("bytesOfACommit", outcome.bytesOfACommit());
        map.put("undoLogBytesOfACommit", UndoLogModel.bytes(rangeBytes));
        map.put("fencesOfACommit", outcome.fencesOfACommit());
        map.put("undoLogFencesOfACommit", UndoLogModel.FENCES);
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
                (client, commits) -> UserBytes.of(commits, YCSB_ROW_BYTES, YCSB_FIELD_BYTES));
    }

    private static Case updates(String name, int rows, int columnBytes, int fillerBytes, int divisor) {
        int rowBytes = Long.BYTES + columnBytes + fillerBytes;
        return new Case(
                name,
                new RowUpdates(rows, columnBytes, fillerBytes),
                LOG_MEBIBYTES / divisor,
                "hash",
                (client, commits) -> UserBytes.of(commits, rowBytes, columnBytes));
    }

    private static Case tpcc(Settings settings, int divisor) {
        Workload workload = new TpccWorkload(TpccScale.full(PARTITIONS), new SplittableRandom(settings.seed()));
        return new Case(
                "TPC-C",
                workload,
                LOG_MEBIBYTES / divisor,
                LocalDatabase.ranges(PARTITIONS, PARTITIONS),
                (client, commits) -> UserBytes.ofTpcc(client));
    }

    /**
     * A load to count.
     *
     * @param logMebibytes log after which a checkpoint is due
     * @param written what users have written, by a client and the number of commits so far
     */
    private record Case(
            String name,
            Workload workload,
            int logMebibytes,
            String partitioning,
            BiFunction<FulmarClient, Long, UserBytes> written) {}

    /** What a case showed. */
    private record Outcome(
            String name, WrittenBytes written, UserBytes user, double cycles, double seconds, double recoverySeconds) {
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
                    counted = count(database, client);
                }
                long begin = System.nanoTime();
                try (LocalDatabase again = start(directory)) {
                    double recovery = (System.nanoTime() - begin) / 1e9;
                    Outcome outcome = new Outcome(
                            counted.name, counted.written, counted.user, counted.cycles, counted.seconds, recovery);
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

        private Outcome count(LocalDatabase database, FulmarClient client) throws Exception {
            Durability durability = durability(database);
            BenchmarkRun run = new BenchmarkRun(client, theCase.workload, Workload.Progress.silent());
            run.prepare();
            drain(durability);
            long seed = settle(run, durability);
            WrittenBytes before = WrittenBytes.of(durability);
            UserBytes userBefore = theCase.written.apply(client, before.commits());
            long begin = System.nanoTime();
            long limit = begin + mostNanos();
            while (cycles(durability, before) < CYCLES && System.nanoTime() < limit) {
                load(run, ++seed);
            }
            drain(durability);
            WrittenBytes written = WrittenBytes.of(durability).since(before);
            UserBytes user = theCase.written
                    .apply(client, written.commits() + before.commits())
                    .since(userBefore);
            double cycles = cycles(durability, before);
            double seconds = (System.nanoTime() - begin) / 1e9;
            long rounds = WrittenBytes.checkpoints(durability).rounds();
            long logStart = durability.counters().recordBytes();
            long worst = (long) (WORST_MOMENT * theCase.logMebibytes * MEBIBYTE);
            while (WrittenBytes.checkpoints(durability).rounds() == rounds
                    && durability.counters().recordBytes() - logStart < worst) {
                load(run, ++seed);
            }
            return new Outcome(theCase.name, written, user, cycles, seconds, 0);
        }

        private long mostNanos() {
            return (settings.quick() ? QUICK_MOST_SECONDS : MOST_SECONDS) * 1_000_000_000L;
        }

        /** Runs the load until the log uses its segments again, which is how it goes on for ever; returns the last seed. */
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

        /** How often the checkpoint logs were filled since. */
        private static double cycles(Durability durability, WrittenBytes before) throws IOException {
            double capacity = (double) PARTITIONS
                    * Objects.requireNonNull(durability.checkpoints()).clogBytes();
            return (WrittenBytes.of(durability).checkpointLog() - before.checkpointLog()) / capacity;
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
