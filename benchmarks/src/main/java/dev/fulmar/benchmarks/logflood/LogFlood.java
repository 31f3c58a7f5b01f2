package dev.fulmar.benchmarks.logflood;

import dev.fulmar.benchmarks.cluster.CounterLoad;
import dev.fulmar.benchmarks.cluster.RunningCluster;
import dev.fulmar.benchmarks.experiment.Experiment;
import dev.fulmar.benchmarks.experiment.Findings;
import dev.fulmar.benchmarks.experiment.TemporaryDirectory;
import dev.fulmar.benchmarks.failstop.ListeningPorts;
import dev.fulmar.client.FulmarClient;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.node.audit.AuditFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SplittableRandom;

/**
 * Strangers come to every port of a cluster of three nodes while its ZooKeeper is away. All lines count that the nodes
 * wrote, of their logs and audit logs together, from start to end. Afterwards each node commits.
 */
public final class LogFlood implements Experiment {
    private static final int NODES = 3;
    private static final int CONNECTIONS = 10_000;
    private static final int QUICK_CONNECTIONS = 1_000;
    private static final Duration OUTAGE = Duration.ofMinutes(10);
    private static final Duration QUICK_OUTAGE = Duration.ofMinutes(1);
    private static final Duration CALL_TIMEOUT = Duration.ofSeconds(20);
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int COUNTERS = 12;
    private static final String USER = "root";
    private static final String PASSWORD = "a password of the experiment";
    private static final List<String> JAVA_OPTIONS = List.of("-Xmx256m", "-XX:TieredStopAtLevel=1");

    @Override
    public String name() {
        return "log-flood";
    }

    @Override
    public String meaning() {
        return "lines of log of 10,000 garbage connections and 10 minutes without ZooKeeper, all nodes together";
    }

    @Override
    public Findings run(Settings settings) throws Exception {
        Findings findings = new Findings(name(), settings.quick(), "sync");
        List<String> problems = new ArrayList<>();
        try (TemporaryDirectory directory = TemporaryDirectory.create("fulmar-log-flood-")) {
            try (RunningCluster cluster = RunningCluster.start(directory.path(), plan(directory.path()))) {
                openCounters(cluster);
                findings.series("linesBefore", sum(LogLines.count(directory.path())));
                flood(settings, cluster, findings, problems);
                commitOnEachNode(cluster, problems);
            }
            judge(directory.path(), settings, findings, problems);
        }
        problems.forEach(settings.output());
        findings.check("log-flood.problems", problems.size());
        findings.series("problems", problems);
        return findings;
    }

    private static RunningCluster.Plan plan(Path directory) throws IOException {
        Path schema = Files.writeString(directory.resolve("schema.sql"), CounterLoad.SCHEMA);
        Path administrator = Files.createFile(
                directory.resolve("first-user"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(administrator, USER + ":" + PASSWORD);
        return new RunningCluster.Plan(
                NODES,
                NODES,
                2,
                JAVA_OPTIONS,
                Map.of(
                        "schema", schema.toString(),
                        "sites", "1",
                        "memory.limit", "64m",
                        "metrics.listen", "127.0.0.1:0",
                        "authentication", "true",
                        "security.administrator", administrator.toString()),
                false);
    }

    private static FulmarClient connect(RunningCluster cluster, int node) {
        return FulmarClient.builder()
                .hosts(cluster.address(node))
                .user(USER, PASSWORD)
                .connectTimeout(CALL_TIMEOUT)
                .callTimeout(CALL_TIMEOUT)
                .connect();
    }

    private static void openCounters(RunningCluster cluster) {
        try (FulmarClient client = connect(cluster, 1)) {
            for (long key = 1; key <= COUNTERS; key++) {
                client.call("OPEN_COUNTER", key);
            }
        }
    }

    private static void flood(Settings settings, RunningCluster cluster, Findings findings, List<String> problems)
            throws IOException {
        int connections = settings.quick() ? QUICK_CONNECTIONS : CONNECTIONS;
        Duration outage = settings.quick() ? QUICK_OUTAGE : OUTAGE;
        List<Integer> ports = new ArrayList<>();
        List<String> addresses = new ArrayList<>();
        for (int node = 1; node <= NODES; node++) {
            ports.addAll(ListeningPorts.of(cluster.node(node).processNumber()));
            addresses.add(cluster.address(node));
        }
        settings.output()
                .accept(connections + " connections to " + ports.size() + " ports, " + outage.toSeconds()
                        + " s without ZooKeeper");
        Strangers strangers = new Strangers(ports, addresses, new SplittableRandom(settings.seed()));
        cluster.stopStore();
        long beginNanos = System.nanoTime();
        strangers.come(connections, outage);
        awaitEnd(beginNanos, outage);
        double seconds = (System.nanoTime() - beginNanos) / 1e9;
        cluster.startStore();
        int opened =
                strangers.opened().values().stream().mapToInt(Integer::intValue).sum();
        strangers.failed().forEach((reason, times) -> problems.add(times + " times " + reason));
        findings.check("log-flood.connections", (double) opened / connections);
        findings.check("log-flood.outage", seconds / outage.toSeconds());
        findings.check("log-flood.pace", seconds / outage.toSeconds());
        findings.series("connections", strangers.opened());
        findings.series("ports", ports.size());
        findings.series("outageSeconds", seconds);
    }

    private static void awaitEnd(long beginNanos, Duration time) {
        try {
            Thread.sleep(Math.max(0, time.toMillis() - (System.nanoTime() - beginNanos) / 1_000_000 + 1));
        } catch (InterruptedException e) {
            throw new IllegalStateException("the outage was cut short", e);
        }
    }

    /** Each counter is counted up once through each node; what it then tells is known. */
    private static void commitOnEachNode(RunningCluster cluster, List<String> problems) throws InterruptedException {
        cluster.awaitAllInSync(PATIENCE);
        for (int node = 1; node <= NODES; node++) {
            try (FulmarClient client = connect(cluster, node)) {
                for (long key = 1; key <= COUNTERS; key++) {
                    client.call("COUNT_UP", key);
                }
            } catch (FulmarException failed) {
                problems.add("afterwards node " + node + ": " + failed.code() + " " + failed.getMessage());
            }
        }
    }

    private static void judge(Path directory, Settings settings, Findings findings, List<String> problems)
            throws IOException {
        SortedMap<String, Long> lines = LogLines.count(directory);
        findings.check("log-flood.lines", sum(lines));
        findings.series("lines", lines);
        List<Path> auditLogs = LogLines.auditLogs(directory);
        if (auditLogs.size() != NODES) {
            problems.add(auditLogs.size() + " audit logs of " + NODES + " nodes");
        }
        for (Path log : auditLogs) {
            try {
                settings.output()
                        .accept(directory.relativize(log) + " is whole: "
                                + AuditFile.verify(log).lines() + " lines");
            } catch (FulmarException damaged) {
                problems.add(String.valueOf(damaged.getMessage()));
            }
        }
        showLogs(directory, settings);
    }

    /** Keeps the logs that operators would read, if the caller named a directory. */
    private static void showLogs(Path directory, Settings settings) throws IOException {
        Path wanted = settings.directory();
        if (wanted != null) {
            Files.createDirectories(wanted);
            for (int node = 1; node <= NODES; node++) {
                String name = "node" + node + ".log";
                Files.writeString(wanted.resolve(name), Files.readString(directory.resolve(name)));
            }
        }
    }

    private static double sum(SortedMap<String, Long> lines) {
        return lines.values().stream().mapToLong(Long::longValue).sum();
    }
}
