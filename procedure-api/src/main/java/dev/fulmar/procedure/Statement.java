package dev.fulmar.procedure;

import java.util.Objects;

/**
 * A SQL statement of a procedure, compiled when the procedure is loaded. Declared as a {@code static final} field;
 * identity is the object's own. Immutable.
 */
public final class Statement {
    private final String sql;
    private final Expectation expectation;

    private Statement(String sql, Expectation expectation) {
        this.sql = Objects.requireNonNull(sql, "sql");
        this.expectation = Objects.requireNonNull(expectation, "expectation");
    }

    /** A statement with {@code ?} for each parameter. */
    public static Statement of(String sql) {
        return new Statement(sql, Expectation.ANY);
    }

    /** The same statement; the transaction is rolled back when its result breaks the expectation. */
    public Statement expecting(Expectation newExpectation) {
        return new Statement(sql, newExpectation);
    }

    public String sql() {
        return sql;
    }

    public Expectation expectation() {
        return expectation;
    }

    @Override
    public String toString() {
        return sql;
    }
}
