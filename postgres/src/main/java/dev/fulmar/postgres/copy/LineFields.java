package dev.fulmar.postgres.copy;

/** Splits a line into its values. Not thread-safe. */
sealed interface LineFields permits TextFields, CsvFields {
    /**
     * Appends the values of a line to a row that has none.
     *
     * @param most values that are read: a line with more is wrong anyway
     */
    void split(byte[] line, int from, int to, CopyRow row, int most);
}
