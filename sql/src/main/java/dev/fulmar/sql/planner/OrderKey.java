package dev.fulmar.sql.planner;

import dev.fulmar.engine.catalog.IndexColumn;
import dev.fulmar.engine.plan.Expression;
import dev.fulmar.sql.expression.Expressions;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/**
 * A wanted order: of an output column, or of a value computed from some.
 *
 * @param column position, or {@link IndexColumn#COMPUTED}
 * @param computed over the output columns
 */
record OrderKey(int column, Optional<Expression> computed, boolean descending, boolean nullsFirst) {
    OrderKey(int column, boolean descending, boolean nullsFirst) {
        this(column, Optional.empty(), descending, nullsFirst);
    }

    /** The columns that it needs. */
    BitSet columns() {
        BitSet columns = new BitSet();
        computed.ifPresentOrElse(expression -> columns.or(Expressions.columns(expression)), () -> columns.set(column));
        return columns;
    }

    /** The same, of the columns that the positions give for these. */
    OrderKey renumbered(java.util.function.IntUnaryOperator positions) {
        return computed.map(expression -> ofComputed(Expressions.renumber(expression, positions)))
                .orElseGet(() -> new OrderKey(positions.applyAsInt(column), descending, nullsFirst));
    }

    /**
     * The same, where the columns are what the expressions make of others; empty if that is no order that an index may
     * have.
     */
    Optional<OrderKey> through(List<Expression> expressions) {
        Expression made = computed.map(expression ->
                        Expressions.mapColumns(expression, reference -> expressions.get(reference.index())))
                .orElseGet(() -> expressions.get(column));
        if (made instanceof Expression.ColumnReference reference) {
            return Optional.of(new OrderKey(reference.index(), descending, nullsFirst));
        }
        return Expressions.isConstant(made) ? Optional.empty() : Optional.of(ofComputed(made));
    }

    private OrderKey ofComputed(Expression expression) {
        return new OrderKey(IndexColumn.COMPUTED, Optional.of(expression), descending, nullsFirst);
    }

    /** Whether it is the order of the key. */
    boolean isOf(IndexColumn key) {
        return key.expression()
                .map(expression -> computed.filter(own -> SameExpression.of(expression.expression(), own))
                        .isPresent())
                .orElse(column == key.column());
    }
}
