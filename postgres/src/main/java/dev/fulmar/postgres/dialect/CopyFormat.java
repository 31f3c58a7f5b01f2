package dev.fulmar.postgres.dialect;

/** Format of the data of a COPY. */
public enum CopyFormat {
    /** Lines of values with a delimiter between them, and backslashes before what is special. */
    TEXT,
    /** Lines of values with commas between them, in quotes where they need them. */
    CSV,
    /** Values in their binary form, with their lengths. */
    BINARY
}
