package dev.fulmar.launcher.shell;

import dev.fulmar.sql.text.ScriptSplitter;
import java.util.List;

/** Collects lines until they hold whole statements. */
final class StatementBuffer {
    private final StringBuilder text = new StringBuilder();

    void add(String line) {
        text.append(line).append('\n');
    }

    boolean isEmpty() {
        return text.toString().isBlank();
    }

    void clear() {
        text.setLength(0);
    }

    /** The statements, if the text ends with a semicolon outside of quotes, comments and blocks; else none. */
    List<String> takeComplete() {
        String script = text.toString();
        if (!script.stripTrailing().endsWith(";") || !endsStatement(script)) {
            return List.of();
        }
        clear();
        return ScriptSplitter.split(script);
    }

    /** The rest as statements, whether or not a semicolon ends it. */
    List<String> takeRest() {
        String script = text.toString();
        clear();
        return ScriptSplitter.split(script);
    }

    /** A word after the last semicolon makes a statement of its own only if that semicolon ends one. */
    private static boolean endsStatement(String script) {
        List<String> statements = ScriptSplitter.split(script + " probe");
        return !statements.isEmpty() && statements.getLast().strip().equals("probe");
    }
}
