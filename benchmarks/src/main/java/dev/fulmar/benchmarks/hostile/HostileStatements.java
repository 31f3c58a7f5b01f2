package dev.fulmar.benchmarks.hostile;

import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** SQL that is meant to keep a planner busy. Immutable. */
public final class HostileStatements {
    private static final int MEBIBYTE = 1 << 20;
    private static final int MOST_COLUMNS = 1_664;
    private static final int MOST_TABLES = 60;
    private static final int MOST_WIDE_UNIONS = 6;

    /** Of a table that as many tables as may be are joined of, within the width of a joined row. */
    private static final int JOINED_COLUMNS = 34;

    private HostileStatements() {}

    /**
     * A statement.
     *
     * @param isLegal whether its text is within the limits: it takes long, or is refused once its stars are expanded;
     *     else it is refused as soon as its text is read
     */
    public record Hostile(String name, String sql, boolean isLegal) {}

    /** Makes the tables that the statements name. */
    public static List<String> tables() {
        return List.of(
                "CREATE TABLE wide (k INTEGER NOT NULL PRIMARY KEY, " + list("c# INTEGER", 999) + ")",
                "CREATE TABLE joined (k INTEGER NOT NULL PRIMARY KEY, " + list("c# INTEGER", JOINED_COLUMNS - 1) + ")");
    }

    /** Beyond the limits, and just within them. */
    public static List<Hostile> all() {
        return List.of(
                beyond("10,000 columns", "SELECT " + list("k AS x#", 10_000) + " FROM wide"),
                beyond("100,000 items", "SELECT k FROM wide WHERE k IN (" + list("#", 100_000) + ")"),
                beyond("1 MB of joins", filled("SELECT COUNT(*) FROM wide", " CROSS JOIN wide")),
                beyond("1 MB of parentheses", filled("SELECT ", "(")),
                beyond("1 MB of subqueries", filled("SELECT k FROM wide", " WHERE k IN (SELECT k FROM wide")),
                beyond("a table of 10,000 columns", "CREATE TABLE t (" + list("c# INTEGER", 10_000) + ")"),
                within(
                        "as many columns as there may be",
                        "SELECT " + list("k + c1 * # AS x#", MOST_COLUMNS) + " FROM wide"),
                beyond("wide tables", "SELECT COUNT(*) FROM " + list("wide t#", MOST_TABLES)),
                beyond("wide outer joins", "SELECT t0.k FROM wide t0" + outerJoins("wide")),
                within("wide unions", String.join(" UNION ", Collections.nCopies(MOST_TABLES, "SELECT * FROM wide"))),
                within("as many tables as there may be", "SELECT COUNT(*) FROM " + list("joined t#", MOST_TABLES)),
                within("as many outer joins", "SELECT t0.k FROM joined t0" + outerJoins("joined")),
                within(
                        "as many unions",
                        String.join(" UNION ", Collections.nCopies(MOST_TABLES, "SELECT * FROM joined"))),
                within(
                        "unions of wide tables",
                        String.join(" UNION ", Collections.nCopies(MOST_WIDE_UNIONS, "SELECT * FROM wide"))));
    }

    private static Hostile beyond(String name, String sql) {
        return new Hostile(name, sql, false);
    }

    private static Hostile within(String name, String sql) {
        return new Hostile(name, sql, true);
    }

    private static String outerJoins(String table) {
        return IntStream.range(1, MOST_TABLES)
                .mapToObj(i -> " LEFT JOIN " + table + " t" + i + " ON t" + i + ".k = t" + (i - 1) + ".c1")
                .collect(Collectors.joining());
    }

    private static String filled(String begin, String piece) {
        return begin + piece.repeat((MEBIBYTE - begin.length()) / piece.length());
    }

    /** Items with commas between; # is the item's number. */
    private static String list(String item, int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> item.replace("#", Integer.toString(i)))
                .collect(Collectors.joining(", "));
    }
}
