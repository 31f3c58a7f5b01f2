package dev.fulmar.wire.session;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The words of a short command, upper case but for quoted names; none of a text that cannot be one. */
final class CommandWords {
    private static final int LONGEST_COMMAND = 500;

    private final String text;
    private final List<String> words = new ArrayList<>();
    private int place;

    private CommandWords(String text) {
        this.text = text;
    }

    /** Quick for all but commands: their first letters are few. */
    static List<String> of(String sql) {
        int start = 0;
        while (start < sql.length() && Character.isWhitespace(sql.charAt(start))) {
            start++;
        }
        if (start == sql.length()
                || sql.length() - start > LONGEST_COMMAND
                || "BCESAR-/".indexOf(Character.toUpperCase(sql.charAt(start))) < 0) {
            return List.of();
        }
        CommandWords reading = new CommandWords(sql);
        return reading.isRead() ? reading.words : List.of();
    }

    /** Whether the text has nothing but words, names and commas, with a semicolon at its end. */
    private boolean isRead() {
        while (skipBlanks()) {
            char first = text.charAt(place);
            if (first == ';') {
                place++;
                return !skipBlanks();
            }
            if (first == '"') {
                if (!readQuoted()) {
                    return false;
                }
            } else if (first == ',') {
                words.add(",");
                place++;
            } else if (!readWord()) {
                return false;
            }
        }
        return true;
    }

    private boolean readWord() {
        int begin = place;
        while (place < text.length() && (Character.isLetterOrDigit(text.charAt(place)) || text.charAt(place) == '_')) {
            place++;
        }
        words.add(text.substring(begin, place).toUpperCase(Locale.ROOT));
        return place > begin;
    }

    private boolean readQuoted() {
        int end = text.indexOf('"', place + 1);
        if (end < 0) {
            return false;
        }
        words.add(text.substring(place + 1, end));
        place = end + 1;
        return true;
    }

    /** Skips blanks and comments; returns whether something follows. */
    private boolean skipBlanks() {
        while (place < text.length()) {
            if (Character.isWhitespace(text.charAt(place))) {
                place++;
            } else if (text.startsWith("--", place)) {
                int line = text.indexOf('\n', place);
                place = line < 0 ? text.length() : line;
            } else if (text.startsWith("/*", place)) {
                int end = text.indexOf("*/", place + 2);
                place = end < 0 ? text.length() : end + 2;
            } else {
                return true;
            }
        }
        return false;
    }
}
