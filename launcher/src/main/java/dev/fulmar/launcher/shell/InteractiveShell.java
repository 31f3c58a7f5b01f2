package dev.fulmar.launcher.shell;

import dev.fulmar.client.FulmarClient;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
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
            "EXEC",
            "LOAD CLASSES",
            "\\d",
            "\\df",
            "\\timing",
            "\\snapshot",
            "\\i",
            "\\q");

    private InteractiveShell() {}

    /** Executes statements, or one command, given on the command line; false if one failed. */
    public static boolean runText(FulmarClient client, String text, PrintWriter out) {
        if (text.startsWith("\\")) {
            new SqlShell(client, out).command(text);
            return true;
        }
        StatementBuffer buffer = new StatementBuffer();
        buffer.add(text);
        return new SqlShell(client, out).all(buffer.takeRest());
    }

    /** Executes a script; false if a statement failed. */
    public static boolean runFile(FulmarClient client, Path file, PrintWriter out) {
        return new SqlShell(client, out).script(file);
    }

    /** Reads standard input: with a prompt from a terminal, else as a script. */
    public static boolean runStandardInput(FulmarClient client, PrintWriter out) throws IOException {
        return System.console() == null ? runPipe(client, out) : runTerminal(client);
    }

    private static boolean runPipe(FulmarClient client, PrintWriter out) throws IOException {
        SqlShell shell = new SqlShell(client, out);
        StatementBuffer buffer = new StatementBuffer();
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            if (buffer.isEmpty() && line.startsWith("\\")) {
                if (shell.command(line) == SqlShell.Next.QUIT) {
                    return true;
                }
                continue;
            }
            buffer.add(line);
            if (!shell.all(buffer.takeComplete())) {
                return false;
            }
        }
        return shell.all(buffer.takeRest());
    }

    private static boolean runTerminal(FulmarClient client) throws IOException {
        try (Terminal terminal = TerminalBuilder.builder().system(true).build()) {
            LineReader reader = LineReaderBuilder.builder()
                    .terminal(terminal)
                    .appName("fulmar")
                    .completer(new StringsCompleter(WORDS))
                    .variable(LineReader.HISTORY_FILE, Path.of(System.getProperty("user.home"), ".fulmar_history"))
                    .option(LineReader.Option.DISABLE_EVENT_EXPANSION, true)
                    .build();
            SqlShell shell = new SqlShell(client, terminal.writer());
            StatementBuffer buffer = new StatementBuffer();
            while (true) {
                String line;
                try {
                    line = reader.readLine(buffer.isEmpty() ? "fulmar> " : "   ...> ");
                } catch (UserInterruptException e) {
                    buffer.clear();
                    continue;
                } catch (EndOfFileException e) {
                    return true;
                }
                if (buffer.isEmpty() && line.startsWith("\\")) {
                    if (shell.command(line) == SqlShell.Next.QUIT) {
                        return true;
                    }
                    continue;
                }
                buffer.add(line);
                buffer.takeComplete().forEach(shell::execute);
            }
        }
    }
}
