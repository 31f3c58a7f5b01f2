package dev.fulmar.engine.catalog;

import dev.fulmar.engine.plan.Expression;

/**
 * A key of an index that is computed from the row.
 *
 * @param text of the expression, as its author wrote it
 * @param expression over the table's columns by position, of which it reads at least one; what it yields follows from
 *     the row alone
 */
public record KeyExpression(String text, Expression expression) {
    /** Whether it reads the column. */
    public boolean reads(int column) {
        return Check.reads(expression, column);
    }

    /** The same of a table without a column that it does not read. */
    KeyExpression withoutColumn(int column) {
        return new KeyExpression(text, Check.withoutColumn(expression, column));
    }
}
