package dev.fulmar.postgres.copy;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The place in a COPY's data that is read. Its errors say it as PostgreSQL's do, behind {@link #CONTEXT} in their
 * message. Not thread-safe.
 */
public final class CopyPlace {
    /** Stands between what is wrong and the place where. */
    public static final String CONTEXT = "\nCONTEXT:  ";

    /** The engine names the row of a statement that an error is about. */
    private static final Pattern ROW = Pattern.compile("^row (\\d{1,9}): ");

    private static final int MOST_BYTES_SHOWN = 100;
    private static final int CONTINUATION_MASK = 0xC0;
    private static final int CONTINUATION = 0x80;

    private final String table;
    private final List<String> columns;
    private long line = 1;

    /**
     * @param table its name for messages
     * @param columns of the COPY, as its client knows them
     */
    CopyPlace(String table, List<String> columns) {
        this.table = table;
        this.columns = List.copyOf(columns);
    }

    List<String> columns() {
        return columns;
    }

    /** Number of the line that is read, or of the row in a binary COPY, from 1. */
    long line() {
        return line;
    }

    void nextLine() {
        line++;
    }

    /** An error in a line that has not been read to its end. */
    FulmarException error(ErrorCode code, String message) {
        return withContext(code, message, "line " + line);
    }

    /** An error in a line that is known. */
    FulmarException error(ErrorCode code, String message, byte[] bytes, int from, int to) {
        return withContext(code, message, "line " + line + ": \"" + shown(bytes, from, to) + "\"");
    }

    /** A bad file. */
    FulmarException bad(String message) {
        return error(ErrorCode.BAD_COPY_FORMAT, message);
    }

    /** The same error in the value of a column. */
    FulmarException at(int column, CopyRow row, boolean isText, FulmarException error) {
        String value = isText ? ": \"" + shown(row.bytes(), row.from(column), row.to(column)) + "\"" : "";
        return withContext(
                error.code(),
                String.valueOf(error.getMessage()),
                "line " + line + ", column " + columns.get(column) + value);
    }

    /** The same error, which came of one of the rows of a statement. */
    FulmarException at(CopyStatement statement, FulmarException error) {
        String message = String.valueOf(error.getMessage());
        Matcher row = ROW.matcher(message);
        boolean hasLinePerRow = statement.lastLine() - statement.firstLine() + 1 == statement.rows();
        if (row.find() && hasLinePerRow) {
            long number = statement.firstLine() + Integer.parseInt(row.group(1)) - 1;
            return withContext(error.code(), message.substring(row.end()), "line " + number);
        }
        String lines = statement.firstLine() == statement.lastLine()
                ? "line " + statement.firstLine()
                : "lines " + statement.firstLine() + " to " + statement.lastLine();
        return withContext(error.code(), message, lines);
    }

    private FulmarException withContext(ErrorCode code, String message, String place) {
        return new FulmarException(code, message + CONTEXT + "COPY " + table + ", " + place);
    }

    /** The begin of a value, cut between two characters. */
    private static String shown(byte[] bytes, int from, int to) {
        if (to - from <= MOST_BYTES_SHOWN) {
            return new String(bytes, from, to - from, StandardCharsets.UTF_8);
        }
        int end = from + MOST_BYTES_SHOWN;
        while (end > from && (bytes[end] & CONTINUATION_MASK) == CONTINUATION) {
            end--;
        }
        return new String(bytes, from, end - from, StandardCharsets.UTF_8) + "...";
    }
}
