package dev.fulmar.engine.catalog;

import dev.fulmar.foundation.data.ColumnType;
import java.util.Optional;

/**
 * A key of an index: a column of the table, or a value that is computed from the row.
 *
 * @param column position in the table; {@link #COMPUTED} if there is an expression
 */
public record IndexColumn(int column, boolean descending, Optional<KeyExpression> expression) {
    /** The position of no column. */
    public static final int COMPUTED = -1;

    public IndexColumn {
        if ((column == COMPUTED) != expression.isPresent()) {
            throw new IllegalArgumentException("a key is a column or an expression");
        }
    }

    /** A column of the table. */
    public IndexColumn(int column, boolean descending) {
        this(column, descending, Optional.empty());
    }

    /** A computed key. */
    public IndexColumn(KeyExpression expression, boolean descending) {
        this(COMPUTED, descending, Optional.of(expression));
    }

    public boolean isComputed() {
        return column == COMPUTED;
    }

    /** The type of its values in the table. */
    public ColumnType type(Table table) {
        return expression
                .map(computed -> computed.expression().type())
                .orElseGet(() -> table.columns().get(column).type());
    }

    /** Whether it can be null in the table; what is computed may be. */
    public boolean nullable(Table table) {
        return isComputed() || table.columns().get(column).nullable();
    }

    /** The column's name, or the expression as it was written. */
    public String text(Table table) {
        return expression
                .map(KeyExpression::text)
                .orElseGet(() -> table.columns().get(column).name());
    }

    /** The same of a table without a column that it does not use. */
    public IndexColumn withoutColumn(int removed) {
        return expression
                .map(computed -> new IndexColumn(computed.withoutColumn(removed), descending))
                .orElseGet(() -> new IndexColumn(column > removed ? column - 1 : column, descending));
    }
}
