package dev.fulmar.benchmarks.sqlcheck;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A difference from PostgreSQL, or a refusal, that docs/SQL.md states. Nothing else is let pass, and each that passes
 * is counted under its clause.
 *
 * @param clause the name of a difference in that list of docs/SQL.md, where a test looks for it
 * @param manner the way in which Fulmar differs
 * @param statement what the statement contains
 * @param message a part of Fulmar's refusal; empty if it refuses nothing
 */
record Tolerance(String clause, Manner manner, Pattern statement, String message) {
    /** All there are. */
    static final List<Tolerance> ALL = List.of(
            refused("Changes need a primary key", "needs a primary key, by which the rows are found again"),
            refused("RETURNING has no subqueries", "RETURNING computes from the columns of the row that is changed"),
            refused("Aggregates are of the query that they stand in", "WHERE takes no aggregate"),
            new Tolerance(
                    "COUNT computes only what can be null",
                    Manner.FINDS_NO_ERROR,
                    Pattern.compile("\\bCOUNT\\( *(?![* ]|DISTINCT)"),
                    ""),
            new Tolerance(
                    "Grouping sets are sorted by all columns",
                    Manner.ORDERS_OTHERWISE,
                    Pattern.compile("\\bGROUP BY (ROLLUP|CUBE|GROUPING SETS)\\b.*(?<!\\( )\\bORDER BY\\b"),
                    ""),
            new Tolerance(
                    "Grouping sets are sorted by all columns",
                    Manner.ANSWERS_OTHERWISE,
                    Pattern.compile("\\bGROUP BY (ROLLUP|CUBE|GROUPING SETS)\\b.*(?<!\\( )\\bORDER BY\\b"
                            + ".*\\b(OFFSET|FETCH|LIMIT)\\b"),
                    ""),
            new Tolerance(
                    "A condition on a growing window function counts for each row around it",
                    Manner.ANSWERS_OTHERWISE,
                    Pattern.compile(
                            "\\bLATERAL\\b.*\\b(COUNT|RANK|DENSE_RANK|ROW_NUMBER)\\([^)]*\\) OVER \\( ORDER BY\\b.*"
                                    + "\\bWHERE\\b.*(<|\\bBETWEEN\\b).*\\bGROUP BY (ROLLUP|CUBE|GROUPING SETS)\\b"),
                    ""),
            typed("MOD has the type of its divisor", "\\bMOD\\("),
            typed("NULLIF has the type of its first argument", "\\bNULLIF\\("),
            typed("NTILE is a BIGINT", "\\bNTILE\\("),
            typed("LEAD and LAG of a CHAR are VARCHAR", "\\b(LEAD|LAG)\\("),
            typed("A common column has the type of one table", " USING \\(| NATURAL "),
            typed("INTERSECT and EXCEPT have the types of their first query", "\\b(INTERSECT|EXCEPT)\\b"));

    /** The way in which Fulmar may differ from PostgreSQL. */
    enum Manner {
        REFUSES,
        ANSWERS_OTHERWISE,
        /** It answers the same rows, whose columns have other types. */
        HAS_OTHER_TYPES,
        /** It answers the same rows in another order. */
        ORDERS_OTHERWISE,
        /** It answers without computing that in which PostgreSQL finds an error. */
        FINDS_NO_ERROR
    }

    private static Tolerance refused(String clause, String message) {
        return new Tolerance(clause, Manner.REFUSES, Pattern.compile(""), message);
    }

    private static Tolerance typed(String clause, String statement) {
        return new Tolerance(clause, Manner.HAS_OTHER_TYPES, Pattern.compile(statement), "");
    }

    /** The one that covers that the columns of Fulmar's rows have other types. */
    static Optional<Tolerance> ofTypes(String statement) {
        return of(Manner.HAS_OTHER_TYPES, statement).findFirst();
    }

    /** The one that covers what Fulmar refused with this message. */
    static Optional<Tolerance> ofRefusal(String statement, String message) {
        return of(Manner.REFUSES, statement)
                .filter(each -> message.contains(each.message))
                .findFirst();
    }

    /** The one that covers that Fulmar answered otherwise. */
    static Optional<Tolerance> ofAnswer(String statement) {
        return of(Manner.ANSWERS_OTHERWISE, statement).findFirst();
    }

    /** The one that covers that Fulmar's rows are PostgreSQL's in another order. */
    static Optional<Tolerance> ofOrder(String statement) {
        return of(Manner.ORDERS_OTHERWISE, statement).findFirst();
    }

    /** The one that covers that Fulmar answered where PostgreSQL found an error in the data. */
    static Optional<Tolerance> ofMissingError(String statement) {
        return of(Manner.FINDS_NO_ERROR, statement).findFirst();
    }

    private static Stream<Tolerance> of(Manner manner, String statement) {
        return ALL.stream()
                .filter(each -> each.manner == manner)
                .filter(each -> each.statement.matcher(statement).find());
    }
}
