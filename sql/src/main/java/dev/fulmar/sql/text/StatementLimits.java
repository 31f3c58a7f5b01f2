package dev.fulmar.sql.text;

/**
 * The limits of a statement. A parser and a planner recurse over what they read, and some of their work grows faster
 * than the statement; the limits keep stack and time bounded.
 *
 * @param characters length of the text
 * @param tokens words, numbers, names and symbols; enough for rows of as many parameters as a request has
 * @param depth levels of parentheses and CASEs
 * @param operators levels of operators in a row, for {@code a + b + c} nests as deep as it is long
 * @param conditions ANDs and ORs
 * @param listItems items of one list, as in {@code IN (...)}
 * @param tables tables joined, and queries put together by UNION and the like
 * @param columns columns of a result: items of a list after SELECT or RETURNING; as many as in PostgreSQL
 * @param joinedColumns columns of a row of joined tables
 * @param tableColumns columns of a table, and so of what an INSERT names or gives
 * @param digits characters of a number, for the time to read one grows with the square of its digits
 */
public record StatementLimits(
        int characters,
        int tokens,
        int depth,
        int operators,
        int conditions,
        int listItems,
        int tables,
        int columns,
        int joinedColumns,
        int tableColumns,
        int digits) {
    /** Fits a thread's usual stack with a wide margin. */
    public static final StatementLimits DEFAULT =
            new StatementLimits(1 << 20, 150_000, 100, 300, 1_500, 1_000, 64, 1_664, 2_048, 1_024, 1_000);
}
