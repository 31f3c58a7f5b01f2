package dev.fulmar.benchmarks.experiment;

import dev.fulmar.benchmarks.drive.LoadReport;
import dev.fulmar.benchmarks.drive.LoadShape;
import dev.fulmar.benchmarks.peers.PeersWorkload;
import dev.fulmar.benchmarks.run.BenchmarkRun;
import dev.fulmar.benchmarks.workload.Workload;
import dev.fulmar.client.FulmarClient;
import dev.fulmar.client.ResultTable;
import dev.fulmar.foundation.storage.real.FileStorage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * Cost of durability {@code sync}: no reply leaves before its transaction is on the device. Two nodes, one with
 * durability and one without, each in a process of its own, take turns under the same load; between them the device
 * alone, and the network alone, are measured.
 */
public final class SyncSpeed implements Experiment {
    private static final int ROUNDS = 5;
    private static final int QUICK_ROUNDS = 2;
    private static final int SECONDS = 10;
    private static final int QUICK_SECONDS = 2;
    private static final int WARMUP_SECONDS = 10;
    private static final int QUICK_WARMUP_SECONDS = 3;
    private static final int SETTLING_SECONDS = 1;
    private static final int CONNECTIONS = 4;
    private static final int DEPTH = 32;
    private static final int BLOCK_BYTES = 4096;
    private static final int SLICES = 10;
    private static final long SECOND_NANOS = 1_000_000_000;
    private static final double NANOS_PER_MICRO = 1e3;
    private static final int MIDDLE = 50;

    @Override
    public String name() {
        return "sync-speed";
    }

    @Override
    public String meaning() {
        return "speed with every commit on the device before its reply, against none, the raw device and the network";
    }

    @Override
    public Findings run(Settings settings) throws Exception {
        Findings findings = new Findings(name(), settings.quick(), "sync and none in turns");
        try (TemporaryDirectory directory = TemporaryDirectory.create("fulmar-sync-speed-");
                RawWrites raw = new RawWrites(new FileStorage(directory.path()), "raw", BLOCK_BYTES);
                JavaChild echo = JavaChild.start(EchoNode.class, List.of(), List.of());
                Side none = new Side("none", List.of("durability=none"));
                Side sync = new Side("sync", synchronousIn(directory.path().resolve("data")))) {
            int port = Integer.parseInt(echo.awaitLine(ChildNode.PORT));
            try (EchoNode.Client network = new EchoNode.Client(port)) {
                new Rounds(settings, findings, raw, network, none, sync).run();
            }
        }
        return findings;
    }

    private static List<String> synchronousIn(Path data) {
        return List.of("durability=sync", "data=" + data);
    }

    /** A node and its client. */
    private static final class Side implements AutoCloseable {
        private final String name;
        private final JavaChild node;
        private final FulmarClient client;

        Side(String name, List<String> durability) throws IOException {
            this.name = name;
            List<String> arguments =
                    new ArrayList<>(List.of("partitions=2", "sites=1", "memory.limit=6g", "listen=127.0.0.1:0"));
            arguments.addAll(durability);
            node = JavaChild.start(ChildNode.class, List.of(), arguments);
            client = FulmarClient.builder()
                    .hosts("127.0.0.1:" + node.awaitLine(ChildNode.PORT))
                    .maxOutstanding(1024)
                    .connect();
        }

        private BenchmarkRun run(PeersWorkload workload) {
            return new BenchmarkRun(client, workload, Workload.Progress.silent());
        }

        void load() {
            run(new PeersWorkload(PeersWorkload.Kind.TPCC)).prepare();
        }

        LoadReport measure(PeersWorkload.Kind kind, LoadShape shape, long seed) throws InterruptedException {
            PeersWorkload workload = new PeersWorkload(kind);
            workload.noteBaseline(client);
            BenchmarkRun run = run(workload);
            LoadReport report = run.measure(shape, seed, (second, warmup, done, aborted, failed, latency) -> {});
            List<String> problems = new ArrayList<>(run.verify());
            report.failures().forEach((code, failure) -> problems.add(code + ": " + failure.firstMessage()));
            if (!problems.isEmpty()) {
                throw new IllegalStateException("durability " + name + ": " + String.join("; ", problems));
            }
            return report;
        }

        /** A figure of the log. */
        double logFigure(String column) {
            ResultTable log = client.call("@Statistics", "LOG").table().first();
            return log.getDouble(log.column(column));
        }

        @Override
        public void close() throws IOException {
            client.close();
            node.close();
        }
    }

    /** The turns, and what they showed. */
    private static final class Rounds {
        private final Settings settings;
        private final Findings findings;
        private final RawWrites raw;
        private final EchoNode.Client network;
        private final Side none;
        private final Side sync;
        private final List<Map<String, Object>> turns = new ArrayList<>();
        private final Map<PeersWorkload.Kind, List<Double>> shares = new LinkedHashMap<>();
        private final List<Double> deviceRates = new ArrayList<>();

        Rounds(Settings settings, Findings findings, RawWrites raw, EchoNode.Client network, Side none, Side sync) {
            this.settings = settings;
            this.findings = findings;
            this.raw = raw;
            this.network = network;
            this.none = none;
            this.sync = sync;
        }

        void run() throws Exception {
            none.load();
            sync.load();
            LoadShape warmup = shape(CONNECTIONS, DEPTH, settings.quick() ? QUICK_WARMUP_SECONDS : WARMUP_SECONDS);
            for (Side side : List.of(none, sync)) {
                side.measure(PeersWorkload.Kind.TPCC, warmup, settings.seed());
                side.measure(PeersWorkload.Kind.UPDATE, warmup, settings.seed());
            }
            for (int round = 1; round <= (settings.quick() ? QUICK_ROUNDS : ROUNDS); round++) {
                probeDevice();
                share(PeersWorkload.Kind.TPCC, round);
                share(PeersWorkload.Kind.UPDATE, round);
            }
            probeDevice();
            findings.check("sync-speed.device-writes", median(deviceRates));
            findings.check(
                    "sync-speed.tpcc-lite-share", median(shares.getOrDefault(PeersWorkload.Kind.TPCC, List.of())));
            findings.series("updateShareOfNone", median(shares.getOrDefault(PeersWorkload.Kind.UPDATE, List.of())));
            findings.series("turns", turns);
            findings.series("deviceWritesPerSecond", deviceRates);
            singleClient();
        }

        private static LoadShape shape(int connections, int depth, int seconds) {
            return new LoadShape(connections, depth, 0, SETTLING_SECONDS, seconds);
        }

        private void probeDevice() throws IOException {
            Histogram writes = raw.measure(SECOND_NANOS, 0);
            deviceRates.add((double) writes.getTotalCount());
            tell(
                    "device alone: %,d writes of 4 KiB a second, p50 %,.0f us, p99 %,.0f us",
                    writes.getTotalCount(), micros(writes, MIDDLE), micros(writes, 99));
        }

        private void share(PeersWorkload.Kind kind, int round) throws InterruptedException {
            LoadShape shape = shape(CONNECTIONS, DEPTH, settings.quick() ? QUICK_SECONDS : SECONDS);
            double[] rates = new double[2];
            List<Side> sides = List.of(none, sync);
            for (int i = 0; i < 2; i++) {
                int turn = (i + round) % 2;
                LoadReport report = sides.get(turn).measure(kind, shape, settings.seed() + round);
                rates[turn] = report.throughputPerSecond();
                Map<String, Object> figures = new LinkedHashMap<>();
                figures.put("workload", kind.name().toLowerCase(Locale.ROOT));
                figures.put("durability", sides.get(turn).name);
                figures.put("round", round);
                figures.put("throughputPerSecond", report.throughputPerSecond());
                figures.put("latencyMicros", report.latency().asMap());
                if (turn == 1) {
                    figures.put("recordsPerGroup", sync.logFigure("RECORDS_PER_GROUP"));
                    figures.put("fenceMicros", sync.logFigure("FENCE_MICROS"));
                    figures.put("gateWaitP50Micros", sync.logFigure("GATE_WAIT_P50_MICROS"));
                }
                turns.add(figures);
                tell("%s", figures);
            }
            shares.computeIfAbsent(kind, any -> new ArrayList<>()).add(rates[1] / rates[0]);
        }

        /**
         * One client that waits for each reply, the device at the same pace, and the network, in short slices one after
         * the other.
         */
        private void singleClient() throws Exception {
            LoadShape one = shape(1, 1, 1);
            Histogram writes = new Histogram(3);
            Histogram echoes = new Histogram(3);
            List<Double> calls = new ArrayList<>();
            List<Double> waits = new ArrayList<>();
            for (int slice = 0; slice < SLICES; slice++) {
                LoadReport report = sync.measure(PeersWorkload.Kind.UPDATE, one, settings.seed() + slice);
                calls.add((double) report.latency().p50Micros());
                waits.add(sync.logFigure("GATE_WAIT_P50_MICROS"));
                echoes.add(network.measure(SECOND_NANOS / 2));
                long pause = (long) (median(calls) * NANOS_PER_MICRO - micros(writes, MIDDLE) * NANOS_PER_MICRO);
                writes.add(raw.measure(SECOND_NANOS, Math.max(1, pause)));
            }
            double write = micros(writes, MIDDLE);
            double echo = micros(echoes, MIDDLE);
            double wait = waits.getLast();
            tell(
                    "one client: p50 %,.0f us; at the gate %,.0f us; raw write %,.0f us, echo %,.0f us",
                    median(calls), wait, write, echo);
            findings.check("sync-speed.gate-wait-ratio", wait / write);
            findings.check("sync-speed.single-client-ratio", median(calls) / (write + echo));
            findings.series("singleClientP50Micros", calls);
            findings.series("gateWaitP50Micros", waits);
            findings.series("rawWriteP50Micros", write);
            findings.series("rawWriteP99Micros", micros(writes, 99));
            findings.series("echoP50Micros", echo);
        }

        private void tell(String format, Object... values) {
            settings.output().accept(String.format(Locale.ROOT, format, values));
        }
    }

    private static double micros(Histogram nanos, double percentile) {
        return nanos.getValueAtPercentile(percentile) / NANOS_PER_MICRO;
    }

    private static double median(List<Double> values) {
        List<Double> sorted = new ArrayList<>(values);
        sorted.sort(null);
        return sorted.get(sorted.size() / 2);
    }
}
