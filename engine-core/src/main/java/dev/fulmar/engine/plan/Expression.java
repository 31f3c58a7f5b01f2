package dev.fulmar.engine.plan;

import dev.fulmar.foundation.data.ColumnType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A typed scalar expression. */
public sealed interface Expression {
    ColumnType type();

    /** Whether the value can be null. */
    boolean nullable();

    /** A column of the input row. */
    record ColumnReference(int index, ColumnType type, boolean nullable) implements Expression {}

    /**
     * On the right of a {@link Relation.Apply}, a column of its left row.
     *
     * @param row the number of that Apply
     */
    record OuterReference(int row, int column, ColumnType type, boolean nullable) implements Expression {}

    /** A parameter of the statement, from 0. */
    record Parameter(int index, ColumnType type) implements Expression {
        @Override
        public boolean nullable() {
            return true;
        }
    }

    /**
     * A constant: Boolean, Long (integers, dates, times, timestamps as in {@link ColumnType}), Double, BigDecimal (of
     * the type's scale), String, byte[], UUID, Interval, Numeric or null.
     */
    record Literal(ColumnType type, @Nullable Object value) implements Expression {
        @Override
        public boolean nullable() {
            return value == null;
        }
    }

    /** A function or operator over arguments. */
    record Call(ScalarFunction function, List<Expression> arguments, ColumnType type, boolean nullable)
            implements Expression {
        public Call {
            arguments = List.copyOf(arguments);
        }
    }
}
