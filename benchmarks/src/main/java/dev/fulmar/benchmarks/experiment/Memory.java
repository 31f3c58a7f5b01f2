package dev.fulmar.benchmarks.experiment;

import dev.fulmar.benchmarks.drive.LoadReport;
import dev.fulmar.benchmarks.drive.LoadShape;
import dev.fulmar.benchmarks.run.BenchmarkRun;
import dev.fulmar.benchmarks.workload.Statements;
import dev.fulmar.benchmarks.workload.Workload;
import dev.fulmar.benchmarks.ycsb.KeyChoice;
import dev.fulmar.benchmarks.ycsb.YcsbMix;
import dev.fulmar.benchmarks.ycsb.YcsbWorkload;
import dev.fulmar.client.FulmarClient;
import dev.fulmar.client.ResultTable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Experiment on memory: data is compact and outside of the Java heap.
 *
 * <p>The node runs in a process of its own under {@code -Xmx1g}. First it loads and runs a small table and drops it
 * again: then its code is compiled, its heap has the size that this load needs, and only rows and indexes still grow.
 * Its resident memory at that point, less all memory that its tables still hold, is what growth is counted from. Pauses
 * are those of its collector's log, each less what the {@link StallRecorder} saw the machine stand still meanwhile.
 */
public final class Memory implements Experiment {
    private static final long RECORDS = 10_000_000;
    private static final long QUICK_RECORDS = 1_500_000;
    private static final long WARMUP_RECORDS = 100_000;
    private static final long PAYLOAD_BYTES_PER_RECORD = 8 + 10 * 100;
    private static final int ROUNDS = 3;
    private static final int SECONDS = 60;
    private static final int QUICK_SECONDS = 5;
    private static final int WARMUP_SECONDS = 5;
    private static final int SETTLING_SECONDS = 2;
    private static final int CLIENTS = 4;
    private static final int IN_FLIGHT = 32;
    private static final List<String> NODE_SETTINGS =
            List.of("partitions=2", "sites=1", "memory.limit=18g", "listen=127.0.0.1:0");
    private static final double NANOS_PER_MILLI = 1e6;

    @Override
    public String name() {
        return "memory";
    }

    @Override
    public String meaning() {
        return "ten million YCSB rows under a heap of 1 GB, compact and without pauses (acceptance point 5)";
    }

    @Override
    public Findings run(Settings settings) throws Exception {
        Findings findings = new Findings(name(), settings.quick(), "none");
        long records = settings.quick() ? QUICK_RECORDS : RECORDS;
        Path logs = Files.createTempDirectory("fulmar-memory");
        List<Round> rounds = new ArrayList<>();
        for (int round = 1; round <= (settings.quick() ? 1 : ROUNDS); round++) {
            Round result = round(settings, records, logs.resolve("gc-" + round + ".log"));
            settings.output().accept("round " + round + ": " + result.asMap());
            rounds.add(result);
        }
        long payload = records * PAYLOAD_BYTES_PER_RECORD;
        long grown = rounds.stream().mapToLong(Round::grownBytes).max().orElseThrow();
        double pause =
                rounds.stream().mapToDouble(Round::longestExcessMillis).max().orElseThrow();
        findings.check("memory.growth-per-payload", (double) grown / (double) payload);
        findings.check("memory.longest-collection-pause", pause);
        findings.check("memory.damaged-rounds", (double)
                rounds.stream().filter(each -> !each.problems.isEmpty()).count());
        findings.series("records", records);
        findings.series("payloadBytes", payload);
        findings.series("rounds", rounds.stream().map(Round::asMap).toList());
        findings.series("collectorLogs", logs.toString());
        return findings;
    }

    private static Round round(Settings settings, long records, Path log) throws Exception {
        List<String> options = List.of("-Xmx1g", CollectorLog.option(log));
        try (JavaChild control = JavaChild.start(StallRecorder.class, List.of("-Xmx64m"), List.of());
                JavaChild node = JavaChild.start(ChildNode.class, options, NODE_SETTINGS)) {
            String host = "127.0.0.1:" + node.awaitLine(ChildNode.PORT);
            long emptyBytes = node.residentBytes();
            long baseBytes;
            try (FulmarClient client = connect(host)) {
                use(client, settings, WARMUP_RECORDS, WARMUP_SECONDS);
                dropAll(client);
                baseBytes = node.residentBytes() - storageBytes(client);
            }
            try (FulmarClient client = connect(host)) {
                BenchmarkRun run = new BenchmarkRun(client, workload(settings, records), tenths(settings, records));
                long started = System.nanoTime();
                run.prepare();
                double loadSeconds = (System.nanoTime() - started) / 1e9;
                int seconds = settings.quick() ? QUICK_SECONDS : SECONDS;
                LoadReport load = run.measure(shape(seconds), settings.seed(), (s, w, c, a, f, latency) -> {});
                long fullBytes = node.residentBytes();
                List<String> problems = run.verify();
                return new Round(
                        fullBytes - baseBytes,
                        fullBytes - emptyBytes,
                        storageBytes(client),
                        CollectorLog.pauses(log),
                        ControlStalls.parse(control.finish()),
                        loadSeconds,
                        load.throughputPerSecond(),
                        problems);
            }
        }
    }

    private static FulmarClient connect(String host) {
        return FulmarClient.builder().hosts(host).maxOutstanding(1024).connect();
    }

    private static YcsbWorkload workload(Settings settings, long records) {
        return new YcsbWorkload(
                YcsbMix.A, records, new KeyChoice.Uniform(records), new SplittableRandom(settings.seed()));
    }

    private static LoadShape shape(int seconds) {
        return new LoadShape(CLIENTS, IN_FLIGHT, 0, SETTLING_SECONDS, seconds);
    }

    private static void use(FulmarClient client, Settings settings, long records, int seconds)
            throws InterruptedException {
        BenchmarkRun run = new BenchmarkRun(client, workload(settings, records), Workload.Progress.silent());
        run.prepare();
        run.measure(shape(seconds), settings.seed(), (s, w, c, a, f, latency) -> {});
    }

    private static void dropAll(FulmarClient client) {
        for (String procedure : List.of("YcsbRead", "YcsbInsert", "YcsbScan", "YcsbUpdate", "YcsbReadModifyWrite")) {
            Statements.executeScript(client, "DROP PROCEDURE " + procedure + ";");
        }
        Statements.executeScript(client, "DROP TABLE usertable;");
    }

    private static Workload.Progress tenths(Settings settings, long records) {
        return (step, done, total) -> {
            if (total > 0 && done % (records / 10) == 0) {
                settings.output().accept(String.format(Locale.ROOT, "%s: %,d of %,d", step, done, total));
            }
        };
    }

    /** Memory that the node's tables, indexes and undo hold, used or not. */
    private static long storageBytes(FulmarClient client) {
        ResultTable node = client.call("@Statistics", "NODE").table().first();
        return node.getLong(node.column("MEMORY_USED_BYTES"));
    }

    /** Measurements of one node. */
    private record Round(
            long grownBytes,
            long grownSinceEmptyBytes,
            long storageBytes,
            List<CollectorLog.Pause> pauses,
            ControlStalls stalls,
            double loadSeconds,
            double throughputPerSecond,
            List<String> problems) {
        double longestExcessMillis() {
            return pauses.stream().mapToLong(stalls::excessNanos).max().orElse(0) / NANOS_PER_MILLI;
        }

        Map<String, Object> asMap() {
            Map<String, Object> map = new LinkedHashMap<>();
            map.put("grownBytes", grownBytes);
            map.put("grownSinceEmptyNodeBytes", grownSinceEmptyBytes);
            map.put("storageBytes", storageBytes);
            map.put("loadSeconds", loadSeconds);
            map.put("throughputPerSecond", throughputPerSecond);
            map.put("collections", pauses.size());
            map.put(
                    "longestPauseMillis",
                    pauses.stream()
                                    .mapToLong(CollectorLog.Pause::durationNanos)
                                    .max()
                                    .orElse(0)
                            / NANOS_PER_MILLI);
            map.put("longestPauseBeyondStallsMillis", longestExcessMillis());
            map.put("longestStallOfTheMachineMillis", stalls.longestNanos() / NANOS_PER_MILLI);
            map.put("problems", problems);
            return map;
        }
    }
}
