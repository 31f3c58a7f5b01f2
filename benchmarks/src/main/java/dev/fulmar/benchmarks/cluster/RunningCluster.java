package dev.fulmar.benchmarks.cluster;

import dev.fulmar.benchmarks.experiment.JavaChild;
import dev.fulmar.benchmarks.experiment.ServerProcess;
import dev.fulmar.client.FulmarClient;
import dev.fulmar.coordinator.membership.ClusterRecord;
import dev.fulmar.coordinator.membership.PartitionRecord;
import dev.fulmar.coordinator.membership.StateKey;
import dev.fulmar.coordinator.membership.stored.StatePaths;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.node.config.NodeConfiguration;
import dev.fulmar.node.wiring.ClusterStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * A cluster on this machine: a ZooKeeper and nodes, each in a process of its own. Nodes have the numbers from 1 on, and
 * keep their ports.
 */
public final class RunningCluster implements AutoCloseable {
    private static final String NAME = "experiment";
    private static final List<String> STORE_OPTIONS =
            List.of("-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");
    private static final long POLL_MILLIS = 10;

    /** Exit status of a node whose device has failed. */
    private static final int DEVICE_FAILED = 74;

    private final Path directory;
    private final Plan plan;
    private JavaChild zookeeper;
    private final String servers;
    private final ClusterStore store;
    private final List<Integer> ports;
    private final List<Integer> nodePorts;
    private final Wires wires = new Wires();
    private final List<Relay> relays = new ArrayList<>();
    private final Map<Integer, ServerProcess> nodes = new TreeMap<>();

    /**
     * Configuration of a cluster to run.
     *
     * @param partitions how many there are, spares included
     * @param spares how many of them have no keys by the first plan
     * @param copies of each partition
     * @param javaOptions of each node
     * @param settings of each node, by name
     * @param wired whether nodes reach each other and the ZooKeeper by ways that can be cut, and their clocks can be
     *     set wrong
     */
    public record Plan(
            int nodes,
            int partitions,
            int spares,
            int copies,
            List<String> javaOptions,
            Map<String, String> settings,
            boolean wired) {
        /** A cluster without spare partitions. */
        public Plan(
                int nodes,
                int partitions,
                int copies,
                List<String> javaOptions,
                Map<String, String> settings,
                boolean wired) {
            this(nodes, partitions, 0, copies, javaOptions, settings, wired);
        }
    }

    private RunningCluster(Path directory, Plan plan, JavaChild zookeeper, String servers) throws IOException {
        this.directory = directory;
        this.plan = plan;
        this.zookeeper = zookeeper;
        this.servers = servers;
        List<Integer> free = FreePorts.take(2 * plan.nodes);
        ports = free.subList(0, plan.nodes);
        nodePorts = free.subList(plan.nodes, 2 * plan.nodes);
        if (plan.wired) {
            int storePort = Integer.parseInt(servers.substring(servers.indexOf(':') + 1));
            for (int node = 1; node <= plan.nodes; node++) {
                relays.add(Relay.beforeNode(node, nodePorts.get(node - 1), wires));
                relays.add(Relay.beforeStore(node, storePort, wires));
            }
        }
        store = ClusterStore.open(
                NodeConfiguration.of(Map.of("cluster", NAME, "zookeeper", servers))
                        .cluster(),
                "");
    }

    /** Starts it; every partition has all its copies in sync when this returns. */
    public static RunningCluster start(Path directory, Plan plan) throws IOException, InterruptedException {
        JavaChild zookeeper = storeOf(directory, 0);
        RunningCluster cluster =
                new RunningCluster(directory, plan, zookeeper, zookeeper.awaitLine(StoreProcess.SERVERS));
        try {
            cluster.store.found(
                    new ClusterRecord(UUID.randomUUID(), NAME, plan.partitions, plan.copies, 1, plan.spares),
                    IntStream.rangeClosed(1, plan.nodes).mapToObj(NodeId::new).toList());
            for (int node = 1; node <= plan.nodes; node++) {
                cluster.startNode(node);
            }
            cluster.awaitAllInSync(Duration.ofSeconds(60));
            return cluster;
        } catch (IOException | InterruptedException | RuntimeException e) {
            cluster.close();
            throw e;
        }
    }

    private static JavaChild storeOf(Path directory, int port) throws IOException {
        return JavaChild.start(
                StoreProcess.class,
                STORE_OPTIONS,
                List.of(directory.resolve("zookeeper").toString(), Integer.toString(port)));
    }

    /** Ends the ZooKeeper's process in order; the nodes go on without. */
    public void stopStore() throws IOException {
        zookeeper.close();
    }

    /** Ends the ZooKeeper's process as {@code kill -9} does. */
    public void killStore() throws InterruptedException {
        zookeeper.kill();
    }

    /** Starts the ZooKeeper again, at its port and on its files; returns when it takes sessions. */
    public void startStore() throws IOException {
        zookeeper = storeOf(directory, Integer.parseInt(servers.substring(servers.indexOf(':') + 1)));
        zookeeper.awaitLine(StoreProcess.SERVERS);
    }

    /** The session in which the node shows itself in the ZooKeeper; empty if it does not. */
    public Optional<String> sessionOf(int node) throws IOException {
        return ask(StoreSessions.ownerOf(presenceOf(node)));
    }

    /** Ends that session at the ZooKeeper, and returns it. The node is told when it connects again. */
    public Optional<String> endSessionOf(int node) throws IOException {
        return ask(StoreSessions.endOwnerOf(presenceOf(node)));
    }

    private static String presenceOf(int node) {
        return new StatePaths(NAME).ofPresence(new NodeId(node));
    }

    private Optional<String> ask(String question) throws IOException {
        zookeeper.tell(question);
        return StoreSessions.session(zookeeper.awaitLine(StoreProcess.SESSION));
    }

    /** Starts the node, on what its last process left; returns when it takes clients. */
    public void startNode(int node) throws IOException {
        List<String> options = new ArrayList<>(List.of(
                "--cluster",
                NAME,
                "--node",
                Integer.toString(node),
                "--zookeeper",
                plan.wired ? relays.get(2 * node - 1).address() : servers,
                "--listen",
                address(node),
                "--listen-nodes",
                "127.0.0.1:" + nodePorts.get(node - 1)));
        if (plan.wired) {
            options.addAll(List.of(
                    "--set",
                    "advertise-nodes=" + relays.get(2 * node - 2).address(),
                    "--set",
                    "clock.offset-file=" + clockOf(node)));
        }
        plan.settings.forEach((name, value) -> options.addAll(List.of("--set", name + "=" + value)));
        nodes.put(
                node,
                ServerProcess.start(
                        placeOf(directory, node).resolve("data"),
                        plan.javaOptions,
                        new OutputFile(directory.resolve("node" + node + ".log")),
                        options.toArray(String[]::new)));
    }

    private Path clockOf(int node) {
        return directory.resolve("node" + node + ".clock");
    }

    /** Sets the wall clock of a node of a wired cluster wrong by so much; it looks once a second. */
    public void setClockWrong(int node, Duration offset) throws IOException {
        Path next = directory.resolve("node" + node + ".clock.new");
        Files.writeString(next, Long.toString(offset.toMillis()));
        Files.move(next, clockOf(node), StandardCopyOption.ATOMIC_MOVE);
    }

    /** File for a node's output, for people who look for a fault. */
    private record OutputFile(Path path) implements Consumer<String> {
        @Override
        public void accept(String line) {
            try {
                Files.writeString(path, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** Directory that becomes the disk of a node, within the cluster's directory. */
    public static Path placeOf(Path directory, int node) {
        return directory.resolve("node" + node);
    }

    /** Starts all nodes again. */
    public void startAll() throws IOException {
        for (int node = 1; node <= plan.nodes; node++) {
            startNode(node);
        }
    }

    /** The ways between the members; there are some only if the plan is wired. */
    public Wires wires() {
        return wires;
    }

    /** Address at which clients reach the node. */
    public String address(int node) {
        return "127.0.0.1:" + ports.get(node - 1);
    }

    /** The node's process. */
    public ServerProcess node(int number) {
        ServerProcess node = nodes.get(number);
        if (node == null) {
            throw new IllegalArgumentException("node " + number + " does not run");
        }
        return node;
    }

    /** Ends the node's process as {@code kill -9} does. */
    public void kill(int number) throws InterruptedException {
        node(number).kill();
        nodes.remove(number);
    }

    /** Stops the node in order, as {@code kill} does; returns when its process has ended. */
    public void stop(int number) {
        node(number).close();
        nodes.remove(number);
    }

    /**
     * Starts a node again that ended by itself because its device failed, as an operator does once the device is well;
     * returns whether it had.
     */
    public boolean startAfterDeviceFailure(int number) throws IOException {
        OptionalInt status = node(number).exitStatus();
        if (status.isEmpty()) {
            return false;
        }
        if (status.getAsInt() != DEVICE_FAILED) {
            throw new IllegalStateException("node " + number + " ended with exit status " + status.getAsInt());
        }
        nodes.remove(number);
        startNode(number);
        return true;
    }

    /** Ends all nodes' processes at once. Between the signal and the end of the processes the action is taken. */
    public void killAll(Runnable between) throws InterruptedException {
        for (ServerProcess node : nodes.values()) {
            node.beginKill();
        }
        between.run();
        for (ServerProcess node : nodes.values()) {
            node.kill();
        }
        nodes.clear();
    }

    /** A client that prefers the node, and goes on elsewhere without it. */
    public FulmarClient connect(int node, int maxOutstanding, Duration callTimeout) {
        return FulmarClient.builder()
                .hosts(address(node))
                .maxOutstanding(maxOutstanding)
                .whenFull(FulmarClient.WhenFull.FAIL)
                .callTimeout(callTimeout)
                .connect();
    }

    public Plan plan() {
        return plan;
    }

    /** The cluster's own record of the partition, with its primary. */
    public PartitionRecord recordOf(int partition) {
        return store.read(new StateKey.Partition(new PartitionId(partition))).get();
    }

    /** The record of the catalog, whose primary makes the changes of the catalog. */
    public PartitionRecord recordOfCatalog() {
        return recordOf(plan.partitions);
    }

    /** Waits until every partition has all its copies in sync. */
    public void awaitAllInSync(Duration patience) throws InterruptedException {
        await(record -> record.inSync().size() == plan.copies, patience);
    }

    /** Waits until the records of all partitions are so. */
    public void await(Predicate<PartitionRecord> condition, Duration patience) throws InterruptedException {
        long deadline = System.nanoTime() + patience.toNanos();
        for (int partition = 0; partition < plan.partitions; partition++) {
            StateKey.Partition key = new StateKey.Partition(new PartitionId(partition));
            PartitionRecord record = store.read(key).record();
            while (record == null || !condition.test(record)) {
                if (System.nanoTime() - deadline > 0) {
                    throw new IllegalStateException("after " + patience + " " + key + " is still " + record);
                }
                Thread.sleep(POLL_MILLIS);
                record = store.read(key).record();
            }
        }
    }

    @Override
    public void close() throws IOException {
        wires.mend();
        for (ServerProcess node : nodes.values()) {
            node.close();
        }
        for (Relay relay : relays) {
            relay.close();
        }
        store.close();
        zookeeper.close();
    }
}
