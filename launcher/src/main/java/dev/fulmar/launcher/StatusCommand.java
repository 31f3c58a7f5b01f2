package dev.fulmar.launcher;

import dev.fulmar.client.FulmarClient;
import dev.fulmar.launcher.shell.InteractiveShell;
import java.util.concurrent.Callable;
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
            defaultValue = "PARTITION",
            description = "NODE, SITE, PARTITION, PROCEDURE, TABLE, CLIENT or LOG; default: ${DEFAULT-VALUE}.")
    private String selector = "";

    @Override
    public Integer call() {
        try (FulmarClient client = connection.connect(1)) {
            return InteractiveShell.runText(
                            client,
                            "EXEC @Statistics '" + selector.replace("'", "''") + "'",
                            spec.commandLine().getOut())
                    ? 0
                    : 1;
        }
    }
}
