package dev.fulmar.launcher.shell;

import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.sql.text.ScriptSplitter;
import java.util.List;

/** Collects lines until they hold whole statements. */
final class StatementBuffer {
    private final StringBuilder text = new StringBuilder();

    /**
     * Whether the line that came last may end a statement; text that only grows is not looked at anew for each line.
     */
    private boolean mayEnd;

    void add(String line) {
        text.append(line).append('\n');
        mayEnd = line.indexOf(';') >= 0;
    }

    boolean isEmpty() {
        return text.toString().isBlank();
    }

    void clear() {
        text.setLength(0);
        mayEnd = false;
    }

    /** The statements, if the text ends with a semicolon outside of quotes, comments and blocks; else none. */
    List<String> takeComplete() {
        if (!mayEnd) {
            return List.of();
        }
        String script = text.toString();
        if (!endsStatement(script)) {
            return List.of();
        }
        clear();
        return ScriptSplitter.split(script);
    }

    /** The rest as statements, whether or not a semicolon ends it. Fails if quotes or a comment in it do not end. */
    List<String> takeRest() {
        String script = text.toString();
        clear();
        return ScriptSplitter.split(script);
    }

    /** A word after the last semicolon makes a statement of its own only if that semicolon ends one. */
    private static boolean endsStatement(String script) {
        List<String> statements;
        try {
            statements = ScriptSplitter.split(script + " probe");
        } catch (FulmarException e) {
            return false; // quotes or a comment go on in the next line
        }
        return !statements.isEmpty() && statements.getLast().equals("probe");
    }
}
