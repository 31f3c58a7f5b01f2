package dev.fulmar.sql.postgres;

import dev.fulmar.foundation.check.Invariants;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rows of a system table, which are made by the names of its columns. */
final class SystemRows {
    private final SystemTable table;
    private final List<List<@Nullable Object>> rows = new ArrayList<>();

    SystemRows(SystemTable table) {
        this.table = table;
    }

    /**
     * Adds a row. A column that is not named is false, 0, or null as text.
     *
     * @param namesAndValues a column's name, its value, and so on
     */
    void add(@Nullable Object... namesAndValues) {
        List<@Nullable Object> row = new ArrayList<>();
        for (SystemTable.Column column : table.columns()) {
            row.add(
                    switch (column.kind()) {
                        case TRUTH -> Boolean.FALSE;
                        case NUMBER -> 0;
                        case LONG_NUMBER -> 0L;
                        case FRACTION -> 0.0;
                        case TEXT, TIME -> null;
                    });
        }
        for (int i = 0; i < namesAndValues.length; i += 2) {
            int place = table.place(String.valueOf(namesAndValues[i]));
            Invariants.check(place >= 0, "a row of a system table has the columns that the table has");
            row.set(place, namesAndValues[i + 1]);
        }
        rows.add(row);
    }

    /** Gives a column of the last row a value. */
    void set(String name, Object value) {
        rows.getLast().set(table.place(name), value);
    }

    List<List<@Nullable Object>> rows() {
        return rows;
    }
}
