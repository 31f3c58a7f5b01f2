package dev.fulmar.launcher;

import dev.fulmar.coordinator.membership.ClusterRecord;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.node.config.ClusterConfiguration;
import dev.fulmar.node.config.NodeConfiguration;
import dev.fulmar.node.wiring.ClusterStore;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Makes a cluster, and shows what there is of it. */
@Command(
        name = "cluster",
        description = "Makes a cluster in a ZooKeeper, or shows its state; see docs/OPERATIONS.md.",
        mixinStandardHelpOptions = true)
final class ClusterCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    /** Where a cluster's state is. */
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

        ClusterStore open() {
            Map<String, String> texts = new TreeMap<>(settings);
            texts.put("cluster", cluster);
            texts.put("zookeeper", zookeeper);
            ClusterConfiguration configuration = NodeConfiguration.of(texts).cluster();
            return ClusterStore.open(configuration, "");
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
                            names = "--k",
                            defaultValue = "1",
                            description =
                                    "Nodes that may fail at once: each partition has k + 1 copies; default: ${DEFAULT-VALUE}.")
                    int k,
            @Option(
                            names = "--min-in-sync",
                            defaultValue = "1",
                            description =
                                    "With fewer copies in sync a partition takes no writes; default: ${DEFAULT-VALUE}.")
                    int minInSync) {
        if (nodes < 1) {
            throw new ParameterException(spec.commandLine(), "a cluster has at least one node");
        }
        int parts = partitions == null ? 2 * nodes : partitions;
        ClusterRecord record = new ClusterRecord(UUID.randomUUID(), place.cluster(), parts, k + 1, minInSync);
        List<NodeId> numbers =
                IntStream.rangeClosed(1, nodes).mapToObj(NodeId::new).toList();
        try (ClusterStore store = place.open()) {
            store.found(record, numbers);
        }
        PrintWriter out = spec.commandLine().getOut();
        out.println("cluster " + record.name() + " is made: " + parts + " partitions with " + record.copies()
                + " copies on nodes 1 to " + nodes + ". Start them with: bin/fulmar start --cluster " + record.name()
                + " --node NUMBER --zookeeper ...");
        out.flush();
        return 0;
    }

    @Command(
            name = "status",
            description = "Shows nodes and partitions as the cluster's ZooKeeper has them; no node need run.",
            mixinStandardHelpOptions = true)
    int status(@Mixin Place place) {
        try (ClusterStore store = place.open()) {
            ClusterSummary.print(store, spec.commandLine().getOut());
        }
        return 0;
    }
}
