package dev.fulmar.engine.execution.expression;

import dev.fulmar.engine.numeric.NumericFunctions;
import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.plan.Expression.Call;
import dev.fulmar.foundation.data.TypeKind;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Calls that yield a NUMERIC, or that only numerics have. */
final class NumericCalls {
    private NumericCalls() {}

    /** Whether the call is computed with numerics. */
    static boolean isOne(Call call) {
        boolean isOfNumerics = call.type().kind() == TypeKind.NUMERIC;
        return switch (call.function()) {
            case PLUS, MINUS, TIMES, DIVIDE, MODULO, NEGATE, ABS, SIGN, ROUND, TRUNCATE, FLOOR, CEIL -> isOfNumerics;
            case SQRT, POWER, EXP, LN, LOG10, GCD, LCM, FACTORIAL, DIV -> isOfNumerics;
            case LOG, SCALE, MIN_SCALE, TRIM_SCALE, WIDTH_BUCKET, WIDTH_BUCKET_BY_TYPE -> true;
            default -> false;
        };
    }

    static Evaluator compile(Call call, List<Evaluator> arguments) {
        Function<Object[], @Nullable Object> function = NumericFunctions.of(call.function());
        return ComputedValues.compile(
                function::apply,
                arguments,
                call.arguments().stream().map(Expression::type).toList(),
                call.type());
    }
}
