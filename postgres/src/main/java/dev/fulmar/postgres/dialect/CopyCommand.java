package dev.fulmar.postgres.dialect;

import java.util.List;

/** A COPY between its client and the database. */
public sealed interface CopyCommand {
    CopyOptions options();

    /**
     * The table of a COPY.
     *
     * @param sql its name in Fulmar's dialect, as it may stand in a statement
     * @param label its name without the schema, for messages
     * @param columns as PostgreSQL has them; none for all columns of the table
     */
    record Table(String sql, String label, List<String> columns) {
        public Table {
            columns = List.copyOf(columns);
        }
    }

    /** {@code COPY table FROM STDIN}. */
    record In(Table table, CopyOptions options) implements CopyCommand {}

    /** {@code COPY table TO STDOUT}. */
    record OutOfTable(Table table, CopyOptions options) implements CopyCommand {}

    /** {@code COPY (query) TO STDOUT}. */
    record OutOfQuery(Translation query, CopyOptions options) implements CopyCommand {}
}
