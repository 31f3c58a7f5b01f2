package dev.fulmar.procedure;

import org.jspecify.annotations.Nullable;

/**
 * Builds a result table. Column types follow from the values of the first row, or, for a column that is null there,
 * from the first value that is not.
 */
public interface TableBuilder {
    /** Adds a row with one value per column. */
    TableBuilder row(@Nullable Object... values);

    /** The finished table; the builder must not be used any more. */
    Rows build();
}
