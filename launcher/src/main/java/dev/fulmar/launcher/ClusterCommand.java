package dev.fulmar.launcher;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import dev.fulmar.client.FulmarClient;
import dev.fulmar.client.ResultTable;
import dev.fulmar.coordinator.membership.ClusterRecord;
import dev.fulmar.coordinator.membership.NodeRecord;
import dev.fulmar.coordinator.membership.StateKey;
import dev.fulmar.engine.partitioning.KeySpace;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.node.config.ClusterConfiguration;
import dev.fulmar.node.config.NodeConfiguration;
import dev.fulmar.node.wiring.ClusterRoster;
import dev.fulmar.node.wiring.ClusterStore;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Makes a cluster, shows its state, and lets nodes join, leave and be started anew. */
@Command(
        name = "cluster",
        description = "Makes a cluster in a ZooKeeper, shows or changes it; see docs/OPERATIONS.md.",
        mixinStandardHelpOptions = true)
final class ClusterCommand implements Runnable {
    private static final long POLL_NANOS = 200_000_000;

    /** With more, nothing brings back the copy that is missing while transactions wait for it. */
    private static final int LEAST_IN_SYNC = 1;

    /** Exit status of {@code wait} when its time is over; those of usage and failure are 2 and 1. */
    private static final int NOT_YET = 3;

    @Spec
    private CommandSpec spec;

    /** Place of a cluster's state. */
    static final class Place {
        @Option(names = "--cluster", required = true, paramLabel = "NAME", description = "Name of the cluster.")
        private String cluster = "";

        @Option(
                names = "--zookeeper",
                defaultValue = "127.0.0.1:" + ZooKeeperCommand.DEFAULT_PORT,
                paramLabel = "HOST:PORT,...",
                description = "Servers of its ZooKeeper; default: ${DEFAULT-VALUE}.")
        private String zookeeper = "";

        @Option(
                names = "--set",
                paramLabel = "NAME=VALUE",
                description = "zookeeper.user and zookeeper.password, if the ZooKeeper asks for them.")
        private Map<String, String> settings = new TreeMap<>();

        /** For a cluster that is to be made. */
        ClusterStore openNew() {
            return ClusterStore.open(configuration(), "");
        }

        ClusterStore open() {
            return ClusterStore.openExisting(configuration());
        }

        private ClusterConfiguration configuration() {
            Map<String, String> texts = new TreeMap<>(settings);
            texts.put("cluster", cluster);
            texts.put("zookeeper", zookeeper);
            return NodeConfiguration.of(texts).cluster();
        }

        String cluster() {
            return cluster;
        }
    }

    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }

    @Command(
            name = "init",
            description =
                    "Makes a new cluster: who belongs to it, and which nodes are to have copies of which partition.",
            mixinStandardHelpOptions = true)
    int init(
            @Mixin Place place,
            @Option(
                            names = "--nodes",
                            required = true,
                            paramLabel = "COUNT",
                            description = "Nodes, which have the numbers from 1 to COUNT.")
                    int nodes,
            @Option(
                            names = "--partitions",
                            paramLabel = "COUNT",
                            description = "Parts that the data is cut into, for ever; default: two per node.")
                    Integer partitions,
            @Option(
                            names = "--spares",
                            defaultValue = "0",
                            paramLabel = "COUNT",
                            description =
                                    "Further partitions without keys, which later plans can give some; default: ${DEFAULT-VALUE}.")
                    int spares,
            @Option(
                            names = "--k",
                            defaultValue = "1",
                            description =
                                    "Nodes that may fail at once: each partition has k + 1 copies; default: ${DEFAULT-VALUE}.")
                    int k) {
        if (nodes < 1) {
            throw new ParameterException(spec.commandLine(), "a cluster has at least one node");
        }
        int parts = partitions == null ? 2 * nodes : partitions;
        ClusterRecord record =
                new ClusterRecord(UUID.randomUUID(), place.cluster(), parts + spares, k + 1, LEAST_IN_SYNC, spares);
        List<NodeId> numbers =
                IntStream.rangeClosed(1, nodes).mapToObj(NodeId::new).toList();
        try (ClusterStore store = place.openNew()) {
            store.found(record, numbers);
        }
        PrintWriter out = spec.commandLine().getOut();
        out.println("cluster " + record.name() + " is made: " + parts + " partitions"
                + (spares == 0 ? "" : " and " + spares + " spare") + " with " + record.copies()
                + " copies on nodes 1 to " + nodes + ". Start them with: bin/fulmar start --cluster " + record.name()
                + " --node NUMBER --zookeeper ...");
        out.flush();
        return 0;
    }

    @Command(
            name = "status",
            description = "Shows nodes and partitions as the cluster's ZooKeeper has them; no node need run.",
            mixinStandardHelpOptions = true)
    int status(
            @Mixin Place place, @Option(names = "--json", description = "As a JSON object, for programs.") boolean json)
            throws JsonProcessingException {
        try (ClusterStore store = place.open()) {
            if (json) {
                ClusterRoster roster = new ClusterRoster(store);
                say(new ObjectMapper()
                        .enable(SerializationFeature.INDENT_OUTPUT)
                        .writeValueAsString(ClusterSummary.asMap(store, roster.unfinished(), roster.unled())));
            } else {
                ClusterSummary.print(store, spec.commandLine().getOut());
            }
        }
        return 0;
    }

    @Command(
            name = "wait",
            description =
                    "Waits until every partition is led by a node that is up and has all its copies in sync. Exit status 0 then, "
                            + NOT_YET + " if the time is over before, 1 if the cluster cannot be asked.",
            mixinStandardHelpOptions = true)
    int await(
            @Mixin Place place,
            @Option(
                            names = "--timeout",
                            defaultValue = "60",
                            paramLabel = "SECONDS",
                            description = "How long at most; default: ${DEFAULT-VALUE}.")
                    int timeoutSeconds,
            @Option(names = "--led", description = "Do not wait for copies, only for leaders.") boolean led) {
        if (timeoutSeconds < 0) {
            throw new ParameterException(
                    spec.commandLine(), "--timeout " + timeoutSeconds + ": a time is not negative");
        }
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(timeoutSeconds);
        try (ClusterStore store = place.open()) {
            ClusterRoster roster = new ClusterRoster(store);
            while (true) {
                int unled = roster.unled();
                int unfinished = led ? 0 : roster.unfinished();
                if (unled + unfinished == 0) {
                    say(led ? "all partitions are led" : "all partitions are led, and all copies are in sync");
                    return 0;
                }
                if (System.nanoTime() - end >= 0) {
                    say("after " + timeoutSeconds + " s " + unled + " partitions are led by no node that is up"
                            + (led ? "" : ", and " + unfinished + " wait for copies")
                            + "; cluster status shows which");
                    return NOT_YET;
                }
                LockSupport.parkNanos(POLL_NANOS);
            }
        }
    }

    @Command(
            name = "add",
            description =
                    "Gives a further node its share of the copies, and waits until it has them and leads its share of the partitions. Start the node before or after.",
            mixinStandardHelpOptions = true)
    int add(
            @Mixin Place place,
            @Option(names = "--node", required = true, paramLabel = "NUMBER", description = "Number of the node.")
                    int node,
            @Option(
                            names = "--balance-keys",
                            description =
                                    "Then also starts a reconfiguration, at --host, by which all partitions have equal shares of the hashes, spare ones too.")
                    boolean balancesKeys,
            @Mixin ConnectionOptions connection) {
        if (balancesKeys) {
            checkBalance(connection);
        }
        try (ClusterStore store = place.open()) {
            ClusterRoster roster = new ClusterRoster(store);
            roster.add(new NodeId(node));
            say("node " + node + " is to have its share of the copies; they are built while the others serve");
            awaitCopies(roster);
            awaitLeaders(roster);
        }
        say("all copies are in sync, and each partition is led by the node that should");
        if (balancesKeys) {
            balanceKeys(connection);
        }
        return 0;
    }

    /** Before anything is changed: the copies may take long. */
    private static void checkBalance(ConnectionOptions connection) {
        try (FulmarClient client = connection.connect(1)) {
            if (ServerPlan.read(client).plan().spaceOfIntegers() == KeySpace.INTEGER) {
                throw new FulmarException(
                        ErrorCode.NOT_SUPPORTED,
                        "this database divides integers by ranges, so --balance-keys cannot say how many keys lie in one;"
                                + " nothing was changed. Leave the option out, and start a plan of your own with"
                                + " bin/fulmar reconfigure");
            }
        }
    }

    private void balanceKeys(ConnectionOptions connection) {
        try (FulmarClient client = connection.connect(1)) {
            ResultTable status = client.call("@Reconfigure", "BALANCE").table().first();
            say(
                    "DONE".equals(status.getString(status.column("STATE")))
                            ? "partitions have equal shares of the hashes already"
                            : "keys move until partitions have equal shares of the hashes; follow it with: bin/fulmar reconfigure status --watch");
        }
    }

    @Command(
            name = "remove",
            description =
                    "Takes a node out for good, alive or dead, once others have copies of all that it had. Its process ends then.",
            mixinStandardHelpOptions = true)
    int remove(
            @Mixin Place place,
            @Option(names = "--node", required = true, paramLabel = "NUMBER", description = "Number of the node.")
                    int node,
            @Option(
                            names = "--balance-keys",
                            description =
                                    "Then also starts the reconfiguration that 'add' starts; --host is a node that stays.")
                    boolean balancesKeys,
            @Mixin ConnectionOptions connection) {
        if (balancesKeys) {
            checkBalance(connection);
        }
        NodeId removed = new NodeId(node);
        try (ClusterStore store = place.open()) {
            ClusterRoster roster = new ClusterRoster(store);
            roster.beginToRemove(removed);
            say("the copies of node " + node + " are built on others");
            awaitCopies(roster);
            awaitLeaders(roster);
            roster.remove(removed);
        }
        say("node " + node + " is taken out; its number is not used again");
        if (balancesKeys) {
            balanceKeys(connection);
        }
        return 0;
    }

    private void say(String text) {
        PrintWriter out = spec.commandLine().getOut();
        out.println(text);
        out.flush();
    }

    private void awaitCopies(ClusterRoster roster) {
        int before = -1;
        for (int unfinished = roster.unfinished(); unfinished > 0; unfinished = roster.unfinished()) {
            if (unfinished != before) {
                say(unfinished + " partitions wait for copies (the command may be ended and given again)");
                before = unfinished;
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    private void awaitLeaders(ClusterRoster roster) {
        if (roster.misled() > 0) {
            say("partitions go to the nodes that should lead them (the command may be ended and given again)");
        }
        while (roster.misled() > 0) {
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    @Command(
            name = "restart",
            description =
                    "Restarts nodes one after another, each when all copies are in sync. Their supervisor (systemd) starts them again, or you do.",
            mixinStandardHelpOptions = true)
    int restart(@Mixin Place place, @Mixin ConnectionOptions connection) {
        try (ClusterStore store = place.open()) {
            ClusterRoster roster = new ClusterRoster(store);
            for (String host : connection.hosts()) {
                awaitCopies(roster);
                Map<Integer, Long> before = processes(store);
                int node;
                try (FulmarClient client = connection
                        .builder(System.getenv())
                        .hosts(host)
                        .directRoute(false)
                        .connect()) {
                    node = Math.toIntExact(client.call("@Restart").longValue());
                }
                say("node " + node + " at " + host + " stops; waiting until it is back");
                while (processes(store).getOrDefault(node, 0L) <= before.getOrDefault(node, 0L)) {
                    LockSupport.parkNanos(POLL_NANOS);
                }
                awaitCopies(roster);
                say("node " + node + " is back, and all copies are in sync");
            }
        }
        return 0;
    }

    /** Per node which of its processes is the youngest. */
    private static Map<Integer, Long> processes(ClusterStore store) {
        Map<Integer, Long> youngest = new TreeMap<>();
        for (StateKey.Node key : store.nodes()) {
            NodeRecord record = store.read(key).record();
            if (record != null) {
                youngest.put(key.node().number(), record.incarnation());
            }
        }
        return youngest;
    }
}
