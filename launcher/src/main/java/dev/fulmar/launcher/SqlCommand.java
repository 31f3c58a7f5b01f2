package dev.fulmar.launcher;

import dev.fulmar.client.FulmarClient;
import dev.fulmar.launcher.shell.InteractiveShell;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The SQL shell. */
@Command(
        name = "sql",
        description = "Executes SQL: typed at a prompt, from a pipe, a file, or the command line.",
        mixinStandardHelpOptions = true)
final class SqlCommand implements Callable<Integer> {
    private static final int OUTSTANDING = 16;

    @Spec
    private CommandSpec spec;

    @Mixin
    private ConnectionOptions connection;

    @Option(
            names = {"-e", "--execute"},
            paramLabel = "SQL",
            description = "Statements to execute.")
    private @Nullable String statements;

    @Option(
            names = {"-f", "--file"},
            paramLabel = "FILE",
            description = "Script to execute.")
    private @Nullable Path file;

    @Override
    public Integer call() throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        String text = statements;
        Path script = file;
        try (FulmarClient client = connection.connect(OUTSTANDING)) {
            boolean succeeded;
            if (text != null) {
                succeeded = InteractiveShell.runText(client, text, out);
            } else if (script != null) {
                succeeded = InteractiveShell.runFile(client, script, out);
            } else {
                succeeded = InteractiveShell.runStandardInput(client, out);
            }
            return succeeded ? 0 : 1;
        }
    }
}
