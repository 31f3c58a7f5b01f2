package dev.fulmar.engine.catalog;

import dev.fulmar.engine.plan.Expression;

/**
 * The expression by which the value of a generated column follows from the row's other columns.
 *
 * @param text of the expression with its parentheses, as its author wrote it
 * @param value over the table's columns by position, none of which is generated; it follows from the row alone
 */
public record Generation(String text, Expression value) {
    /** Whether the value is computed from the column. */
    public boolean reads(int column) {
        return Check.reads(value, column);
    }

    /** The text without its parentheses. */
    public String bareText() {
        return text.substring(1, text.length() - 1).strip();
    }

    /** The same in a table without a column that the value is not computed from. */
    Generation withoutColumn(int column) {
        return new Generation(text, Check.withoutColumn(value, column));
    }
}
