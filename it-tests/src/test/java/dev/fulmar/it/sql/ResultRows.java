package dev.fulmar.it.sql;

import dev.fulmar.client.FulmarClient;
import dev.fulmar.client.ResultTable;
import dev.fulmar.foundation.data.InfiniteTime;
import java.util.ArrayList;
import java.util.List;

/** Answers as lines, a row each. */
final class ResultRows {
    private ResultRows() {}

    /** What the query answers now, with the separator between the values of a row. */
    static List<String> of(FulmarClient client, String query, String separator) {
        return of(client.execute(query).table(), separator);
    }

    /** What is left of the table, with the separator between the values of a row. */
    static List<String> of(ResultTable table, String separator) {
        List<String> rows = new ArrayList<>();
        while (table.next()) {
            List<String> values = new ArrayList<>();
            for (int column = 0; column < table.columnCount(); column++) {
                boolean isArray = table.columns().get(column).type().isArray();
                Object value = isArray ? table.getString(column) : table.getObject(column);
                values.add(value == null ? "null" : InfiniteTime.textOf(value));
            }
            rows.add(String.join(separator, values));
        }
        return rows;
    }
}
