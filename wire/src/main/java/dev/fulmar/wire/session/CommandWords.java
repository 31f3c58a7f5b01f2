package dev.fulmar.wire.session;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The words of a short command, upper case but for quoted names; none of a text that cannot be one. */
final class CommandWords {
    private static final int LONGEST_COMMAND = 500;

    /** The first letters of most statements that are no commands. */
    private static final String QUERY = "SELECT";

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
                || "BCEFMSAR-/".indexOf(Character.toUpperCase(sql.charAt(start))) < 0
                || sql.regionMatches(true, start, QUERY, 0, QUERY.length())) {
            return List.of();
        }
        CommandWords reading = new CommandWords(sql);
        return reading.isRead() ? reading.words : List.of();
    }

    /**
     * The words of a statement up to one that ends them.
     *
     * @param isWhole whether that word is there, behind nothing but words and names
     * @param rest the text behind it
     */
    record Beginning(List<String> words, boolean isWhole, String rest) {}

    /** The beginning of a text whose first word is that one; null for another text. */
    static @Nullable Beginning beginning(String sql, String firstWord, String lastWord) {
        CommandWords reading = new CommandWords(sql);
        if (!reading.skipBlanks() || !sql.regionMatches(true, reading.place, firstWord, 0, firstWord.length())) {
            return null;
        }
        if (!reading.readWord() || !reading.words.getFirst().equals(firstWord)) {
            return null;
        }
        while (reading.skipBlanks()) {
            boolean isQuoted = sql.charAt(reading.place) == '"';
            if (!(isQuoted ? reading.readQuoted() : reading.readWord())) {
                break;
            }
            if (!isQuoted && reading.words.getLast().equals(lastWord)) {
                reading.words.removeLast();
                return new Beginning(
                        reading.words, true, sql.substring(reading.place).strip());
            }
        }
        return new Beginning(reading.words, false, "");
    }

    /** The first word, upper case; empty if the text begins with something else. */
    static String firstWord(String sql) {
        CommandWords reading = new CommandWords(sql);
        return reading.skipBlanks() && reading.readWord() ? reading.words.getFirst() : "";
    }

    /** Whether the text has nothing but words, names, commas and the like, with a semicolon at its end. */
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
            } else if (first == ',' || first == '-' || first == '=') {
                words.add(String.valueOf(first));
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
        StringBuilder name = new StringBuilder();
        int begin = place + 1;
        while (true) {
            int end = text.indexOf('"', begin);
            if (end < 0) {
                return false;
            }
            name.append(text, begin, end);
            place = end + 1;
            if (!text.startsWith("\"", place)) {
                words.add(name.toString());
                return true;
            }
            name.append('"');
            begin = place + 1;
        }
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
