package dev.fulmar.sql.estimate;

import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.plan.ScalarFunction;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Estimates the share of the rows that meets a condition. Where nothing is known of the values, the usual guesses
 * apply.
 */
final class Selectivity {
    static final double RANGE = 1.0 / 3;
    private static final double EQUAL = 0.005;
    private static final double LIKE = 0.1;
    private static final double NULL = 0.05;
    private static final double ANY = 0.5;

    /** The number of values that an expression has; 0 if that is not known. */
    private final ToDoubleFunction<Expression> values;

    Selectivity(ToDoubleFunction<Expression> values) {
        this.values = values;
    }

    double of(@Nullable Expression condition) {
        return switch (condition) {
            case null -> 1;
            case Expression.Literal literal -> Boolean.TRUE.equals(literal.value()) ? 1 : 0;
            case Expression.Call call -> Math.clamp(ofCall(call), 0, 1);
            case Expression.ColumnReference _, Expression.OuterReference _, Expression.Parameter _ -> ANY;
        };
    }

    private double ofCall(Expression.Call call) {
        List<Expression> arguments = call.arguments();
        return switch (call.function()) {
            case AND -> arguments.stream().mapToDouble(this::of).reduce(1, (a, b) -> a * b);
            case OR -> 1 - arguments.stream().mapToDouble(each -> 1 - of(each)).reduce(1, (a, b) -> a * b);
            case NOT, IS_NOT_TRUE, IS_FALSE -> 1 - of(arguments.getFirst());
            case IS_TRUE, IS_NOT_FALSE -> of(arguments.getFirst());
            case EQUAL, IS_NOT_DISTINCT_FROM -> equal(call);
            case NOT_EQUAL -> 1 - equal(call);
            case IN -> (arguments.size() - 1) * equal(call);
            case LESS, LESS_OR_EQUAL, GREATER, GREATER_OR_EQUAL -> RANGE;
            case LIKE -> LIKE;
            case IS_NULL -> NULL;
            case IS_NOT_NULL -> 1 - NULL;
            default -> ANY;
        };
    }

    private double equal(Expression.Call call) {
        double most = 0;
        int sides = call.function() == ScalarFunction.IN ? 1 : 2;
        for (Expression side : call.arguments().subList(0, sides)) {
            most = Math.max(most, values.applyAsDouble(side));
        }
        return most == 0 ? EQUAL : 1 / most;
    }
}
