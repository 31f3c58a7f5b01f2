package dev.fulmar.benchmarks.experiment;

import dev.fulmar.benchmarks.drive.LoadShape;
import dev.fulmar.benchmarks.run.BenchmarkRun;
import dev.fulmar.benchmarks.workload.Workload;
import dev.fulmar.benchmarks.ycsb.KeyChoice;
import dev.fulmar.benchmarks.ycsb.YcsbMix;
import dev.fulmar.benchmarks.ycsb.YcsbWorkload;
import dev.fulmar.client.FulmarClient;
import dev.fulmar.client.ResultTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/**
 * Speed of the restart of a killed node. YCSB's rows of 1 KB are loaded with frequent checkpoints and the node is
 * stopped. It is started again, runs updates, so that there is log to replay, is killed, and started again. Its bean
 * {@code Recovery} says what was loaded and replayed in which time; the restart is the time from the start of the
 * process to its first answer, everything included. The live rate is that of commits that change something, with
 * durability {@code sync}, called over the network by clients on the same cores: the log's records per second. The
 * replay has all cores for itself, without network, log and reads.
 */
public final class RecoverySpeed implements Experiment {
    private static final long RECORDS = 5_000_000;
    private static final long QUICK_RECORDS = 400_000;
    private static final int OBJECTIVE_SECONDS = 60;
    private static final int QUICK_OBJECTIVE_SECONDS = 15;
    private static final int SECONDS = 30;
    private static final int QUICK_SECONDS = 8;
    private static final int SETTLING_SECONDS = 1;
    private static final int CLIENTS = 4;
    private static final int IN_FLIGHT = 64;
    private static final int PARTITIONS = 2;

    /** Log between checkpoints while rows are loaded, and while the updates run that are to be replayed. */
    private static final String OFTEN = "32m";

    private static final String SELDOM = "4g";
    private static final double NANOS_PER_SECOND = 1e9;

    @Override
    public String name() {
        return "recovery";
    }

    @Override
    public String meaning() {
        return "a database of 5 GB is killed under load and restarts within its recovery objective";
    }

    @Override
    public Findings run(Settings settings) throws Exception {
        Path directory = Files.createTempDirectory("fulmar-recovery-");
        try {
            return run(settings, directory.resolve("data"));
        } finally {
            try (Stream<Path> tree = Files.walk(directory)) {
                for (Path path : tree.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(path);
                }
            }
        }
    }

    private static ServerProcess start(Path data, int objectiveSeconds, String checkpointLogSize) throws IOException {
        return ServerProcess.start(
                data,
                List.of("-Xmx2g", "-XX:MetaspaceSize=128m"),
                "--partitions",
                Integer.toString(PARTITIONS),
                "--memory",
                "14g",
                "--set",
                "recovery.objective=" + objectiveSeconds + "s",
                "--set",
                "checkpoint.log-size=" + checkpointLogSize,
                "--set",
                "checkpoint.dirty-memory=8g");
    }

    private static Findings run(Settings settings, Path data) throws Exception {
        long records = settings.quick() ? QUICK_RECORDS : RECORDS;
        int objective = settings.quick() ? QUICK_OBJECTIVE_SECONDS : OBJECTIVE_SECONDS;
        int seconds = settings.quick() ? QUICK_SECONDS : SECONDS;
        YcsbWorkload workload = new YcsbWorkload(
                YcsbMix.A, records, new KeyChoice.Uniform(records), new SplittableRandom(settings.seed()));
        load(settings, data, workload, objective);
        double liveRate;
        try (ServerProcess first = start(data, objective, SELDOM)) {
            try (FulmarClient client = first.connect(CLIENTS * IN_FLIGHT)) {
                BenchmarkRun run = new BenchmarkRun(client, workload, Workload.Progress.silent());
                long before = row(client, "LOG").number("RECORDS");
                long begin = System.nanoTime();
                run.measure(
                        new LoadShape(CLIENTS, IN_FLIGHT, 0, SETTLING_SECONDS, seconds),
                        settings.seed(),
                        (s, w, c, a, f, latency) -> {});
                liveRate = (row(client, "LOG").number("RECORDS") - before)
                        * NANOS_PER_SECOND
                        / (System.nanoTime() - begin);
            }
            first.kill();
        }
        settings.output().accept(String.format(Locale.ROOT, "killed at %,.0f changes/s; it starts again", liveRate));
        long begin = System.nanoTime();
        try (ServerProcess second = start(data, objective, SELDOM);
                FulmarClient client = second.connect(1)) {
            Figures recovery = row(client, "RECOVERY");
            double restart = (System.nanoTime() - begin) / NANOS_PER_SECOND;
            List<String> problems = workload.verifyTables(client, Workload.Progress.silent());
            return findings(settings, recovery, row(client, "CHECKPOINT"), liveRate, restart, objective, problems);
        }
    }

    private static void load(Settings settings, Path data, Workload workload, int objective) throws Exception {
        try (ServerProcess loading = start(data, objective, OFTEN);
                FulmarClient client = loading.connect(CLIENTS * IN_FLIGHT)) {
            new BenchmarkRun(client, workload, Workload.Progress.silent()).prepare();
            awaitRest(client);
            settings.output().accept("the rows are loaded");
        }
    }

    private static Findings findings(
            Settings settings,
            Figures recovery,
            Figures checkpoint,
            double liveRate,
            double restartSeconds,
            int objectiveSeconds,
            List<String> problems) {
        int cores = Math.min(PARTITIONS, Runtime.getRuntime().availableProcessors());
        double loadPerCore = recovery.real("LOAD_MEGABYTES_PER_SECOND") / cores;
        double replayRate = recovery.number("TRANSACTIONS") / Math.max(1e-3, recovery.real("REPLAY_SECONDS"));
        Findings findings = new Findings("recovery", settings.quick(), "sync");
        findings.check("recovery.load-per-core", loadPerCore);
        findings.check("recovery.replay-ratio", replayRate / liveRate);
        findings.check("recovery.restart-per-objective", restartSeconds / objectiveSeconds);
        findings.check("recovery.problems", problems.size());
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("restartSeconds", restartSeconds);
        figures.put("objectiveSeconds", objectiveSeconds);
        figures.put("loadedRows", recovery.number("LOADED_ROWS"));
        figures.put("loadedImageBytes", recovery.number("LOADED_BYTES"));
        figures.put("storedBytes", checkpoint.number("STORED_BYTES"));
        figures.put("loadSeconds", recovery.real("LOAD_SECONDS"));
        figures.put("replayedTransactions", recovery.number("TRANSACTIONS"));
        figures.put("replayedBytes", recovery.number("REPLAYED_BYTES"));
        figures.put("replaySeconds", recovery.real("REPLAY_SECONDS"));
        figures.put("replayPerSecond", replayRate);
        figures.put("livePerSecond", liveRate);
        figures.put(
                "live",
                "changes per second, sync, over the network, with as many reads beside them, clients on the same cores");
        figures.put("otherSeconds", restartSeconds - recovery.real("LOAD_SECONDS") - recovery.real("REPLAY_SECONDS"));
        figures.put("estimatedRestartSeconds", checkpoint.real("RESTART_SECONDS"));
        figures.put("problems", problems);
        settings.output().accept(figures.toString());
        findings.series("recovery", figures);
        return findings;
    }

    /** Until checkpoints have what was loaded, so that what comes then is what is replayed. */
    private static void awaitRest(FulmarClient client) throws InterruptedException {
        boolean busy = true;
        while (busy) {
            Thread.sleep(500);
            busy = !row(client, "CHECKPOINT").word("STATE").equals("IDLE");
        }
    }

    private static Figures row(FulmarClient client, String kind) {
        return new Figures(client.call("@Statistics", kind).table().first());
    }

    private record Figures(ResultTable row) {
        long number(String column) {
            return row.getLong(row.column(column));
        }

        double real(String column) {
            return row.getDouble(row.column(column));
        }

        String word(String column) {
            return String.valueOf(row.getString(row.column(column)));
        }
    }
}
