package dev.fulmar.postgres.dialect;

/** The first line of the data of a COPY. */
public enum CopyHeader {
    /** It is a row. */
    NONE,
    /** It names the columns; names that are read do not matter. */
    NAMES,
    /** It names the columns, and must name those of the COPY in their order. */
    MATCH
}
