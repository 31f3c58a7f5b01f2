package dev.fulmar.benchmarks.sqlcheck;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A difference from PostgreSQL, or a refusal, that docs/SQL.md states. Nothing else is let pass, and each that passes is counted under its clause.
 *
 * @param clause the name of a difference in that list of docs/SQL.md, where a test looks for it
 * @param statement what the statement contains
 * @param message what Fulmar's refusal contains; empty for a statement that both answer, each in its way
 */
record Tolerance(String clause, Pattern statement, String message) {
    /** All there are. */
    static final List<Tolerance> ALL = List.of(
            refused("Changes need a primary key", "needs a primary key, by which the rows are found again"),
            refused("RETURNING has no subqueries", "RETURNING computes from the columns of the row that is changed"));

    private static Tolerance refused(String clause, String message) {
        return new Tolerance(clause, Pattern.compile(""), message);
    }

    /** The one that covers what Fulmar refused with this message. */
    static Optional<Tolerance> ofRefusal(String statement, String message) {
        return ALL.stream()
                .filter(each -> !each.message.isEmpty() && message.contains(each.message))
                .filter(each -> each.statement.matcher(statement).find())
                .findFirst();
    }

    /** The one that covers that Fulmar answered otherwise. */
    static Optional<Tolerance> ofAnswer(String statement) {
        return ALL.stream()
                .filter(each -> each.message.isEmpty())
                .filter(each -> each.statement.matcher(statement).find())
                .findFirst();
    }
}
