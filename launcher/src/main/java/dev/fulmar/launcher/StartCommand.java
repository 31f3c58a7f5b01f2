package dev.fulmar.launcher;

import dev.fulmar.coordinator.durability.environment.DurabilityMode;
import dev.fulmar.foundation.failstop.real.LastResort;
import dev.fulmar.node.config.NodeConfiguration;
import dev.fulmar.node.data.DataDirectory;
import dev.fulmar.node.lifecycle.LogLimits;
import dev.fulmar.node.lifecycle.LoggedErrors;
import dev.fulmar.node.wiring.FulmarNode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Runs a node until it is stopped. */
@Command(
        name = "start",
        description =
                "Runs a node in the foreground until 'fulmar stop', Ctrl-C or a SIGTERM; both finish what was accepted.",
        mixinStandardHelpOptions = true)
final class StartCommand implements Callable<Integer> {
    static final String DEFAULT_DATA = "fulmar-data";

    /** Time for which a node that broke may close in order. */
    private static final Duration CLOSING = Duration.ofSeconds(3);

    @Spec
    private CommandSpec spec;

    @Mixin
    private NodeOptions node;

    @Option(
            names = "--listen",
            paramLabel = "HOST:PORT",
            description = "Address for clients; default: 127.0.0.1, loopback only.")
    private String listen = "";

    @Option(
            names = "--postgres",
            paramLabel = "HOST:PORT|off",
            description = "Address for clients of PostgreSQL's protocol; default: 127.0.0.1:5432, loopback only.")
    private String postgres = "";

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = "Directory of the database's files; a start on one that exists recovers it. Default: "
                    + DEFAULT_DATA + " in the working directory.")
    private String data = "";

    @Option(
            names = "--tls-certificate",
            paramLabel = "FILE",
            description = "PEM file of the node's certificate: connections of clients are encrypted.")
    private String certificate = "";

    @Option(names = "--tls-key", paramLabel = "FILE", description = "PEM file of its private key, in PKCS#8.")
    private String key = "";

    @Option(
            names = "--authentication",
            paramLabel = "on|off",
            description = "Whether clients must log in. Default: on, unless the node listens on loopback only.")
    private String authentication = "";

    @Option(
            names = "--administrator",
            paramLabel = "FILE",
            description = "File with NAME:PASSWORD of the first user, for a database that has nobody with ADMIN yet.")
    private String administrator = "";

    @Option(
            names = "--insecure",
            description = "Let everybody who can reach the node do everything, on other addresses than loopback too.")
    private boolean insecure;

    @Option(names = "--cluster", paramLabel = "NAME", description = "Cluster that the node belongs to; default: none.")
    private String cluster = "";

    @Option(names = "--node", paramLabel = "NUMBER", description = "Number of the node in its cluster.")
    private @Nullable Integer number;

    @Option(names = "--zookeeper", paramLabel = "HOST:PORT,...", description = "Servers of the cluster's ZooKeeper.")
    private String zookeeper = "";

    @Option(
            names = "--listen-nodes",
            paramLabel = "HOST:PORT",
            description = "Address for the cluster's other nodes; default: 127.0.0.1, loopback only.")
    private String listenNodes = "";

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "File with the node's settings: YAML if it ends in .yaml or .yml, else properties.")
    private @Nullable Path file;

    @Override
    public Integer call() throws InterruptedException {
        Map<String, String> settings = new TreeMap<>(node.settings());
        if (!listen.isEmpty()) {
            settings.put("listen", listen);
        }
        if (!data.isEmpty()) {
            settings.put("data", data);
        }
        putIfGiven(settings, "postgres", postgres);
        putIfGiven(settings, "tls.certificate", certificate);
        putIfGiven(settings, "tls.key", key);
        putIfGiven(settings, "security.administrator", administrator);
        switch (authentication) {
            case "on" -> settings.put("authentication", "true");
            case "off" -> settings.put("authentication", "false");
            case "" -> {}
            default -> throw new ParameterException(spec.commandLine(), "--authentication is on or off");
        }
        if (insecure) {
            settings.put("insecure", "true");
        }
        putIfGiven(settings, "cluster", cluster);
        putIfGiven(settings, "node", number == null ? "" : number.toString());
        putIfGiven(settings, "zookeeper", zookeeper);
        putIfGiven(settings, "listen-nodes", listenNodes);
        NodeConfiguration configuration = configuration(settings);
        LastResort lastResort = LastResort.install(CLOSING);
        LoggedErrors.watch();
        LogLimits.begin();
        FulmarNode running = FulmarNode.start(configuration, lastResort);
        Runtime.getRuntime().addShutdownHook(new Thread(running::close, "fulmar-shutdown"));
        spec.commandLine()
                .getOut()
                .println("fulmar is ready on port " + running.port() + " with "
                        + running.configuration().partitions().count() + " partitions on "
                        + configuration.partitions().sites() + " sites, "
                        + durability(configuration));
        spec.commandLine().getOut().flush();
        try {
            running.awaitClosed();
        } catch (RuntimeException e) { // nothing throws here but by a defect, and nobody else would hear of it
            lastResort.uncaughtException(Thread.currentThread(), e);
        }
        return running.exitStatus().number();
    }

    private static void putIfGiven(Map<String, String> settings, String name, String value) {
        if (!value.isEmpty()) {
            settings.put(name, value);
        }
    }

    /** A database that exists says itself how many partitions it has. */
    private NodeConfiguration configuration(Map<String, String> settings) {
        Path given = file;
        Map<String, String> defaults = new TreeMap<>(Map.of("data", DEFAULT_DATA));
        NodeConfiguration usual = NodeConfiguration.of(given, settings, defaults);
        if (usual.storage().durability() == DurabilityMode.NONE) {
            return usual;
        }
        defaults.putAll(DataDirectory.layoutOf(Path.of(usual.storage().data())));
        return NodeConfiguration.of(given, settings, defaults);
    }

    private static String durability(NodeConfiguration configuration) {
        boolean leaves =
                !DataDirectory.layoutOf(Path.of(configuration.storage().data())).isEmpty();
        return switch (configuration.storage().durability()) {
            case SYNC -> "durable in " + configuration.storage().data();
            case ASYNC -> "durable after a moment in " + configuration.storage().data();
            case NONE ->
                leaves
                        ? "not durable; the database in "
                                + configuration.storage().data() + " is left alone"
                        : "not durable";
        };
    }
}
