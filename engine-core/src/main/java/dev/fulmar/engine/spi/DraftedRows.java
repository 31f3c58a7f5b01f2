package dev.fulmar.engine.spi;

import dev.fulmar.engine.catalog.Column;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.plan.Expression;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Texts of queries that yield the rows of a table which a transaction has made or altered, from the tables of before.
 * Their columns are those of the table in its order, whatever names they have.
 */
public final class DraftedRows {
    private DraftedRows() {}

    /** The name in quotes. */
    public static String quoted(String name) {
        return "\"" + name.replace("\"", "\"\"") + "\"";
    }

    /** The columns that statements name. */
    public static List<Column> columns(Table table) {
        return table.columns().stream().filter(column -> !column.isRowId()).toList();
    }

    /** The name of the table's rows, and of their columns. */
    public static String named(Table table, String alias) {
        return quoted(alias)
                + columns(table).stream()
                        .map(column -> quoted(column.name()))
                        .collect(Collectors.joining(", ", " (", ")"));
    }

    /** The text of the column's default; null if that is no constant. */
    public static @Nullable String constant(Column column) {
        if (column.defaultValue() == null && !column.isGenerated()) {
            return "NULL";
        }
        return column.defaultValue() instanceof Expression.Literal ? column.defaultText() : null;
    }

    /** The rows of a table that is new: none. */
    public static String none(Table table) {
        return columns(table).stream()
                .map(column -> "CAST(NULL AS " + column.type() + ")")
                .collect(Collectors.joining(", ", "SELECT ", " FROM (VALUES (0)) AS \"NONE\" (\"N\") WHERE \"N\" = 1"));
    }

    /** The rows of a table of before, with the types that its columns have now; empty if one is computed. */
    public static Optional<String> stored(Table before, Table now) {
        return converted(
                "SELECT * FROM " + quoted(before.name()),
                before,
                now,
                columns(now).size());
    }

    private static Optional<String> converted(String content, Table before, Table now, int count) {
        List<Integer> same = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            same.add(i);
        }
        return converted(content, before, now, same);
    }

    /**
     * The rows of a table that has got other columns.
     *
     * @param content of the table before
     * @param sources per column of the table the place of the old one; negative for a new column
     */
    public static Optional<String> converted(String content, Table before, Table now, List<Integer> sources) {
        List<String> list = new ArrayList<>();
        for (int i = 0; i < columns(now).size(); i++) {
            Column column = now.columns().get(i);
            int source = sources.get(i);
            String value = source < 0
                    ? constant(column)
                    : "\"ROWS\"." + quoted(before.columns().get(source).name());
            if (value == null || column.isGenerated()) {
                return Optional.empty();
            }
            boolean isSame = source >= 0 && before.columns().get(source).type().equals(column.type());
            list.add(isSame ? value : "CAST((" + value + ") AS " + column.type() + ")");
        }
        return Optional.of("SELECT " + String.join(", ", list) + " FROM (" + content + ") AS " + named(before, "ROWS"));
    }
}
