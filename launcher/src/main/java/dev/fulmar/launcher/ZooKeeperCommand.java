package dev.fulmar.launcher;

import dev.fulmar.coordinator.membership.real.EmbeddedZooKeeper;
import dev.fulmar.foundation.failstop.real.LastResort;
import dev.fulmar.node.lifecycle.LogLimits;
import dev.fulmar.node.lifecycle.LoggedErrors;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs a ZooKeeper server for clusters whose nodes are all on this machine. */
@Command(
        name = "zookeeper",
        description =
                "Runs one ZooKeeper server in the foreground, on the loopback address only: for clusters whose nodes are all on"
                        + " this machine. Others use an ensemble of their own.",
        mixinStandardHelpOptions = true)
final class ZooKeeperCommand implements Callable<Integer> {
    static final int DEFAULT_PORT = 7422;

    /** Time for which a server that broke may close in order. */
    private static final Duration CLOSING = Duration.ofSeconds(3);

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            defaultValue = "fulmar-zookeeper",
            description = "Directory of its files; default: ${DEFAULT-VALUE}.")
    private Path data = Path.of("fulmar-zookeeper");

    @Option(names = "--port", defaultValue = "" + DEFAULT_PORT, description = "Default: ${DEFAULT-VALUE}.")
    private int port = DEFAULT_PORT;

    @Override
    public Integer call() throws InterruptedException {
        LastResort lastResort = LastResort.install(CLOSING);
        LoggedErrors.watch();
        LogLimits.begin();
        CountDownLatch stopped = new CountDownLatch(1);
        EmbeddedZooKeeper server = EmbeddedZooKeeper.start(data, port);
        Runtime.getRuntime()
                .addShutdownHook(new Thread(
                        () -> {
                            server.close();
                            stopped.countDown();
                        },
                        "fulmar-shutdown"));
        spec.commandLine().getOut().println("zookeeper is ready at " + server.servers());
        spec.commandLine().getOut().flush();
        try {
            while (!stopped.await(1, TimeUnit.MINUTES)) {
                LogLimits.tell();
            }
        } catch (RuntimeException e) { // nothing throws here but by a defect, and it is no failed start
            lastResort.uncaughtException(Thread.currentThread(), e);
        }
        return 0;
    }
}
