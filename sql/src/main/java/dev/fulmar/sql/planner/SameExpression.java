package dev.fulmar.sql.planner;

import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.plan.ScalarFunction;
import java.util.List;
import java.util.Objects;

/**
 * Whether two expressions mean the same: the same words, where the order of what is added, multiplied or compared for
 * equality does not matter.
 */
final class SameExpression {
    private SameExpression() {}

    /** Whether both mean the same; what is known of nulls may differ with the statement. */
    static boolean of(Expression one, Expression other) {
        return switch (one) {
            case Expression.Call call ->
                other instanceof Expression.Call its
                        && call.function() == its.function()
                        && call.type().equals(its.type())
                        && call.arguments().size() == its.arguments().size()
                        && (areSame(call.arguments(), its.arguments())
                                || (isCommutative(call)
                                        && areSame(
                                                call.arguments(),
                                                its.arguments().reversed())));
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

    private static boolean isCommutative(Expression.Call call) {
        ScalarFunction function = call.function();
        return call.arguments().size() == 2
                && (function == ScalarFunction.PLUS
                        || function == ScalarFunction.TIMES
                        || function == ScalarFunction.EQUAL);
    }

    private static boolean areSame(List<Expression> some, List<Expression> others) {
        for (int i = 0; i < some.size(); i++) {
            if (!of(some.get(i), others.get(i))) {
                return false;
            }
        }
        return true;
    }
}
