package dev.fulmar.engine.catalog;

import dev.fulmar.engine.plan.Expression;

/**
 * A CHECK constraint: its condition is true or null for every row of a table.
 *
 * @param name unique among the table's constraints
 * @param text of the condition, as its author wrote it
 * @param condition over the table's columns by position; what it yields follows from the row alone
 */
public record Check(String name, String text, Expression condition) {
    /** Whether the condition reads the column. */
    public boolean reads(int column) {
        return reads(condition, column);
    }

    /** The same of a table without a column that the condition does not read. */
    public Check withoutColumn(int column) {
        return new Check(name, text, withoutColumn(condition, column));
    }

    static Expression withoutColumn(Expression expression, int column) {
        return switch (expression) {
            case Expression.ColumnReference reference ->
                reference.index() > column
                        ? new Expression.ColumnReference(reference.index() - 1, reference.type(), reference.nullable())
                        : reference;
            case Expression.Call call ->
                new Expression.Call(
                        call.function(),
                        call.arguments().stream()
                                .map(argument -> withoutColumn(argument, column))
                                .toList(),
                        call.type(),
                        call.nullable());
            case Expression.Literal literal -> literal;
            case Expression.OuterReference outer -> outer;
            case Expression.Parameter parameter -> parameter;
        };
    }

    static boolean reads(Expression expression, int column) {
        return switch (expression) {
            case Expression.ColumnReference reference -> reference.index() == column;
            case Expression.Call call -> call.arguments().stream().anyMatch(argument -> reads(argument, column));
            case Expression.Literal literal -> false;
            case Expression.OuterReference outer -> false;
            case Expression.Parameter parameter -> false;
        };
    }
}
