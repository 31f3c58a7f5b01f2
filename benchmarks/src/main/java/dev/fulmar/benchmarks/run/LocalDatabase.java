package dev.fulmar.benchmarks.run;

import dev.fulmar.client.FulmarClient;
import dev.fulmar.coordinator.Database;
import dev.fulmar.coordinator.portal.PortalFigures;
import dev.fulmar.coordinator.session.SessionFigures;
import dev.fulmar.engine.spi.SqlFrontend;
import dev.fulmar.node.config.NodeConfiguration;
import dev.fulmar.node.wiring.FulmarNode;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/** A node of this process on a free port of the loopback interface, for benchmarks and experiments. */
public final class LocalDatabase implements AutoCloseable {
    private final FulmarNode node;
    private final NodeConfiguration configuration;

    private LocalDatabase(FulmarNode node, NodeConfiguration configuration) {
        this.node = node;
        this.configuration = configuration;
    }

    /** Starts a node; {@code settings} are those of its configuration, by name. */
    public static LocalDatabase start(Map<String, String> settings) {
        return start(settings, UnaryOperator.identity());
    }

    /** @param around what to put around the node's SQL compiler */
    public static LocalDatabase start(Map<String, String> settings, UnaryOperator<SqlFrontend> around) {
        TreeMap<String, String> all = new TreeMap<>(settings);
        all.putIfAbsent("listen", "127.0.0.1:0");
        NodeConfiguration configuration = NodeConfiguration.of(all);
        return new LocalDatabase(FulmarNode.start(configuration, around), configuration);
    }

    /** Starts a node on which each partition has a range of the keys from 1 to {@code keys}, as warehouses want it. */
    public static LocalDatabase startWithRanges(int partitions, int sites, int keys, Map<String, String> settings) {
        TreeMap<String, String> all = new TreeMap<>(settings);
        all.put("partitioning", ranges(partitions, keys));
        all.put("sites", Integer.toString(sites));
        return start(all);
    }

    /** The setting that spreads the keys from 1 to {@code keys} evenly. */
    public static String ranges(int partitions, int keys) {
        StringBuilder setting = new StringBuilder("range:");
        for (int partition = 0; partition < partitions; partition++) {
            setting.append(partition == 0 ? "" : ",").append(1 + (long) keys * partition / partitions);
        }
        return setting.toString();
    }

    /** Connects a client that keeps at most so many calls in flight. */
    public FulmarClient connect(int maxOutstanding) {
        return FulmarClient.builder()
                .hosts("127.0.0.1:" + node.port())
                .maxOutstanding(maxOutstanding)
                .connect();
    }

    /** The database itself, for loads without a network. */
    public Database database() {
        return node.database();
    }

    public int port() {
        return node.port();
    }

    /** The port for clients of PostgreSQL's protocol; fails if they are not served. */
    public int postgresPort() {
        return node.postgresAddress().orElseThrow().port();
    }

    /** Figures of the transactions that clients have open. */
    public SessionFigures sessions() {
        return node.sessions();
    }

    /** Figures of the portals that clients have open. */
    public PortalFigures portals() {
        return node.portals();
    }

    /** Description of the server, for reports. */
    public BenchmarkReport.Server description() {
        return new BenchmarkReport.Server(
                configuration.partitions().count(),
                configuration.partitions().sites(),
                configuration.storage().durability().name().toLowerCase(Locale.ROOT));
    }

    @Override
    public void close() {
        node.close();
    }
}
