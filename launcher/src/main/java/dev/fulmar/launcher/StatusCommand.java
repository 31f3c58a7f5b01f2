package dev.fulmar.launcher;

import dev.fulmar.client.FulmarClient;
import dev.fulmar.launcher.shell.InteractiveShell;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows the figures of a node. */
@Command(name = "status", description = "Shows the figures of a running node.", mixinStandardHelpOptions = true)
final class StatusCommand implements Callable<Integer> {
    private static final String DURABILITY = "DURABILITY";

    @Spec
    private CommandSpec spec;

    @Mixin
    private ConnectionOptions connection;

    @Parameters(
            arity = "0..1",
            paramLabel = "SELECTOR",
            description =
                    "All figures of one kind: NODE, SITE, PARTITION, PROCEDURE, TABLE, LOG, CHECKPOINT, RECOVERY, DURABILITY or"
                            + " CLIENT; default: a summary.")
    private @Nullable String selector;

    @Override
    public Integer call() {
        try (FulmarClient client = connection.connect(1)) {
            if (selector == null) {
                NodeSummary.print(
                        client.call("@Statistics", "NODE").table().first(),
                        spec.commandLine().getOut());
                boolean durable = client.call("@Statistics", DURABILITY).table().rowCount() > 0;
                return durable ? show(client, DURABILITY) : 0;
            }
            return show(client, selector);
        }
    }

    private int show(FulmarClient client, String kind) {
        boolean done = new InteractiveShell(client, spec.commandLine().getOut(), false)
                .runText("EXEC @Statistics '" + kind.replace("'", "''") + "'");
        return done ? 0 : 1;
    }
}
