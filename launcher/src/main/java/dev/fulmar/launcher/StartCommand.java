package dev.fulmar.launcher;

import dev.fulmar.node.config.NodeConfiguration;
import dev.fulmar.node.wiring.FulmarNode;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs a node until it is stopped. */
@Command(
        name = "start",
        description =
                "Runs a node in the foreground until 'fulmar stop', Ctrl-C or a SIGTERM; both finish what was accepted.",
        mixinStandardHelpOptions = true)
final class StartCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private NodeOptions node;

    @Option(
            names = "--listen",
            paramLabel = "HOST:PORT",
            description = "Address for clients; default: 127.0.0.1, loopback only.")
    private String listen = "";

    @Option(names = "--config", paramLabel = "FILE", description = "Properties file with the node's settings.")
    private @Nullable Path file;

    @Override
    public Integer call() throws InterruptedException {
        Map<String, String> settings = new TreeMap<>(node.settings());
        if (!listen.isEmpty()) {
            settings.put("listen", listen);
        }
        Path given = file;
        NodeConfiguration configuration =
                given == null ? NodeConfiguration.of(settings) : NodeConfiguration.of(given, settings);
        FulmarNode running = FulmarNode.start(configuration);
        Runtime.getRuntime().addShutdownHook(new Thread(running::close, "fulmar-shutdown"));
        spec.commandLine()
                .getOut()
                .println("fulmar is ready on port " + running.port() + " with " + configuration.partitions()
                        + " partitions on " + configuration.sites() + " sites");
        spec.commandLine().getOut().flush();
        running.awaitClosed();
        return 0;
    }
}
