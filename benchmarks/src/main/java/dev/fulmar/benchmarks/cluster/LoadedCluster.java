package dev.fulmar.benchmarks.cluster;

import dev.fulmar.benchmarks.drive.LoadGenerator;
import dev.fulmar.benchmarks.drive.LoadReport;
import dev.fulmar.benchmarks.drive.LoadShape;
import dev.fulmar.benchmarks.pairs.PairsWorkload;
import dev.fulmar.benchmarks.run.LocalDatabase;
import dev.fulmar.benchmarks.workload.PipelinedCalls;
import dev.fulmar.benchmarks.workload.ProcedureJar;
import dev.fulmar.benchmarks.workload.RequestSource;
import dev.fulmar.benchmarks.workload.Statements;
import dev.fulmar.client.FulmarClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;

/** A running cluster with the table of pairs, and clients on it. */
final class LoadedCluster implements AutoCloseable {
    /** Compiled as in production, for what is measured is speed. */
    private static final List<String> JAVA_OPTIONS = List.of("-Xmx1g");

    private static final int MAX_OUTSTANDING = 4_096;
    private static final int LOAD_IN_FLIGHT = 512;
    private static final Duration CALL_TIMEOUT = Duration.ofSeconds(30);

    private final RunningCluster cluster;
    private final FulmarClient client;

    /** One of each node. */
    private final List<FulmarClient> ofNodes = new ArrayList<>();

    /**
     * A turn of the load.
     *
     * @param traffic between nodes
     * @param cpu of all nodes
     * @param problems failures, and what is wrong with the table after it
     */
    record Turn(LoadReport report, NodeTraffic traffic, ThreadTimes cpu, List<String> problems) {
        double perTransaction(double figure) {
            return figure / Math.max(1, report.committed());
        }
    }

    private LoadedCluster(RunningCluster cluster) {
        this.cluster = cluster;
        List<String> hosts = new ArrayList<>();
        for (int node = 1; node <= cluster.plan().nodes(); node++) {
            hosts.add(cluster.address(node));
            ofNodes.add(cluster.connect(node, MAX_OUTSTANDING, CALL_TIMEOUT));
        }
        client = FulmarClient.builder()
                .hosts(hosts)
                .maxOutstanding(MAX_OUTSTANDING)
                .connect();
    }

    /** Starts it in the directory, with one site per node, and fills the table. */
    static LoadedCluster start(Path directory, int nodes, int partitions, int copies, String durability)
            throws IOException, InterruptedException {
        Files.createDirectories(directory);
        PairsWorkload workload = new PairsWorkload(0);
        Path jar = Files.write(directory.resolve("pairs.jar"), ProcedureJar.of(workload.procedureClasses()));
        Path tables = Files.writeString(directory.resolve("pairs.sql"), workload.ddl());
        Map<String, String> settings = new TreeMap<>(Map.of(
                "schema",
                jar + "," + tables,
                "sites",
                "1",
                "memory.limit",
                "512m",
                "durability",
                durability,
                "partitioning",
                LocalDatabase.ranges(partitions, PairsWorkload.PARTS)));
        LoadedCluster loaded = new LoadedCluster(RunningCluster.start(
                directory, new RunningCluster.Plan(nodes, partitions, copies, JAVA_OPTIONS, settings, false)));
        try {
            loaded.fill();
        } catch (RuntimeException | Error e) {
            loaded.close();
            throw e;
        }
        return loaded;
    }

    private void fill() {
        PipelinedCalls calls = new PipelinedCalls(client, LOAD_IN_FLIGHT);
        for (int part = 1; part <= PairsWorkload.PARTS; part++) {
            for (int place = 1; place <= PairSource.PLACES; place++) {
                calls.call("PAIRS.insert", part, place, 0L, PairSource.NEW_VALUE);
            }
        }
        calls.drain();
    }

    /**
     * Number of updates of rows, by the table. Asked for part by part, so that it needs no transaction over several
     * partitions.
     */
    private long updates() {
        long sum = 0;
        for (int part = 1; part <= PairsWorkload.PARTS; part++) {
            sum += Statements.longOf(client, "SELECT SUM(times) FROM pairs WHERE part = ?", part);
        }
        return sum;
    }

    /** A client of all nodes. */
    FulmarClient client() {
        return client;
    }

    /** Updates anywhere, as the client of the product routes them. */
    Turn measure(LoadShape shape, long seed) throws IOException, InterruptedException {
        LongAdder committed = new LongAdder();
        SplittableRandom random = new SplittableRandom(seed);
        List<RequestSource> sources = new ArrayList<>();
        for (int i = 0; i < shape.streams(); i++) {
            sources.add(PairSource.anywhere(random.split(), committed));
        }
        return measure(shape, sources, committed);
    }

    /** So many updates in flight on each partition, each asked of the node that leads it. */
    Turn measureRouted(int inFlight, int warmupSeconds, int seconds, long seed)
            throws IOException, InterruptedException {
        LongAdder committed = new LongAdder();
        SplittableRandom random = new SplittableRandom(seed);
        int partitions = cluster.plan().partitions();
        List<RequestSource> sources = new ArrayList<>();
        for (int partition = 0; partition < partitions; partition++) {
            int first = 1 + PairsWorkload.PARTS * partition / partitions;
            int next = 1 + PairsWorkload.PARTS * (partition + 1) / partitions;
            FulmarClient leader =
                    ofNodes.get(cluster.recordOf(partition).primary().node().number() - 1);
            for (int i = 0; i < inFlight; i++) {
                sources.add(new PairSource(first, next - first, usual -> leader, random.split(), committed));
            }
        }
        return measure(new LoadShape(partitions, inFlight, 0, warmupSeconds, seconds), sources, committed);
    }

    private Turn measure(LoadShape shape, List<RequestSource> sources, LongAdder committed)
            throws IOException, InterruptedException {
        long before = updates();
        Usage usage = new Usage();
        LoadReport report = new LoadGenerator(client, shape)
                .run(sources, (second, warmup, done, aborted, failed, latency) -> {
                    if (second == shape.warmupSeconds()) {
                        usage.note();
                    }
                });
        Turn used = usage.until(report);
        List<String> problems = new ArrayList<>();
        report.failures().forEach((code, failure) -> problems.add(code + ": " + failure.firstMessage()));
        long updates = updates() - before;
        if (updates != 2 * committed.sum()) {
            problems.add("rows were updated " + updates + " times, clients saw " + 2 * committed.sum());
        }
        return new Turn(report, used.traffic, used.cpu, problems);
    }

    /** Measures the nodes for so many seconds without any request. */
    Turn idle(int seconds) throws InterruptedException {
        Usage usage = new Usage();
        Thread.sleep(seconds * 1_000L);
        Turn used = usage.until(new LoadReport(seconds, 0, 0, new TreeMap<>(), new LoadReport.Latency(0, 0, 0, 0, 0)));
        return new Turn(used.report, used.traffic, used.cpu.withoutCompilers(), used.problems);
    }

    /** Resident memory of the nodes' processes now, in bytes, on average. */
    long meanResidentBytes() throws IOException {
        long sum = 0;
        for (long process : processes()) {
            sum += ThreadTimes.residentBytes(process);
        }
        return sum / cluster.plan().nodes();
    }

    private List<Long> processes() {
        List<Long> numbers = new ArrayList<>();
        for (int node = 1; node <= cluster.plan().nodes(); node++) {
            numbers.add(cluster.node(node).processNumber());
        }
        return numbers;
    }

    /** The nodes' use of network and processors from a moment on. */
    private final class Usage {
        private NodeTraffic traffic = NodeTraffic.of(ofNodes);
        private ThreadTimes cpu = times();

        private ThreadTimes times() {
            try {
                return ThreadTimes.of(processes());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        /** From now on. */
        void note() {
            traffic = NodeTraffic.of(ofNodes);
            cpu = times();
        }

        Turn until(LoadReport report) {
            return new Turn(report, NodeTraffic.of(ofNodes).since(traffic), times().since(cpu), List.of());
        }
    }

    @Override
    public void close() throws IOException {
        ofNodes.forEach(FulmarClient::close);
        client.close();
        cluster.close();
    }
}
