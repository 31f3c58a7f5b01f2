package dev.fulmar.it.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.benchmarks.cluster.FreePorts;
import dev.fulmar.coordinator.membership.ClusterRecord;
import dev.fulmar.coordinator.membership.PartitionRecord;
import dev.fulmar.coordinator.membership.StateKey;
import dev.fulmar.coordinator.membership.real.EmbeddedZooKeeper;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.node.config.NodeConfiguration;
import dev.fulmar.node.wiring.ClusterStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A cluster of nodes in processes of their own, at ports that they keep, and its ZooKeeper in this process. */
final class ClusterProcesses implements AutoCloseable {
    static final Duration PATIENCE = Duration.ofSeconds(120);
    private static final String NAME = "processes";

    private final Path folder;
    private final int partitions;
    private final Map<String, String> settings;
    private final Map<Integer, Map<String, String>> ownSettings = new TreeMap<>();
    private final List<String> javaOptions = new ArrayList<>();
    private final Map<Integer, Integer> clientPorts = new TreeMap<>();
    private final Map<Integer, Integer> nodePorts = new TreeMap<>();
    private final Map<Integer, Process> processes = new TreeMap<>();
    private final Map<Integer, Integer> starts = new TreeMap<>();
    private final EmbeddedZooKeeper zookeeper;
    private final ClusterStore store;

    /**
     * Makes the cluster; no node runs yet.
     *
     * @param settings of all nodes
     */
    ClusterProcesses(Path folder, int nodes, int partitions, Map<String, String> settings) throws IOException {
        this.folder = folder;
        this.partitions = partitions;
        this.settings = new TreeMap<>(settings);
        zookeeper = EmbeddedZooKeeper.start(folder.resolve("zookeeper"), 0);
        store = ClusterStore.open(NodeConfiguration.of(ofZooKeeper()).cluster(), "");
        store.found(
                new ClusterRecord(UUID.randomUUID(), NAME, partitions, 2, 1),
                IntStream.rangeClosed(1, nodes).mapToObj(NodeId::new).toList());
        for (int node = 1; node <= nodes; node++) {
            addPorts(node);
        }
    }

    private void addPorts(int node) throws IOException {
        List<Integer> free = FreePorts.take(2);
        clientPorts.put(node, free.getFirst());
        nodePorts.put(node, free.getLast());
    }

    private Map<String, String> ofZooKeeper() {
        Map<String, String> texts = new TreeMap<>(Map.of("cluster", NAME, "zookeeper", zookeeper.servers()));
        settings.forEach((name, value) -> {
            if (name.startsWith("zookeeper.")) {
                texts.put(name, value);
            }
        });
        return texts;
    }

    ClusterStore store() {
        return store;
    }

    String zookeeper() {
        return zookeeper.servers();
    }

    int nodePort(int node) {
        return Objects.requireNonNull(nodePorts.get(node));
    }

    String host(int node) {
        return "127.0.0.1:" + clientPorts.get(node);
    }

    List<String> hosts() {
        return clientPorts.keySet().stream().map(this::host).toList();
    }

    /** Gives one node settings of its own. */
    void set(int node, Map<String, String> own) {
        ownSettings.put(node, own);
    }

    /** Gives the JVM of every node that starts from now on one more option. */
    void runJavaWith(String option) {
        javaOptions.add(option);
    }

    /** Begins to start the node; it has a new port if it is a new one. */
    void start(int node) throws IOException {
        if (!clientPorts.containsKey(node)) {
            addPorts(node);
        }
        Map<String, String> all = new TreeMap<>(ofZooKeeper());
        all.put("node", Integer.toString(node));
        all.put("listen", host(node));
        all.put("listen-nodes", "127.0.0.1:" + nodePort(node));
        all.put("data", folder.resolve("node" + node).toString());
        all.put("sites", "1");
        all.put("memory.limit", "128m");
        all.put("jmx", "true");
        all.putAll(settings);
        all.putAll(ownSettings.getOrDefault(node, Map.of()));
        Path file = folder.resolve("node" + node + ".properties");
        Files.writeString(
                file,
                String.join(
                        "\n",
                        all.entrySet().stream()
                                .map(setting -> setting.getKey() + "=" + setting.getValue())
                                .toList()));
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "--add-exports",
                "java.base/jdk.internal.vm=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1",
                "-Xmx512m"));
        command.addAll(javaOptions);
        command.addAll(List.of(
                "-cp",
                System.getProperty("java.class.path"),
                "dev.fulmar.launcher.Main",
                "start",
                "--config",
                file.toString()));
        starts.merge(node, 1, Integer::sum);
        processes.put(
                node,
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.appendTo(
                                folder.resolve("node" + node + ".out").toFile()))
                        .start());
    }

    /** Ends the node in order, and waits until it has ended. */
    void stop(int node) throws InterruptedException {
        Process process = Objects.requireNonNull(processes.remove(node));
        process.destroy();
        assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }

    /** The node, which does not run, loses all its files. */
    void wipe(int node) throws IOException {
        try (Stream<Path> files = Files.walk(folder.resolve("node" + node))) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    /** Waits until the node has ended by itself, and tells how. */
    int awaitEnd(int node) throws InterruptedException {
        Process process = Objects.requireNonNull(processes.get(node));
        assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        return process.exitValue();
    }

    boolean isAlive(int node) {
        Process process = processes.get(node);
        return process != null && process.isAlive();
    }

    PartitionRecord recordOf(int partition) {
        return store.read(new StateKey.Partition(new PartitionId(partition))).get();
    }

    /** Waits until every partition's record is so. */
    void awaitEvery(Predicate<PartitionRecord> condition) throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        for (int partition = 0; partition < partitions; partition++) {
            StateKey.Partition key = new StateKey.Partition(new PartitionId(partition));
            PartitionRecord record = store.read(key).record();
            while (record == null || !condition.test(record)) {
                assertThat(System.nanoTime() - deadline)
                        .as(key + " is " + record + outputs())
                        .isNegative();
                Thread.sleep(50);
                record = store.read(key).record();
            }
        }
    }

    void awaitInSync() throws InterruptedException {
        awaitReady();
        awaitEvery(record -> record.inSync().size() == 2
                && record.inSync().stream().allMatch(copy -> isAlive(copy.node().number())));
    }

    /** Every node that runs has said that it is ready: before that it may know no tables, procedures and users yet. */
    private void awaitReady() throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        for (int node : processes.keySet()) {
            while (isAlive(node) && readyLines(node) < starts.getOrDefault(node, 0)) {
                assertThat(System.nanoTime() - deadline)
                        .as("node " + node + " is ready" + outputs())
                        .isNegative();
                Thread.sleep(50);
            }
        }
    }

    private long readyLines(int node) {
        try (Stream<String> lines = Files.lines(folder.resolve("node" + node + ".out"))) {
            return lines.filter(line -> line.startsWith("fulmar is ready")).count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String outputs() {
        StringBuilder text = new StringBuilder();
        for (int node : clientPorts.keySet()) {
            try {
                List<String> lines = Files.readAllLines(folder.resolve("node" + node + ".out"));
                text.append("\nnode ").append(node).append(":\n");
                text.append(String.join("\n", lines.subList(Math.max(0, lines.size() - 15), lines.size())));
            } catch (IOException e) {
                text.append("\nnode ").append(node).append(" said nothing");
            }
        }
        return text.toString();
    }

    @Override
    public void close() {
        processes.values().forEach(Process::destroyForcibly);
        for (Process process : processes.values()) {
            try {
                process.waitFor();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        store.close();
        zookeeper.close();
    }
}
