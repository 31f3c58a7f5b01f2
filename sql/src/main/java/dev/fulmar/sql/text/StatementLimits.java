package dev.fulmar.sql.text;

/**
 * What a statement may be at most. A parser and a planner recurse over what they read, so the limits keep their stack and their time
 * bounded.
 *
 * @param characters length of the text
 * @param tokens words, numbers, names and symbols
 * @param nesting open parentheses and CASEs, and prefix operators in a row
 * @param chain operators of one statement, because {@code a + b + c} nests as deep as it is long
 * @param listItems items of one list, as in {@code IN (...)}
 */
public record StatementLimits(int characters, int tokens, int nesting, int chain, int listItems) {
    /** Fits a default thread stack with a wide margin. */
    public static final StatementLimits DEFAULT = new StatementLimits(1 << 20, 50_000, 64, 1_500, 1_000);
}
