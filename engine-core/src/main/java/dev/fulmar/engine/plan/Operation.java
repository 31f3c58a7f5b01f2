package dev.fulmar.engine.plan;

import java.util.List;

/** What a fragment does on one partition. */
public sealed interface Operation {
    /** Yields rows and changes nothing. */
    record Query(Relation relation) implements Operation {}

    /**
     * Inserts the source's rows; its columns are the table's, in order. On a partition a row of another partition is not
     * inserted but is an error.
     *
     * @param upsert a row whose primary key exists replaces that row
     */
    record Insert(int table, Relation source, boolean upsert) implements Operation {}

    /**
     * Changes rows of the table.
     *
     * @param target {@link Relation.TableScan} or {@link Relation.IndexScan} of the table, with its filter
     * @param assignments new values over the old row's columns; all read the old row
     */
    record Update(int table, Relation target, List<Assignment> assignments) implements Operation {
        public Update {
            assignments = List.copyOf(assignments);
        }
    }

    /** A column and its new value. */
    record Assignment(int column, Expression value) {}

    /** Deletes rows of the table; the target is as of {@link Update}. */
    record Delete(int table, Relation target) implements Operation {}
}
