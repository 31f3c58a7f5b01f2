package dev.fulmar.it.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.benchmarks.experiment.ServerProcess;
import dev.fulmar.client.FulmarClient;
import dev.fulmar.coordinator.membership.ClusterRecord;
import dev.fulmar.coordinator.membership.PartitionRecord;
import dev.fulmar.coordinator.membership.StateKey;
import dev.fulmar.coordinator.membership.real.EmbeddedZooKeeper;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.node.config.NodeConfiguration;
import dev.fulmar.node.wiring.ClusterStore;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Nodes of one cluster in processes of their own, with two copies of each partition, and a ZooKeeper. */
final class StartedCluster implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final int COPIES = 2;

    private final Path folder;
    private final int partitions;
    private final List<Path> schema;
    private final String memory;
    private final Map<Integer, ServerProcess> nodes = new TreeMap<>();

    /** For clients of PostgreSQL's protocol; none if nodes do not take them. */
    private final Map<Integer, Integer> postgresPorts = new TreeMap<>();

    private final EmbeddedZooKeeper zookeeper;
    private final ClusterStore store;

    private StartedCluster(Path folder, int partitions, List<Path> schema, String memory) throws IOException {
        this.folder = folder;
        this.partitions = partitions;
        this.schema = schema;
        this.memory = memory;
        zookeeper = EmbeddedZooKeeper.start(folder.resolve("zookeeper"), 0);
        store = ClusterStore.open(
                NodeConfiguration.of(Map.of("cluster", "it", "zookeeper", zookeeper.servers()))
                        .cluster(),
                "");
    }

    /** Founds the cluster and starts its nodes, numbered from 1; returns when all copies are in sync. */
    static StartedCluster start(Path folder, int nodeCount, int partitions, List<Path> schema, String memory)
            throws IOException {
        return start(new StartedCluster(folder, partitions, schema, memory), nodeCount);
    }

    /** The same without a schema; the nodes also take clients of PostgreSQL's protocol. */
    static StartedCluster startWithPostgres(Path folder, int nodeCount, int partitions) throws IOException {
        StartedCluster cluster = new StartedCluster(folder, partitions, List.of(), "64m");
        List<ServerSocket> free = new ArrayList<>(); // all open at once, so that no two nodes get one port
        for (int node = 1; node <= nodeCount; node++) {
            free.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
            cluster.postgresPorts.put(node, free.getLast().getLocalPort());
        }
        for (ServerSocket each : free) {
            each.close();
        }
        return start(cluster, nodeCount);
    }

    private static StartedCluster start(StartedCluster cluster, int nodeCount) throws IOException {
        try {
            List<NodeId> ids = new ArrayList<>();
            for (int node = 1; node <= nodeCount; node++) {
                ids.add(new NodeId(node));
            }
            cluster.store.found(new ClusterRecord(UUID.randomUUID(), "it", cluster.partitions, COPIES, 1), ids);
            for (NodeId node : ids) {
                cluster.startNode(node.number());
            }
            cluster.awaitInSync();
            return cluster;
        } catch (IOException | RuntimeException | Error e) {
            cluster.close();
            throw e;
        }
    }

    void startNode(int node) throws IOException {
        nodes.put(
                node,
                ServerProcess.start(
                        folder.resolve("node" + node),
                        "--cluster",
                        "it",
                        "--node",
                        Integer.toString(node),
                        "--zookeeper",
                        zookeeper.servers(),
                        "--listen-nodes",
                        "127.0.0.1:0",
                        "--postgres",
                        postgresPorts.containsKey(node) ? "127.0.0.1:" + postgresPorts.get(node) : "off",
                        "--sites",
                        "1",
                        "--memory",
                        memory,
                        "--set",
                        "schema=" + schema.stream().map(Path::toString).collect(Collectors.joining(","))));
    }

    void kill(int node) {
        try {
            Objects.requireNonNull(nodes.remove(node)).kill();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    PartitionRecord recordOf(int partition) {
        return store.read(new StateKey.Partition(new PartitionId(partition))).get();
    }

    /** Waits until all copies of all partitions are in sync. */
    void awaitInSync() {
        awaitEvery(record -> record.inSync().size() == COPIES);
    }

    /** Waits until no partition counts on the node. */
    void awaitWithout(int node) {
        awaitEvery(record -> record.primary().node().number() != node
                && record.inSync().stream().noneMatch(copy -> copy.node().number() == node));
    }

    private void awaitEvery(Predicate<PartitionRecord> condition) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        for (int partition = 0; partition < partitions; partition++) {
            StateKey.Partition key = new StateKey.Partition(new PartitionId(partition));
            while (true) {
                PartitionRecord record = store.read(key).record();
                if (record != null && condition.test(record)) {
                    break;
                }
                assertThat(System.nanoTime() - deadline)
                        .as(key + " is " + record)
                        .isNegative();
                pause();
            }
        }
    }

    private static void pause() {
        try {
            Thread.sleep(50);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    FulmarClient connect(int maxOutstanding) {
        return FulmarClient.builder()
                .hosts(nodes.values().stream()
                        .map(node -> "127.0.0.1:" + node.port())
                        .toList())
                .maxOutstanding(maxOutstanding)
                .connect();
    }

    /** Through that node, to begin with. */
    FulmarClient connectTo(int node) {
        return FulmarClient.connect(
                "127.0.0.1:" + Objects.requireNonNull(nodes.get(node)).port());
    }

    /** Sends all calls to that node, which passes on those that it does not serve. */
    FulmarClient connectOnlyTo(int node) {
        return FulmarClient.builder()
                .hosts("127.0.0.1:" + Objects.requireNonNull(nodes.get(node)).port())
                .directRoute(false)
                .connect();
    }

    Connection connectByPostgres(int node) throws SQLException {
        return DriverManager.getConnection(
                "jdbc:postgresql://127.0.0.1:" + Objects.requireNonNull(postgresPorts.get(node)) + "/fulmar?user=ann");
    }

    @Override
    public void close() {
        nodes.values().forEach(ServerProcess::close);
        store.close();
        zookeeper.close();
    }
}
