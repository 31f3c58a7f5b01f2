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

    @Option(
            names = {"-k", "--continue-on-error"},
            description =
                    "Goes on after statements that fail, unless the connection is lost; the exit status is 1 all the same.")
    private boolean continuing;

    @Override
    public Integer call() throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        String text = statements;
        Path script = file;
        try (FulmarClient client = connection.connect(OUTSTANDING)) {
            InteractiveShell shell = new InteractiveShell(client, out, continuing);
            boolean succeeded;
            if (text != null) {
                succeeded = shell.runText(text);
            } else if (script != null) {
                succeeded = shell.runFile(script);
            } else {
                succeeded = shell.runStandardInput();
            }
            return succeeded ? 0 : 1;
        }
    }
}
