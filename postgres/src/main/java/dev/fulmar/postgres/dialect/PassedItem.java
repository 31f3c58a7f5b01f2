package dev.fulmar.postgres.dialect;

import dev.fulmar.foundation.data.ColumnType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * An item of WITH whose rows a statement is given, as an array for each column. It stands in place of the item's name.
 *
 * @param name of the item as PostgreSQL folds it
 * @param columns names as PostgreSQL folds them
 * @param types of the columns
 * @param firstNumber number of the parameter that is the first array, from 1
 */
public record PassedItem(String name, List<String> columns, List<ColumnType> types, int firstNumber) {
    public PassedItem {
        columns = List.copyOf(columns);
        types = List.copyOf(types);
    }

    /**
     * Whether the elements of its array are of a column's type. Those of the others are texts: an array has none of
     * them, or does not keep all their values apart.
     */
    public static boolean isPassedAsItIs(ColumnType type) {
        return switch (type.kind()) {
            case BOOLEAN, TINYINT, SMALLINT, INTEGER, BIGINT, DECIMAL, VARCHAR, DATE, TIME, TIMESTAMP, UUID -> true;
            case TIMESTAMP_TZ, REAL, DOUBLE, CHAR, VARBINARY, JSON, JSONB, INTERVAL, ARRAY, ENUM, NUMERIC -> false;
        };
    }

    /** Writes the rows of the items in place of their names. */
    static void replace(Words words, Map<String, PassedItem> items) {
        if (items.isEmpty()) {
            return;
        }
        for (int place : TableNames.of(words).reversed()) { // so that places before it stay what they are
            PassedItem item = items.get(words.at(place).name());
            if (item != null) {
                Lexeme next = words.at(place + 1);
                boolean isNamed = next.isWord("AS") || CalledTables.isOtherName(next);
                int begin = TableNames.beginOfTable(words, place);
                int start = words.at(begin).start();
                List<Lexeme> rows = new ArrayList<>();
                if (begin < place) {
                    List.of("SELECT", "*", "FROM").forEach(word -> rows.add(new Lexeme(Lexeme.Kind.MADE, word, start)));
                }
                rows.addAll(item.rows(start, isNamed && begin == place));
                words.replaceByRows(begin, place + 1, rows);
            }
        }
    }

    private List<Lexeme> rows(int start, boolean isNamed) {
        List<Lexeme> rows = new ArrayList<>();
        List<String> values = new ArrayList<>();
        List<String> arrays = new ArrayList<>();
        for (int i = 0; i < types.size(); i++) {
            String value = "C" + (i + 1);
            arrays.add(value);
            values.add(value(value, types.get(i)) + " AS " + quoted(columns.get(i)));
        }
        StringBuilder made = new StringBuilder("(SELECT " + String.join(", ", values) + " FROM UNNEST(");
        for (int i = 0; i < types.size(); i++) {
            made.append(i == 0 ? "" : ", ").append("CAST(");
            rows.add(new Lexeme(Lexeme.Kind.MADE, made.toString(), start));
            rows.add(new Lexeme(Lexeme.Kind.PARAMETER, "$" + (firstNumber + i), start));
            made = new StringBuilder("AS " + element(types.get(i)) + " ARRAY)");
        }
        made.append(arrays.stream().collect(Collectors.joining(", ", ") AS PASSED (", "))")));
        rows.add(new Lexeme(Lexeme.Kind.MADE, made + (isNamed ? "" : " AS " + quoted(name)), start));
        return rows;
    }

    private static String element(ColumnType type) {
        return isPassedAsItIs(type) ? type.toString() : "VARCHAR";
    }

    private static String value(String text, ColumnType type) {
        return switch (type.kind()) {
            case VARBINARY -> "CAST(DECODE(" + text + ", 'hex') AS " + type + ")";
            default -> isPassedAsItIs(type) ? text : "CAST(" + text + " AS " + type + ")";
        };
    }

    private static String quoted(String folded) {
        return '"' + NameFolding.mirrored(folded).replace("\"", "\"\"") + '"';
    }
}
