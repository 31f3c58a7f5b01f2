package dev.fulmar.sql.planner;

import dev.fulmar.engine.catalog.Index;
import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.plan.ScalarFunction;
import dev.fulmar.sql.expression.Expressions;
import java.util.List;
import java.util.Objects;

/** Which rows a partial index has. */
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
        return isSame(condition, part)
                || (part instanceof Expression.Call call
                        && call.function() == ScalarFunction.IS_NOT_NULL
                        && condition instanceof Expression.Call comparison
                        && isComparison(comparison.function())
                        && comparison.arguments().stream()
                                .anyMatch(argument ->
                                        isSame(argument, call.arguments().getFirst())));
    }

    /** What is not true of a null. */
    private static boolean isComparison(ScalarFunction function) {
        return function == ScalarFunction.EQUAL
                || function == ScalarFunction.LESS
                || function == ScalarFunction.LESS_OR_EQUAL
                || function == ScalarFunction.GREATER
                || function == ScalarFunction.GREATER_OR_EQUAL;
    }

    /** Whether both mean the same; what is known of nulls may differ with the statement. */
    private static boolean isSame(Expression one, Expression other) {
        return switch (one) {
            case Expression.Call call ->
                other instanceof Expression.Call its
                        && call.function() == its.function()
                        && call.type().equals(its.type())
                        && call.arguments().size() == its.arguments().size()
                        && areSame(call.arguments(), its.arguments());
            case Expression.ColumnReference reference ->
                other instanceof Expression.ColumnReference its && reference.index() == its.index();
            case Expression.Literal literal ->
                other instanceof Expression.Literal its
                        && literal.type().kind() == its.type().kind()
                        && Objects.equals(literal.value(), its.value());
            case Expression.OuterReference outer -> false;
            case Expression.Parameter parameter -> false;
        };
    }

    private static boolean areSame(List<Expression> some, List<Expression> others) {
        for (int i = 0; i < some.size(); i++) {
            if (!isSame(some.get(i), others.get(i))) {
                return false;
            }
        }
        return true;
    }
}
