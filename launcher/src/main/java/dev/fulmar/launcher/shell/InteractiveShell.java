package dev.fulmar.launcher.shell;

import dev.fulmar.client.FulmarClient;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.UserInterruptException;
import org.jline.reader.impl.completer.StringsCompleter;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;

/** Reads the shell's input: a terminal with history and completion, a pipe, or a file. */
public final class InteractiveShell {
    private static final List<String> WORDS = List.of(
            "SELECT",
            "FROM",
            "WHERE",
            "GROUP BY",
            "ORDER BY",
            "LIMIT",
            "INSERT INTO",
            "VALUES",
            "UPDATE",
            "SET",
            "DELETE FROM",
            "CREATE TABLE",
            "CREATE INDEX",
            "CREATE PROCEDURE",
            "PARTITION TABLE",
            "DROP TABLE",
            "DROP INDEX",
            "DROP PROCEDURE",
            "EXPLAIN",
            "BEGIN",
            "COMMIT",
            "ROLLBACK",
            "SAVEPOINT",
            "CALL",
            "EXEC",
            "LOAD CLASSES",
            "\\d",
            "\\df",
            "\\timing",
            "\\timeout",
            "\\snapshot",
            "\\i",
            "\\q");

    /** Time for which a connection may be away before a statement counts as unanswered. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final Connection connection;
    private final PrintWriter out;
    private final SqlShell.OnError onError;

    /** @param continuing whether a script goes on after a statement that failed */
    public InteractiveShell(FulmarClient client, PrintWriter out, boolean continuing) {
        this.connection = new Connection(client, PATIENCE);
        Runtime.getRuntime().addShutdownHook(new Thread(connection::cancelAtEnd, "fulmar-shell-end"));
        this.out = out;
        this.onError = continuing ? SqlShell.OnError.CONTINUE : SqlShell.OnError.STOP;
    }

    /** Executes statements, or one command, given on the command line; false if one failed. */
    public boolean runText(String text) {
        SqlShell shell = new SqlShell(connection, out, onError);
        if (text.startsWith("\\")) {
            shell.command(text);
        } else {
            StatementBuffer buffer = new StatementBuffer();
            buffer.add(text);
            shell.rest(buffer);
        }
        return !shell.hasFailed();
    }

    /** Executes a script; false if a statement failed. */
    public boolean runFile(Path file) {
        SqlShell shell = new SqlShell(connection, out, onError);
        shell.script(file);
        return !shell.hasFailed();
    }

    /**
     * Reads standard input: with a prompt from a terminal, else as a script. False if a statement of a script failed.
     */
    public boolean runStandardInput() throws IOException {
        if (System.console() != null) {
            runTerminal();
            return true;
        }
        SqlShell shell = new SqlShell(connection, out, onError);
        shell.script("the input", new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)));
        return !shell.hasFailed();
    }

    private void runTerminal() throws IOException {
        try (Terminal terminal = TerminalBuilder.builder().system(true).build()) {
            LineReader reader = LineReaderBuilder.builder()
                    .terminal(terminal)
                    .appName("fulmar")
                    .completer(new StringsCompleter(WORDS))
                    .variable(LineReader.HISTORY_FILE, Path.of(System.getProperty("user.home"), ".fulmar_history"))
                    .option(LineReader.Option.DISABLE_EVENT_EXPANSION, true)
                    .build();
            SqlShell shell = new SqlShell(connection, terminal.writer(), onError);
            StatementBuffer buffer = new StatementBuffer();
            // While a line is read the reader takes the signal itself.
            terminal.handle(Terminal.Signal.INT, signal -> connection.cancel());
            while (true) {
                String line;
                try {
                    line = reader.readLine(
                            (buffer.isEmpty() ? "fulmar" : "   ...") + connection.transactionMark() + "> ");
                } catch (UserInterruptException e) {
                    buffer.clear();
                    continue;
                } catch (EndOfFileException e) {
                    return;
                }
                if (buffer.isEmpty() && line.startsWith("\\")) {
                    if (shell.command(line) == SqlShell.Next.QUIT) {
                        return;
                    }
                    continue;
                }
                buffer.add(line);
                buffer.takeComplete().forEach(shell::execute);
            }
        }
    }
}
