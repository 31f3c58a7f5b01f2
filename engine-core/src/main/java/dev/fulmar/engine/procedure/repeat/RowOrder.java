package dev.fulmar.engine.procedure.repeat;

/** What the rows of the tables say about the rows that a relation yields. */
enum RowOrder {
    /** Which rows they are, and in what order they come. */
    DETERMINED,
    /** Which rows they are; they come as they lie in memory. */
    UNORDERED,
    /** Nothing certain: the rows depend on the order in which others were read. */
    UNDETERMINED;

    RowOrder or(RowOrder other) {
        return compareTo(other) >= 0 ? this : other;
    }
}
