package dev.fulmar.client.transfer;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.io.IOException;
import java.io.Reader;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads records of comma-separated values (RFC 4180). A field that has the separator, quotes or ends of lines in it
 * stands in double quotes, and a quote in it is written twice. A field that is empty and not quoted is null.
 */
final class CsvReader {
    private static final int END = -1;

    private final Reader source;
    private final char separator;
    private final StringBuilder raw = new StringBuilder();
    private int ahead;
    private long line = 1;
    private long recordLine = 1;

    /** @param source read in small pieces, so that it should be buffered */
    CsvReader(Reader source, char separator) throws IOException {
        this.source = source;
        this.separator = separator;
        ahead = source.read();
        if (ahead == '\uFEFF') {
            ahead = source.read();
        }
    }

    /** The next record; null at the end. Lines without anything are passed over. */
    @Nullable List<@Nullable String> next() throws IOException {
        while (ahead == '\n' || ahead == '\r') {
            endOfLine();
        }
        if (ahead == END) {
            return null;
        }
        raw.setLength(0);
        recordLine = line;
        List<@Nullable String> record = new ArrayList<>();
        boolean more = true;
        while (more) {
            record.add(field());
            more = ahead == separator;
            if (more) {
                take();
            }
        }
        if (ahead != END && ahead != '\n' && ahead != '\r') {
            throw malformed("text follows a quoted field");
        }
        endOfLine();
        return record;
    }

    /** The record read last as it stands in the file, without the end of its line. */
    String text() {
        return raw.toString();
    }

    /** The line at which the record read last begins, from 1. */
    long line() {
        return recordLine;
    }

    private void endOfLine() throws IOException {
        if (ahead == '\r') {
            ahead = source.read();
        }
        if (ahead == '\n') {
            ahead = source.read();
        }
        line++;
    }

    private char take() throws IOException {
        char taken = (char) ahead;
        raw.append(taken);
        line += taken == '\n' ? 1 : 0;
        ahead = source.read();
        return taken;
    }

    private @Nullable String field() throws IOException {
        if (ahead == '"') {
            return quoted();
        }
        StringBuilder field = new StringBuilder();
        while (ahead != END && ahead != separator && ahead != '\n' && ahead != '\r') {
            field.append(take());
        }
        return field.isEmpty() ? null : field.toString();
    }

    private String quoted() throws IOException {
        take();
        StringBuilder field = new StringBuilder();
        while (true) {
            if (ahead == END) {
                throw malformed("a quoted field does not end");
            }
            char character = take();
            if (character != '"') {
                field.append(character);
            } else if (ahead == '"') {
                field.append(take());
            } else {
                return field.toString();
            }
        }
    }

    private FulmarException malformed(String what) {
        return new FulmarException(
                ErrorCode.INVALID_TEXT,
                "line " + recordLine + " is no CSV: " + what + "; quotes inside a quoted field are written twice");
    }
}
