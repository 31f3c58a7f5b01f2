package dev.fulmar.postgres.copy;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Texts of INSERTs into one table, by their count of rows. There are few counts, so plans of them are found again. */
final class InsertTexts {
    /** Most parameters of a statement. In a transaction the number that a row draws from a sequence is one of them. */
    private static final int MOST_PARAMETERS = 1_024;

    private final String begin;
    private final String row;
    private final Map<Integer, String> byRows = new TreeMap<>();

    /**
     * @param table its name as it may stand in a statement
     * @param columns names as the catalog has them
     */
    InsertTexts(String table, List<String> columns) {
        String names = columns.stream().map(InsertTexts::quoted).collect(Collectors.joining(","));
        begin = "INSERT INTO " + table + " (" + names + ") OVERRIDING SYSTEM VALUE VALUES ";
        row = columns.stream().map(column -> "?").collect(Collectors.joining(",", "(", ")"));
    }

    static String quoted(String name) {
        return "\"" + name.replace("\"", "\"\"") + "\"";
    }

    /** The rows of most statements: a power of two. */
    static int rowsAtOnce(int columns) {
        return Integer.highestOneBit(Math.max(1, MOST_PARAMETERS / (columns + 1)));
    }

    String of(int rows) {
        return byRows.computeIfAbsent(rows, count -> begin + (row + ",").repeat(count - 1) + row);
    }
}
