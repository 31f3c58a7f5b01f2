package dev.fulmar.launcher.shell;

import dev.fulmar.client.CallResult;
import dev.fulmar.client.Consistency;
import dev.fulmar.client.FulmarClient;
import dev.fulmar.client.Invocation;
import dev.fulmar.client.ResultTable;
import dev.fulmar.foundation.error.FulmarException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Executes what is typed or read: SQL statements, procedure calls, and commands that begin with a backslash. */
final class SqlShell {
    private static final Pattern LOAD_CLASSES =
            Pattern.compile("LOAD\\s+CLASSES\\s+'?([^']+?)'?\\s*;?", Pattern.CASE_INSENSITIVE);
    private static final Pattern EXEC =
            Pattern.compile("EXEC(?:UTE)?\\s+(\\S+)(.*)", Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

    private final FulmarClient client;
    private final PrintWriter out;
    private boolean timing;
    private Consistency consistency = Consistency.DECLARED;

    SqlShell(FulmarClient client, PrintWriter out) {
        this.client = client;
        this.out = out;
    }

    /** What a line asks of the one who reads the lines. */
    enum Next {
        CONTINUE,
        QUIT
    }

    /** Executes a line that begins with a backslash. */
    Next command(String line) {
        String[] words = line.strip().split("\\s+", 2);
        String argument = words.length > 1 ? words[1] : "";
        switch (words[0]) {
            case "\\q", "\\quit" -> {
                return Next.QUIT;
            }
            case "\\d" -> describe(argument);
            case "\\df" -> show("PROCEDURES", "");
            case "\\timing" -> {
                timing = !timing;
                out.println("timing is " + (timing ? "on" : "off"));
            }
            case "\\snapshot" -> snapshot(argument);
            case "\\i" -> include(argument);
            case "\\?", "\\h", "\\help" -> help();
            default -> out.println("there is no command " + words[0] + "; \\? lists the commands");
        }
        out.flush();
        return Next.CONTINUE;
    }

    /** Executes a statement and shows its result; false if it failed. */
    boolean execute(String statement) {
        long startNanos = System.nanoTime();
        boolean succeeded = true;
        try {
            show(run(statement.strip()));
        } catch (FulmarException e) {
            out.println("error " + e.code().sqlState() + " (" + e.code() + "): " + e.getMessage());
            succeeded = false;
        }
        if (timing) {
            out.printf(Locale.ROOT, "time: %.3f ms%n", (System.nanoTime() - startNanos) / 1e6);
        }
        out.flush();
        return succeeded;
    }

    /** Executes a script; false if a statement failed, which ends it. */
    boolean script(Path file) {
        String text;
        try {
            text = Files.readString(file);
        } catch (IOException e) {
            out.println("the file " + file + " cannot be read; check path and permissions");
            out.flush();
            return false;
        }
        StatementBuffer buffer = new StatementBuffer();
        for (String line : text.lines().toList()) {
            if (buffer.isEmpty() && line.startsWith("\\")) {
                if (command(line) == Next.QUIT) {
                    return true;
                }
                continue;
            }
            buffer.add(line);
            if (!all(buffer.takeComplete())) {
                return false;
            }
        }
        return all(buffer.takeRest());
    }

    /** Executes statements until one fails. */
    boolean all(List<String> statements) {
        for (String statement : statements) {
            if (!execute(statement)) {
                return false;
            }
        }
        return true;
    }

    private CallResult run(String statement) {
        Matcher load = LOAD_CLASSES.matcher(statement);
        if (load.matches()) {
            return client.loadClasses(Path.of(load.group(1)));
        }
        Matcher exec = EXEC.matcher(statement);
        if (exec.matches()) {
            Invocation call =
                    client.prepare(exec.group(1)).withConsistency(consistency).start();
            for (Object argument : ExecArguments.parse(exec.group(2))) {
                call.withObject(argument);
            }
            return call.call();
        }
        return client.execute(consistency, statement);
    }

    private void show(CallResult result) {
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

    private void describe(String table) {
        if (table.isEmpty()) {
            show("TABLES", "");
        } else {
            show("COLUMNS", table);
            show("INDEXES", table);
        }
    }

    private void show(String selector, String filter) {
        try {
            show(client.call("@Catalog", selector, filter));
        } catch (FulmarException e) {
            out.println("error " + e.code().sqlState() + ": " + e.getMessage());
        }
    }

    private void include(String file) {
        if (file.isEmpty()) {
            out.println("\\i needs the name of a file");
        } else {
            script(Path.of(file));
        }
    }

    private void help() {
        out.println("""
                SQL statements end with a semicolon and may span lines.
                EXEC procedure argument, ...;   calls a procedure
                LOAD CLASSES file.jar;          loads procedures from a jar
                \\d            lists the tables
                \\d TABLE      describes a table
                \\df           lists the procedures
                \\snapshot on  lets readers of several partitions show a state of a moment ago; off, strict
                \\timing       switches the display of times
                \\i FILE       executes a script
                \\q            leaves""");
    }
}
