package dev.fulmar.engine.procedure.repeat;

/**
 * Grades how far a relation's rows and their order follow from the rows of the tables, for the check of determinism.
 */
enum RowOrder {
    /** The rows and their order are determined. */
    DETERMINED,
    /** The rows are determined; they come as they lie in memory. */
    UNORDERED,
    /** Nothing certain: the rows depend on the order in which others were read. */
    UNDETERMINED;

    RowOrder or(RowOrder other) {
        return compareTo(other) >= 0 ? this : other;
    }
}
