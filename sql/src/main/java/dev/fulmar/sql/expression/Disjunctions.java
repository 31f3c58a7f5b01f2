package dev.fulmar.sql.expression;

import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.plan.ScalarFunction;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Makes OR of conditions, and {@code a IN (x, y)} of {@code a = x OR a = y}. */
final class Disjunctions {
    private Disjunctions() {}

    static Expression of(List<Expression> operands) {
        List<Expression> flat = new ArrayList<>();
        operands.forEach(operand -> flatten(operand, flat));
        Map<Expression, List<Expression>> values = new LinkedHashMap<>();
        List<Expression> others = new ArrayList<>();
        for (Expression condition : flat) {
            if (isEqualityWithConstant(condition)) {
                List<Expression> sides = ((Expression.Call) condition).arguments();
                values.computeIfAbsent(sides.getFirst(), key -> new ArrayList<>())
                        .add(sides.get(1));
            } else {
                others.add(condition);
            }
        }
        List<Expression> terms = new ArrayList<>();
        values.forEach((key, list) -> terms.add(in(key, list)));
        terms.addAll(others);
        return terms.size() == 1
                ? terms.getFirst()
                : new Expression.Call(
                        ScalarFunction.OR,
                        terms,
                        Expressions.BOOLEAN,
                        terms.stream().anyMatch(Expression::nullable));
    }

    private static void flatten(Expression condition, List<Expression> flat) {
        if (condition instanceof Expression.Call call && call.function() == ScalarFunction.OR) {
            call.arguments().forEach(argument -> flatten(argument, flat));
        } else if (!flat.contains(condition)) {
            flat.add(condition);
        }
    }

    private static boolean isEqualityWithConstant(Expression condition) {
        return condition instanceof Expression.Call call
                && call.function() == ScalarFunction.EQUAL
                && !Expressions.isConstant(call.arguments().getFirst())
                && Expressions.isConstant(call.arguments().get(1));
    }

    private static Expression in(Expression key, List<Expression> values) {
        List<Expression> arguments = new ArrayList<>(values.size() + 1);
        arguments.add(key);
        arguments.addAll(values);
        return new Expression.Call(
                values.size() == 1 ? ScalarFunction.EQUAL : ScalarFunction.IN,
                arguments,
                Expressions.BOOLEAN,
                arguments.stream().anyMatch(Expression::nullable));
    }
}
