package dev.fulmar.coordinator.session;

import java.util.regex.Pattern;

/** Guesses of what a statement is, by a glance at its text. */
public final class StatementGuess {
    /** Pattern that may be the clause of a query that says what it wants of its rows. */
    private static final Pattern LOCKING =
            Pattern.compile("\\bfor\\b.*\\b(update|share)\\b", Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

    /** Pattern of a query of what a procedure yields. */
    private static final Pattern OF_PROCEDURE = Pattern.compile(
            "\\s*+select\\s*+\\*\\s*+from\\s*+(?!(?:table|lateral|unnest|values)\\b)"
                    + "(?:\"(?:[^\"]++|\"\")*+\"|[\\w$.]++)++\\s*+\\(.*+",
            Pattern.CASE_INSENSITIVE | Pattern.DOTALL | Pattern.UNICODE_CHARACTER_CLASS);

    private StatementGuess() {}

    /** Whether it looks like {@code SELECT * FROM p(...)}, which calls a procedure. */
    public static boolean readsProcedure(String sql) {
        return sql.indexOf('*') >= 0
                && sql.indexOf('(') >= 0
                && OF_PROCEDURE.matcher(sql).matches();
    }

    /**
     * Whether it may be a query that says what it wants of its rows; never false for one that does. A call of a
     * procedure says nothing: the procedure's statement, which takes its place, does.
     */
    public static boolean isLocking(String sql) {
        return hasFor(sql)
                && LOCKING.matcher(sql).find()
                && !readsProcedure(sql)
                && !sql.stripLeading().regionMatches(true, 0, "CALL", 0, "CALL".length());
    }

    /** Whether the letters of FOR are somewhere; most statements, each of which is asked, need no pattern then. */
    private static boolean hasFor(String sql) {
        int last = sql.length() - "FOR".length();
        for (int i = 0; i <= last; i++) {
            if ((sql.charAt(i) == 'f' || sql.charAt(i) == 'F')
                    && sql.regionMatches(true, i, "FOR", 0, "FOR".length())) {
                return true;
            }
        }
        return false;
    }

    /** Whether it looks like INSERT, UPDATE, UPSERT, DELETE or MERGE: such a statement seldom takes long. */
    static boolean changesRows(String sql) {
        String start = sql.stripLeading();
        return !start.isEmpty() && "IUDM".indexOf(Character.toUpperCase(start.charAt(0))) >= 0;
    }
}
