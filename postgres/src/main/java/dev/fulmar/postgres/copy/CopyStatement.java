package dev.fulmar.postgres.copy;

import org.jspecify.annotations.Nullable;

/**
 * An INSERT of rows of a COPY.
 *
 * @param sql in Fulmar's dialect
 * @param parameters values of its rows, in the format of {@code dev.fulmar.foundation.data}
 * @param rows that it inserts
 * @param firstLine line of the first row
 * @param lastLine line of the last row
 */
@SuppressWarnings("ArrayRecordComponent") // one owner, compared by identity only
public record CopyStatement(String sql, byte[] parameters, int rows, long firstLine, long lastLine) {
    /** Bytes that a transaction of statements counts for one beside its text and parameters. */
    private static final int FIXED_BYTES = 128;

    /** The same statement as its session sends it. */
    public CopyStatement with(String text) {
        return text.equals(sql) ? this : new CopyStatement(text, parameters, rows, firstLine, lastLine);
    }

    /** Memory that it takes in a transaction of statements, where those with one text have it together. */
    long bytesBehind(@Nullable CopyStatement before) {
        boolean isAsBefore = before != null && before.sql.equals(sql);
        return FIXED_BYTES + (isAsBefore ? 0 : 2L * sql.length()) + parameters.length;
    }
}
