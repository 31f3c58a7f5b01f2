package dev.fulmar.engine.catalog;

/**
 * The time-to-live (TTL) of a table, after which its rows are too old and go by themselves.
 *
 * @param column name of a TIMESTAMP column, with or without time zone; a row goes some time after its value, or never
 *     if that is null
 * @param afterSeconds how long after
 * @param batchRows how many rows of a partition go in one transaction at most
 */
public record Expiry(String column, long afterSeconds, int batchRows) {
    /** Rows that go in one transaction unless it is said otherwise. */
    public static final int USUAL_BATCH = 1000;

    /** Most rows that may go in one transaction, for others wait meanwhile. */
    public static final int MOST_BATCH = 10_000;

    /** Rows are never older than that. */
    public static final long MOST_SECONDS = 100L * 365 * 24 * 60 * 60;

    private static final long MICROS = 1_000_000;

    /** Microseconds after the column's value. */
    public long afterMicros() {
        return afterSeconds * MICROS;
    }

    /** The clause that says so. */
    public String text() {
        return "USING TTL " + afterSeconds + " SECONDS ON COLUMN \"" + column.replace("\"", "\"\"") + "\" BATCH_SIZE "
                + batchRows;
    }

    /** The name of the index that is made for it where there is none. */
    public static String indexName(String table) {
        return table + "_TTL";
    }
}
