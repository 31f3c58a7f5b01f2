package dev.fulmar.sql.planner;

import dev.fulmar.engine.catalog.Index;
import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.plan.ScalarFunction;
import dev.fulmar.sql.expression.Expressions;
import java.util.List;

/** Tests whether a query's conditions imply the condition of a partial index, so that the planner may use the index. */
final class PartialIndexes {
    private PartialIndexes() {}

    /** Whether the index has all rows that meet the conditions: they say, among others, each part of its condition. */
    static boolean hasAll(Index index, List<Expression> conditions, int base) {
        return index.condition().isEmpty()
                || Expressions.conjuncts(index.condition().get().condition()).stream()
                        .map(part -> Expressions.renumber(part, column -> column + base))
                        .allMatch(part -> conditions.stream().anyMatch(condition -> implies(condition, part)));
    }

    private static boolean implies(Expression condition, Expression part) {
        return SameExpression.of(condition, part)
                || (part instanceof Expression.Call call
                        && call.function() == ScalarFunction.IS_NOT_NULL
                        && condition instanceof Expression.Call comparison
                        && isComparison(comparison.function())
                        && comparison.arguments().stream()
                                .anyMatch(argument -> SameExpression.of(
                                        argument, call.arguments().getFirst())));
    }

    /** Whether the function is never true of a null. */
    private static boolean isComparison(ScalarFunction function) {
        return function == ScalarFunction.EQUAL
                || function == ScalarFunction.LESS
                || function == ScalarFunction.LESS_OR_EQUAL
                || function == ScalarFunction.GREATER
                || function == ScalarFunction.GREATER_OR_EQUAL;
    }
}
