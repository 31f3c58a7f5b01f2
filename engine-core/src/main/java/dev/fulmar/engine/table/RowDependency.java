package dev.fulmar.engine.table;

import java.util.function.LongConsumer;

/** Rows of a table that what a preparation finds out about other rows depends on. */
public interface RowDependency {
    /** The table of those rows, which may be the preparation's own. */
    TableStore watched();

    /** Whether what depends on a row may be otherwise when the row is changed so. */
    boolean isConcernedBy(UpdateShape shape);

    /** Shows the rows of the preparation's table that depend on a row which comes, or is about to change or to go. */
    void dependents(long row, LongConsumer visitor);

    /**
     * Shows as well the rows that depend on a row once it has the values that the image has in the shape's columns, if
     * what a row comes to matters as what it was.
     */
    default void newDependents(long row, long image, UpdateShape shape, LongConsumer visitor) {}
}
