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
    @Spec
    private CommandSpec spec;

    @Mixin
    private ConnectionOptions connection;

    @Parameters(
            arity = "0..1",
            paramLabel = "SELECTOR",
            description =
                    "All figures of one kind: NODE, SITE, PARTITION, PROCEDURE, TABLE, CLIENT or LOG; default: a summary.")
    private @Nullable String selector;

    @Override
    public Integer call() {
        try (FulmarClient client = connection.connect(1)) {
            if (selector == null) {
                NodeSummary.print(
                        client.call("@Statistics", "NODE").table().first(),
                        spec.commandLine().getOut());
                return 0;
            }
            return InteractiveShell.runText(
                            client,
                            "EXEC @Statistics '" + selector.replace("'", "''") + "'",
                            spec.commandLine().getOut())
                    ? 0
                    : 1;
        }
    }
}
