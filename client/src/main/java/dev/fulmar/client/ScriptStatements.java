package dev.fulmar.client;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Splits a script into statements. They end with semicolons, but for those in quotes, in comments, and between the
 * BEGIN and END of a procedure.
 */
final class ScriptStatements {
    private final String script;
    private final List<Statement> statements = new ArrayList<>();

    /** Start of the statement, -1 between two; end of its last word or symbol. */
    private int start = -1;

    private int end;
    private String firstWord = "";

    /** Within BEGIN ... END: how many ENDs are missing. */
    private int open;

    /**
     * A statement without its semicolon, and without comments around it.
     *
     * @param line where it begins, from 1
     */
    record Statement(String text, int line, int column) {}

    private ScriptStatements(String script) {
        this.script = script;
    }

    static List<Statement> of(String script) {
        ScriptStatements found = new ScriptStatements(script);
        found.search();
        return List.copyOf(found.statements);
    }

    private void search() {
        int at = 0;
        while (at < script.length()) {
            char c = script.charAt(at);
            if (Character.isWhitespace(c)) {
                at++;
            } else if (script.startsWith("--", at)) {
                at = behind("\n", at);
            } else if (script.startsWith("/*", at)) {
                at = behind("*/", at + 2);
            } else if (c == ';' && open == 0) {
                take();
                at++;
            } else {
                at = word(at, c);
            }
        }
        take();
    }

    /** Reads a word, something quoted or a symbol; returns where it ends. */
    private int word(int at, char c) {
        if (start < 0) {
            start = at;
            firstWord = "";
        }
        if (c == '\'' || c == '"') {
            end = behind(String.valueOf(c), at + 1);
        } else if (Character.isJavaIdentifierStart(c)) {
            end = at + 1;
            while (end < script.length() && Character.isJavaIdentifierPart(script.charAt(end))) {
                end++;
            }
            nest(script.substring(at, end).toUpperCase(Locale.ROOT), at == start);
        } else {
            end = at + 1;
        }
        return end;
    }

    private void nest(String word, boolean isFirst) {
        if (isFirst) {
            firstWord = word;
        }
        boolean opens = open > 0 ? word.equals("CASE") : word.equals("BEGIN") && firstWord.equals("CREATE");
        if (opens) {
            open++;
        } else if (open > 0 && word.equals("END")) {
            open--;
        }
    }

    /** A quote that is doubled ends one text and begins the next, which comes to the same. */
    private int behind(String closing, int from) {
        int found = script.indexOf(closing, from);
        return found < 0 ? script.length() : found + closing.length();
    }

    private void take() {
        if (start >= 0) {
            int line = 1
                    + (int) script.substring(0, start)
                            .chars()
                            .filter(c -> c == '\n')
                            .count();
            int column = start - script.lastIndexOf('\n', start - 1);
            statements.add(new Statement(script.substring(start, end), line, column));
        }
        start = -1;
        open = 0;
    }
}
