package dev.fulmar.engine.plan;

import java.util.List;

/** The work of a fragment on one partition. */
public sealed interface Operation {
    /** Yields rows and changes nothing. */
    record Query(Relation relation) implements Operation {}

    /**
     * Inserts the source's rows; its columns are the table's, in order. On a partition a row of another partition is
     * not inserted but is an error.
     *
     * @param returning over the table's columns: what the operation yields of each row as it is stored; none if it
     *     yields a count
     */
    record Insert(int table, Relation source, ConflictAction onConflict, List<Expression> returning)
            implements Operation {
        public Insert {
            returning = List.copyOf(returning);
        }

        /** @param upsert a row whose primary key exists replaces that row */
        public Insert(int table, Relation source, boolean upsert) {
            this(table, source, upsert ? ConflictAction.REPLACE : ConflictAction.FAIL, List.of());
        }
    }

    /**
     * Changes rows of the table.
     *
     * @param target {@link Relation.TableScan} or {@link Relation.IndexScan} of the table, with its filter; or the
     *     table's columns of an inner {@link Relation.IndexJoin} of distinct keys with the table, which meets no row
     *     twice
     * @param assignments new values over the old row's columns; all read the old row
     * @param returning as of {@link Insert}, of the new row
     */
    record Update(int table, Relation target, List<Assignment> assignments, List<Expression> returning)
            implements Operation {
        public Update {
            assignments = List.copyOf(assignments);
            returning = List.copyOf(returning);
        }

        public Update(int table, Relation target, List<Assignment> assignments) {
            this(table, target, assignments, List.of());
        }
    }

    /** A column and its new value. */
    record Assignment(int column, Expression value) {}

    /** Deletes rows of the table; the target is as of {@link Update}, and what it returns is of the old row. */
    record Delete(int table, Relation target, List<Expression> returning) implements Operation {
        public Delete {
            returning = List.copyOf(returning);
        }

        public Delete(int table, Relation target) {
            this(table, target, List.of());
        }
    }

    /** Expressions over its table's columns that it yields of each row that it changes; none for a count. */
    default List<Expression> returning() {
        return List.of();
    }

    /** The same operation, which yields these expressions over its table's columns for each row that it changes. */
    default Operation returning(List<Expression> values) {
        return switch (this) {
            case Query query -> query;
            case Insert insert -> new Insert(insert.table(), insert.source(), insert.onConflict(), values);
            case Update update -> new Update(update.table(), update.target(), update.assignments(), values);
            case Delete delete -> new Delete(delete.table(), delete.target(), values);
        };
    }
}
