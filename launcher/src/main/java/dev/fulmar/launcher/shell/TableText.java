package dev.fulmar.launcher.shell;

import dev.fulmar.client.ResultTable;
import dev.fulmar.foundation.data.ArrayValues;
import dev.fulmar.foundation.data.InfiniteTime;
import dev.fulmar.foundation.data.ResultColumn;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** Writes a result table with aligned columns. */
final class TableText {
    private static final int WIDEST_COLUMN = 60;

    private TableText() {}

    static void print(ResultTable table, PrintWriter out) {
        List<String> names = table.columns().stream().map(ResultColumn::name).toList();
        List<List<String>> rows = new ArrayList<>();
        table.beforeFirst();
        while (table.next()) {
            List<String> row = new ArrayList<>();
            for (int column = 0; column < names.size(); column++) {
                row.add(cell(table, column));
            }
            rows.add(row);
        }
        int[] widths = widths(names, rows);
        out.println(line(names, widths, table));
        out.println(rule(widths));
        rows.forEach(row -> out.println(line(row, widths, table)));
        out.println("(" + rows.size() + (rows.size() == 1 ? " row)" : " rows)"));
    }

    private static String cell(ResultTable table, int column) {
        Object value = table.getObject(column);
        if (value == null) {
            return "NULL";
        }
        String text = switch (value) {
            case byte[] bytes -> "x'" + HexFormat.of().formatHex(bytes) + "'";
            case List<?> elements -> ArrayValues.text(elements);
            default -> InfiniteTime.textOf(value);
        };
        String shown = text.replace("\n", "\\n").replace("\t", "\\t");
        // A result of one column, such as a plan, has the whole line to itself.
        return table.columnCount() > 1 && shown.length() > WIDEST_COLUMN
                ? shown.substring(0, WIDEST_COLUMN - 3) + "..."
                : shown;
    }

    private static int[] widths(List<String> names, List<List<String>> rows) {
        int[] widths = new int[names.size()];
        for (int column = 0; column < widths.length; column++) {
            int widest = names.get(column).length();
            for (List<String> row : rows) {
                widest = Math.max(widest, row.get(column).length());
            }
            widths[column] = widest;
        }
        return widths;
    }

    private static String line(List<String> cells, int[] widths, ResultTable table) {
        StringBuilder line = new StringBuilder();
        for (int column = 0; column < widths.length; column++) {
            String padding = " ".repeat(widths[column] - cells.get(column).length());
            boolean right = isNumber(table, column);
            line.append(column == 0 ? "" : " | ")
                    .append(right ? padding : "")
                    .append(cells.get(column))
                    .append(right || column == widths.length - 1 ? "" : padding);
        }
        return line.toString();
    }

    private static boolean isNumber(ResultTable table, int column) {
        return switch (table.columns().get(column).type().kind()) {
            case TINYINT, SMALLINT, INTEGER, BIGINT, DECIMAL, REAL, DOUBLE, NUMERIC -> true;
            case BOOLEAN,
                    CHAR,
                    VARCHAR,
                    VARBINARY,
                    DATE,
                    TIME,
                    TIMESTAMP,
                    TIMESTAMP_TZ,
                    UUID,
                    JSON,
                    JSONB,
                    INTERVAL,
                    ARRAY,
                    ENUM -> false;
        };
    }

    private static String rule(int[] widths) {
        StringBuilder rule = new StringBuilder();
        for (int column = 0; column < widths.length; column++) {
            rule.append(column == 0 ? "" : "-+-").append("-".repeat(widths[column]));
        }
        return rule.toString();
    }
}
