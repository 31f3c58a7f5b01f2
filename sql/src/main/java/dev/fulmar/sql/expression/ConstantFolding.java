package dev.fulmar.sql.expression;

import dev.fulmar.engine.plan.Expression;
import dev.fulmar.foundation.data.InfiniteTime;
import java.util.List;

/** Computes integer arithmetic on literals while planning, so that {@code w = 1 + 1} still names its partition. */
final class ConstantFolding {
    private ConstantFolding() {}

    /** The literal that the call amounts to, or the call. */
    static Expression fold(Expression.Call call) {
        List<Expression> arguments = call.arguments();
        if (!call.type().kind().isInteger() || !arguments.stream().allMatch(ConstantFolding::isInteger)) {
            return call;
        }
        long left = integer(arguments.getFirst());
        try {
            long value = switch (call.function()) {
                case NEGATE -> Math.negateExact(left);
                case PLUS -> Math.addExact(left, integer(arguments.get(1)));
                case MINUS -> Math.subtractExact(left, integer(arguments.get(1)));
                case TIMES -> Math.multiplyExact(left, integer(arguments.get(1)));
                case DIVIDE -> Math.divideExact(left, integer(arguments.get(1)));
                default -> throw new ArithmeticException("left to the engine");
            };
            Expression.Literal literal = new Expression.Literal(Expressions.BIGINT, value);
            return LiteralConversion.isExact(literal, call.type()) ? new Expression.Literal(call.type(), value) : call;
        } catch (ArithmeticException e) {
            return call;
        }
    }

    private static boolean isInteger(Expression expression) {
        return expression instanceof Expression.Literal literal
                && literal.value() instanceof Long value
                && !InfiniteTime.is(value, literal.type().kind());
    }

    private static long integer(Expression expression) {
        return expression instanceof Expression.Literal literal && literal.value() instanceof Long value ? value : 0;
    }
}
