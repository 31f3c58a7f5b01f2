package dev.fulmar.postgres.copy;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.postgres.dialect.CopyOptions;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Splits lines of the CSV format: quotes, and escapes in them. */
final class CsvFields implements LineFields {
    private final CopyPlace place;
    private final byte delimiter;
    private final byte quote;
    private final byte escape;
    private final byte[] nullText;
    private final boolean[] nullQuoted;
    private final boolean[] neverNull;
    private int at;

    CsvFields(CopyOptions options, CopyPlace place) {
        this.place = place;
        delimiter = options.delimiter();
        quote = options.quote();
        escape = options.escape();
        nullText = options.nullText().getBytes(StandardCharsets.UTF_8);
        nullQuoted = ColumnMarks.of(options.nullQuoted(), place.columns(), "FORCE_NULL");
        neverNull = ColumnMarks.of(options.neverNull(), place.columns(), "FORCE_NOT_NULL");
    }

    @Override
    public void split(byte[] line, int from, int to, CopyRow row, int most) {
        at = from;
        boolean hasNext = true;
        while (hasNext && row.count() < most) {
            hasNext = field(line, from, to, row);
        }
    }

    /** Gives the options that say for a column what is NULL their due. */
    void apply(CopyRow row) {
        for (int i = 0; i < row.count(); i++) {
            if (row.isNull(i) && neverNull[i]) {
                row.setNull(i, false);
            } else if (!row.isNull(i) && nullQuoted[i] && row.has(i, nullText)) {
                row.setNull(i, true);
            }
        }
    }

    /** Reads one value; returns whether a delimiter ends it. */
    private boolean field(byte[] line, int from, int to, CopyRow row) {
        int start = at;
        boolean isQuoted = false;
        while (true) {
            int plain = at;
            while (at < to && line[at] != delimiter && line[at] != quote) {
                at++;
            }
            row.append(line, plain, at);
            if (at == to || line[at] == delimiter) {
                break;
            }
            at++;
            isQuoted = true;
            quoted(line, from, to, row);
        }
        row.endField(!isQuoted && Arrays.equals(line, start, at, nullText, 0, nullText.length));
        boolean hasNext = at < to;
        at++;
        return hasNext;
    }

    /** Reads up to the quote that closes, and over it. */
    private void quoted(byte[] line, int from, int to, CopyRow row) {
        while (true) {
            int plain = at;
            while (at < to && line[at] != quote && line[at] != escape) {
                at++;
            }
            row.append(line, plain, at);
            if (at == to) {
                throw place.error(ErrorCode.BAD_COPY_FORMAT, "unterminated CSV quoted field", line, from, to);
            }
            byte found = line[at++];
            boolean escapes = found == escape && at < to && (line[at] == escape || line[at] == quote);
            if (escapes) {
                row.append(line[at++]);
            } else if (found == quote) {
                return;
            } else {
                row.append(found);
            }
        }
    }
}
