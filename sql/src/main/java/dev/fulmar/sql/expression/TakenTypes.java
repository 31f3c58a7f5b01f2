package dev.fulmar.sql.expression;

import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.plan.ScalarFunction;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.function.Predicate;

/** The check that a function which is made for texts and numbers is not given values of other types. */
final class TakenTypes {
    private TakenTypes() {}

    /**
     * The expression, unless it is a call that does not take one of its arguments.
     *
     * @param isOfType whether an argument is of the type
     * @param takes whether a function takes the type, those apart that take any
     * @param refusal behind the function's name: that it does not take the type, and what to do
     */
    static Expression checked(
            Expression expression, Predicate<Expression> isOfType, Predicate<ScalarFunction> takes, String refusal) {
        if (expression instanceof Expression.Call call
                && call.arguments().stream().anyMatch(isOfType)
                && !takesAny(call.function())
                && !takes.test(call.function())) {
            throw new FulmarException(
                    ErrorCode.UNDEFINED_OPERATION, call.function().name().replace('_', ' ') + " " + refusal);
        }
        return expression;
    }

    /** Whether the call is {@code ||} beside a text, to which a value is its text. */
    static boolean isBesideText(Expression expression) {
        return expression instanceof Expression.Call call
                && call.function() == ScalarFunction.CONCAT
                && call.arguments().stream()
                        .anyMatch(argument -> argument.type().kind().isCharacter());
    }

    private static boolean takesAny(ScalarFunction function) {
        return switch (function) {
            case EQUAL,
                    NOT_EQUAL,
                    LESS,
                    LESS_OR_EQUAL,
                    GREATER,
                    GREATER_OR_EQUAL,
                    IS_NOT_DISTINCT_FROM,
                    IN,
                    IS_NULL,
                    IS_NOT_NULL,
                    CASE,
                    CAST,
                    COALESCE,
                    NAMED -> true;
            default -> false;
        };
    }
}
