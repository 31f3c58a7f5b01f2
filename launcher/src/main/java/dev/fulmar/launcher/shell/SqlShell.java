package dev.fulmar.launcher.shell;

import dev.fulmar.client.CallResult;
import dev.fulmar.client.Consistency;
import dev.fulmar.client.ResultTable;
import dev.fulmar.foundation.error.FulmarException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Executes input lines: SQL statements, procedure calls, and commands that begin with a backslash. */
final class SqlShell {
    private static final Pattern LOAD_CLASSES =
            Pattern.compile("LOAD\\s+CLASSES\\s+'?([^']+?)'?\\s*;?", Pattern.CASE_INSENSITIVE);
    private static final Pattern EXEC =
            Pattern.compile("EXEC(?:UTE)?\\s+(\\S+)(.*)", Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

    private final Connection connection;
    private final PrintWriter out;
    private final OnError onError;
    private boolean timing;
    private boolean failed;
    private Consistency consistency = Consistency.DECLARED;

    SqlShell(Connection connection, PrintWriter out, OnError onError) {
        this.connection = connection;
        this.out = out;
        this.onError = onError;
    }

    /** Policy of a script after a failed statement. A lost connection ends it in any case. */
    enum OnError {
        STOP,
        CONTINUE
    }

    /** The next step of the reader of lines, after a line. */
    enum Next {
        CONTINUE,
        /** The script ends with an error. */
        STOP,
        QUIT
    }

    /** Whether a statement or command failed. */
    boolean hasFailed() {
        return failed;
    }

    /** Executes a line that begins with a backslash. */
    Next command(String line) {
        String[] words = line.strip().split("\\s+", 2);
        String argument = words.length > 1 ? words[1] : "";
        Next next = Next.CONTINUE;
        switch (words[0]) {
            case "\\q", "\\quit" -> {
                return Next.QUIT;
            }
            case "\\d" -> next = describe(argument);
            case "\\df" -> next = show("PROCEDURES", "");
            case "\\timing" -> {
                timing = !timing;
                out.println("timing is " + (timing ? "on" : "off"));
            }
            case "\\snapshot" -> snapshot(argument);
            case "\\timeout" -> timeout(argument);
            case "\\i" -> next = include(argument);
            case "\\?", "\\h", "\\help" -> help();
            default -> {
                out.println("there is no command " + words[0] + "; \\? lists the commands");
                next = afterError(false);
            }
        }
        out.flush();
        return next;
    }

    private Next afterError(boolean connectionIsLost) {
        failed = true;
        return connectionIsLost || onError == OnError.STOP ? Next.STOP : Next.CONTINUE;
    }

    private Next tell(FulmarException error) {
        out.println("error " + error.code().sqlState() + " (" + error.code() + "): " + error.getMessage());
        return afterError(
                switch (error.code()) {
                    case NOT_CONNECTED, OUTCOME_UNKNOWN -> true;
                    default -> false;
                });
    }

    /** Executes a statement and shows its result. */
    Next execute(String statement) {
        long startNanos = System.nanoTime();
        Next next = Next.CONTINUE;
        try {
            show(run(statement.strip()));
        } catch (FulmarException e) {
            next = tell(e);
        }
        if (timing) {
            out.printf(Locale.ROOT, "time: %.3f ms%n", (System.nanoTime() - startNanos) / 1e6);
        }
        out.flush();
        return next;
    }

    /** Executes a script, to its end or to where it is over. */
    Next script(Path file) {
        try (BufferedReader lines = Files.newBufferedReader(file)) {
            return script(file.toString(), lines);
        } catch (IOException e) {
            out.println("the file " + file + " cannot be read; check path and permissions");
            out.flush();
            return afterError(false);
        }
    }

    /** The same, from any source. */
    Next script(String name, BufferedReader lines) throws IOException {
        StatementBuffer buffer = new StatementBuffer();
        int number = 0;
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            number++;
            Next next;
            if (buffer.isEmpty() && line.startsWith("\\")) {
                next = command(line);
            } else {
                buffer.add(line);
                next = all(buffer.takeComplete());
            }
            if (next == Next.STOP) {
                out.println(name + " ends at line " + number + "; what comes after it was not executed");
                out.flush();
            }
            if (next != Next.CONTINUE) {
                return next;
            }
        }
        return rest(buffer);
    }

    /** Executes what is left when nothing more comes. */
    Next rest(StatementBuffer buffer) {
        List<String> statements;
        try {
            statements = buffer.takeRest();
        } catch (FulmarException e) { // quotes or a comment that nothing ends
            Next next = tell(e);
            out.flush();
            return next;
        }
        return all(statements);
    }

    /** Executes statements until it is over. */
    Next all(List<String> statements) {
        for (String statement : statements) {
            if (execute(statement) == Next.STOP) {
                return Next.STOP;
            }
        }
        return Next.CONTINUE;
    }

    private @Nullable CallResult run(String statement) {
        Matcher load = LOAD_CLASSES.matcher(statement);
        if (load.matches()) {
            return connection.loadClasses(Path.of(load.group(1)));
        }
        Matcher exec = EXEC.matcher(statement);
        if (exec.matches()) {
            return connection.call(consistency, exec.group(1), ExecArguments.parse(exec.group(2)));
        }
        return connection.execute(consistency, statement);
    }

    private void show(@Nullable CallResult result) {
        if (result == null) {
            out.println("(done)");
            return;
        }
        if (result.hasValue()) {
            out.println("(" + result.longValue() + ")");
            return;
        }
        List<ResultTable> tables = result.tables();
        tables.forEach(table -> TableText.print(table, out));
        if (consistency == Consistency.SNAPSHOT && result.snapshotTimestamp() != 0) {
            out.println("as of " + result.snapshotTimestamp());
        }
        if (tables.isEmpty()) {
            out.println("(done)");
        }
    }

    private void timeout(String argument) {
        if (argument.equals("off")) {
            connection.limit(null);
            out.println("statements and calls may take as long as this client waits");
        } else if (argument.matches("\\d{1,6}(\\.\\d{1,3})?") && Double.parseDouble(argument) > 0) {
            connection.limit(Duration.ofMillis(Math.round(1_000 * Double.parseDouble(argument))));
            out.println("statements and calls end after " + argument + " s");
        } else {
            out.println("\\timeout takes a number of seconds, or off");
            afterError(false);
        }
    }

    private void snapshot(String argument) {
        switch (argument) {
            case "on" -> consistency = Consistency.SNAPSHOT;
            case "off" -> consistency = Consistency.DECLARED;
            case "strict" -> consistency = Consistency.STRICT;
            default -> out.println("\\snapshot takes on, off or strict");
        }
        out.println(
                switch (consistency) {
                    case DECLARED ->
                        "readers of several partitions show what they declare, else all that was acknowledged";
                    case STRICT -> "readers of several partitions show all that was acknowledged";
                    case SNAPSHOT -> "readers of several partitions show one state of a moment ago, and its timestamp";
                });
    }

    private Next describe(String argument) {
        if (argument.isEmpty()) {
            return show("TABLES", "");
        }
        String table = ObjectName.inCatalog(argument);
        return show("COLUMNS", table) == Next.STOP ? Next.STOP : show("INDEXES", table);
    }

    private Next show(String selector, String filter) {
        try {
            show(connection.call(Consistency.DECLARED, "@Catalog", selector, filter));
            return Next.CONTINUE;
        } catch (FulmarException e) {
            return tell(e);
        }
    }

    private Next include(String file) {
        if (file.isEmpty()) {
            out.println("\\i needs the name of a file");
            return afterError(false);
        }
        return script(Path.of(file)) == Next.STOP ? Next.STOP : Next.CONTINUE;
    }

    private void help() {
        out.println("""
                SQL statements end with a semicolon and may span lines.
                EXEC procedure argument, ...;   calls a procedure, and so does CALL procedure(argument, ...);
                LOAD CLASSES file.jar;          loads procedures from a jar
                \\d            lists the tables
                \\d TABLE      describes a table
                \\df           lists the procedures
                \\snapshot on  lets readers of several partitions show a state of a moment ago; off, strict
                \\timing       switches the display of times
                \\timeout 5    ends statements and calls that take longer than so many seconds; off. Ctrl-C ends one at once
                \\i FILE       executes a script
                \\q            leaves""");
    }
}
