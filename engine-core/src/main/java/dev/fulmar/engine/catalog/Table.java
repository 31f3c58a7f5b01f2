package dev.fulmar.engine.catalog;

import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;

/**
 * A table. A table without partitioning column is replicated: every partition has all of its rows.
 *
 * @param id unique in the database, never reused
 * @param name upper case unless it was quoted
 * @param partitioningColumn position of the partitioning column; empty for a replicated table
 * @param primaryKey positions of the primary key's columns, empty if there is none
 */
public record Table(
        int id,
        String name,
        List<Column> columns,
        OptionalInt partitioningColumn,
        List<Integer> primaryKey,
        List<Index> indexes) {
    public Table {
        columns = List.copyOf(columns);
        primaryKey = List.copyOf(primaryKey);
        indexes = List.copyOf(indexes);
    }

    public boolean isReplicated() {
        return partitioningColumn.isEmpty();
    }

    /** Position of the column, or -1; the name is upper case unless it was quoted. */
    public int columnIndex(String columnName) {
        for (int i = 0; i < columns.size(); i++) {
            if (columns.get(i).name().equals(columnName)) {
                return i;
            }
        }
        return -1;
    }

    /** The form in which unquoted names are kept. */
    public static String normalize(String unquotedName) {
        return unquotedName.toUpperCase(Locale.ROOT);
    }
}
