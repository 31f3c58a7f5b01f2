package dev.fulmar.engine.table;

import java.util.function.LongConsumer;

/**
 * Tells an online preparation of a table which of its rows to process again when a row that they depend on changes. A
 * row depends on the row that it refers to, or on those that it is joined with.
 */
public interface RowDependency {
    /** The table of those rows, which may be the preparation's own. */
    TableStore watched();

    /** Whether what depends on a row may be otherwise when the row is changed so. */
    boolean isConcernedBy(UpdateShape shape);

    /** Shows the rows of the preparation's table that depend on a row which comes, or is about to change or to go. */
    void dependents(long row, LongConsumer visitor);

    /**
     * Shows as well the rows that depend on a row once it has the values that the image has in the shape's columns.
     * Does so if the row's new values matter as its old ones do.
     */
    default void newDependents(long row, long image, UpdateShape shape, LongConsumer visitor) {}
}
