package dev.fulmar.engine.numeric;

import dev.fulmar.engine.plan.ScalarFunction;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.data.Numeric;
import java.math.BigDecimal;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The functions that yield a NUMERIC, or take one, by what plans call them. */
public final class NumericFunctions {
    private NumericFunctions() {}

    /**
     * The function of arguments none of which is null, each a Long, a Double, a BigDecimal or a {@link Numeric}. It
     * yields a {@link Numeric} or a Long, or null.
     */
    public static Function<Object[], @Nullable Object> of(ScalarFunction function) {
        return switch (function) {
            case PLUS -> in -> NumericArithmetic.add(value(in, 0), value(in, 1));
            case MINUS -> in -> NumericArithmetic.subtract(value(in, 0), value(in, 1));
            case TIMES -> in -> NumericArithmetic.multiply(value(in, 0), value(in, 1));
            case DIVIDE -> in -> NumericArithmetic.divide(value(in, 0), value(in, 1));
            case MODULO -> in -> NumericArithmetic.remainder(value(in, 0), value(in, 1));
            case DIV -> in -> NumericArithmetic.divideWhole(value(in, 0), value(in, 1));
            case NEGATE -> in -> NumericArithmetic.negate(value(in, 0));
            case ABS -> in -> NumericArithmetic.abs(value(in, 0));
            case SIGN -> in -> NumericArithmetic.sign(value(in, 0));
            case ROUND -> in -> NumericArithmetic.round(value(in, 0), digits(in));
            case TRUNCATE -> in -> NumericArithmetic.truncate(value(in, 0), digits(in));
            case FLOOR -> in -> NumericArithmetic.floor(value(in, 0));
            case CEIL -> in -> NumericArithmetic.ceil(value(in, 0));
            case SQRT -> in -> NumericPowers.root(value(in, 0));
            case EXP -> in -> NumericPowers.exp(value(in, 0));
            case LN -> in -> NumericPowers.ln(value(in, 0));
            case LOG10 -> in -> NumericPowers.log(Numeric.of(BigDecimal.TEN), value(in, 0));
            case LOG -> in -> NumericPowers.log(value(in, 0), value(in, 1));
            case POWER -> in -> NumericPowers.power(value(in, 0), value(in, 1));
            default -> more(function);
        };
    }

    private static Function<Object[], @Nullable Object> more(ScalarFunction function) {
        return switch (function) {
            case GCD -> in -> NumericArithmetic.greatestDivisor(value(in, 0), value(in, 1));
            case LCM -> in -> NumericArithmetic.leastMultiple(value(in, 0), value(in, 1));
            case FACTORIAL -> in -> NumericArithmetic.factorial((Long) in[0]);
            case SCALE -> in -> ofNumber(value(in, 0), value -> (long) value.scale());
            case MIN_SCALE -> in -> ofNumber(value(in, 0), value -> (long) NumericArithmetic.leastScale(value));
            case TRIM_SCALE -> in -> NumericArithmetic.trimmed(value(in, 0));
            case WIDTH_BUCKET ->
                in -> NumericArithmetic.bucket(value(in, 0), value(in, 1), value(in, 2), NumericBuckets.count(in[3]));
            case WIDTH_BUCKET_BY_TYPE -> NumericBuckets::byType;
            default -> throw Invariants.breach(function + " is a function of numerics");
        };
    }

    private static @Nullable Long ofNumber(Numeric value, Function<Numeric, Long> function) {
        return value.isNumber() ? function.apply(value) : null;
    }

    private static long digits(Object[] arguments) {
        return arguments.length > 1 ? value(arguments, 1).number().longValue() : 0;
    }

    private static Numeric value(Object[] arguments, int place) {
        return value(arguments[place]);
    }

    /** The number of any class as a value. */
    public static Numeric value(Object number) {
        return switch (number) {
            case Numeric value -> value;
            case Long value -> Numeric.of(value);
            case BigDecimal value -> Numeric.of(value);
            case Double value -> Numeric.of(value, Numeric.DOUBLE_DIGITS);
            default -> throw Invariants.breach("a number is no " + number.getClass());
        };
    }
}
