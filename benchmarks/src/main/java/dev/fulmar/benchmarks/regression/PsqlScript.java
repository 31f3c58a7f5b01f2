package dev.fulmar.benchmarks.regression;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Cuts a script of psql into statements. Which lines are data of a COPY depends on what the server answers, so
 * statements are taken one by one. Commands of psql itself are left out, but for the name of a file to copy from.
 */
final class PsqlScript {
    private static final Pattern FILE = Pattern.compile("^\\\\set\\s+filename\\s+:abs_srcdir\\s+'([^']*)'");
    private static final Pattern TAG = Pattern.compile("\\$([A-Za-z_\\x80-\\uffff][\\w\\x80-\\uffff]*)?\\$");

    private final List<String> lines;

    /** The next line, and the place in it. */
    private int line;

    private int column;
    private @Nullable String fileName;

    /** The part of the text that is read. */
    private enum State {
        PLAIN,
        TEXT,
        ESCAPED_TEXT,
        NAME,
        DOLLARS,
        COMMENT
    }

    private State state = State.PLAIN;
    private int depth;

    /** The depth around the comment that is read. */
    private int commentsFrom;

    private String tag = "";

    PsqlScript(List<String> lines) {
        this.lines = List.copyOf(lines);
    }

    /** The next statement without its semicolon; null behind the last one. */
    @Nullable String next() {
        StringBuilder statement = new StringBuilder();
        state = State.PLAIN;
        depth = 0;
        while (line < lines.size()) {
            String text = lines.get(line);
            if (column == 0 && text.startsWith("\\") && statement.toString().isBlank()) {
                command(text);
            } else if (statement(text, statement)) {
                if (!statement.toString().isBlank()) {
                    return statement.toString().strip();
                }
                statement.setLength(0);
                continue;
            }
            line++;
            column = 0;
            statement.append('\n');
        }
        return statement.toString().isBlank() ? null : statement.toString().strip();
    }

    /** The lines behind the statement's up to the end of data. */
    byte[] data() {
        StringBuilder data = new StringBuilder();
        int next = line + 1;
        while (next < lines.size() && !lines.get(next).equals("\\.")) {
            data.append(lines.get(next)).append('\n');
            next++;
        }
        line = next;
        column = next < lines.size() ? lines.get(next).length() : 0;
        return data.toString().getBytes(StandardCharsets.UTF_8);
    }

    /** The file that the script has named last, below the directory of the suite. */
    @Nullable Path file(Path suite) {
        return fileName == null ? null : suite.resolve(fileName.substring(1));
    }

    private void command(String text) {
        Matcher file = FILE.matcher(text);
        if (file.find()) {
            fileName = file.group(1);
        }
    }

    /** Reads the rest of the line; true if a statement ends in it, behind which the next one begins. */
    private boolean statement(String text, StringBuilder statement) {
        while (column < text.length()) {
            char character = text.charAt(column);
            boolean isPlain = state == State.PLAIN;
            if (isPlain && text.startsWith("--", column)) {
                column = text.length();
            } else if (isPlain && character == ';' && depth == 0) {
                column++;
                return true;
            } else if (isPlain && character == '\\') {
                column = text.length(); // a command of psql that ends the statement
                return true;
            } else {
                int end = step(text, character);
                if (state != State.COMMENT && !text.startsWith("*/", column)) {
                    statement.append(text, column, end);
                }
                column = end;
            }
        }
        return false;
    }

    /** The place behind the characters that are read next. */
    private int step(String text, char character) {
        return switch (state) {
            case PLAIN -> plain(text, character);
            case TEXT -> leaves(character == '\'');
            case NAME -> leaves(character == '"');
            case ESCAPED_TEXT -> character == '\\' ? Math.min(text.length(), column + 2) : leaves(character == '\'');
            case DOLLARS -> {
                boolean isEnd = text.startsWith(tag, column);
                state = isEnd ? State.PLAIN : state;
                yield column + (isEnd ? tag.length() : 1);
            }
            case COMMENT -> comment(text);
        };
    }

    private int leaves(boolean isEnd) {
        state = isEnd ? State.PLAIN : state;
        return column + 1;
    }

    private int comment(String text) {
        if (text.startsWith("/*", column)) {
            depth++;
            return column + 2;
        }
        if (text.startsWith("*/", column)) {
            depth--;
            state = depth == commentsFrom ? State.PLAIN : state;
            return column + 2;
        }
        return column + 1;
    }

    private int plain(String text, char character) {
        switch (character) {
            case '(' -> depth++;
            case ')' -> depth--;
            case '"' -> state = State.NAME;
            case '\'' -> {
                boolean isEscaped = column > 0
                        && "eE".indexOf(text.charAt(column - 1)) >= 0
                        && (column == 1 || !Character.isLetterOrDigit(text.charAt(column - 2)));
                state = isEscaped ? State.ESCAPED_TEXT : State.TEXT;
            }
            case '/' -> {
                if (text.startsWith("/*", column)) {
                    commentsFrom = depth++;
                    state = State.COMMENT;
                    return column + 2;
                }
            }
            case '$' -> {
                Matcher opening = TAG.matcher(text).region(column, text.length());
                boolean isInName = column > 0 && Character.isLetterOrDigit(text.charAt(column - 1));
                if (!isInName && opening.lookingAt()) {
                    tag = opening.group();
                    state = State.DOLLARS;
                    return opening.end();
                }
            }
            default -> {}
        }
        return column + 1;
    }
}
