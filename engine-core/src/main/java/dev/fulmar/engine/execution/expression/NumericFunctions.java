package dev.fulmar.engine.execution.expression;

import dev.fulmar.engine.execution.value.Decimals;
import dev.fulmar.engine.execution.value.ValueRange;
import dev.fulmar.engine.plan.ScalarFunction;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.function.DoubleUnaryOperator;
import org.jspecify.annotations.Nullable;

/** Functions on numbers. */
final class NumericFunctions {
    private NumericFunctions() {}

    static Evaluator abs(Evaluator value, ColumnType valueType, ColumnType type) {
        if (value instanceof DoubleEvaluator number) {
            return (DoubleEvaluator) frame -> Math.abs(number.evaluate(frame));
        }
        Evaluator negated = Arithmetic.negate(value, valueType, valueType);
        if (value instanceof LongEvaluator number && negated instanceof LongEvaluator opposite) {
            LongEvaluator absolute = frame -> {
                long x = number.evaluate(frame);
                return x < 0 && !frame.isNull ? opposite.evaluate(frame) : x;
            };
            return Casts.compile(absolute, valueType, type);
        }
        WideEvaluator wide = ExactNumbers.toWide(value);
        WideEvaluator absolute = frame -> {
            wide.evaluate(frame);
            if (!frame.isNull && frame.wide.high() < 0) {
                frame.wide.negate();
            }
        };
        return Casts.compile(absolute, valueType, type);
    }

    static Evaluator sign(Evaluator value, ColumnType valueType, ColumnType type) {
        LongEvaluator sign = switch (value) {
            case DoubleEvaluator number -> frame -> (long) Math.signum(number.evaluate(frame));
            case LongEvaluator number -> frame -> Long.signum(number.evaluate(frame));
            case WideEvaluator number ->
                frame -> {
                    number.evaluate(frame);
                    return frame.wide.high() < 0 ? -1 : (frame.wide.high() | frame.wide.low()) == 0 ? 0 : 1;
                };
            case BytesEvaluator text -> throw notANumber(ScalarFunction.SIGN, valueType);
        };
        return Casts.compile(sign, ColumnType.of(TypeKind.BIGINT), type);
    }

    /** ROUND, TRUNCATE, FLOOR and CEIL; the digits may be negative. */
    static Evaluator round(
            ScalarFunction function,
            Evaluator value,
            ColumnType valueType,
            @Nullable LongEvaluator digits,
            ColumnType type) {
        RoundingMode mode = switch (function) {
            case ROUND -> RoundingMode.HALF_UP;
            case TRUNCATE -> RoundingMode.DOWN;
            case FLOOR -> RoundingMode.FLOOR;
            case CEIL -> RoundingMode.CEILING;
            default -> throw Invariants.breach(function + " rounds");
        };
        if (value instanceof DoubleEvaluator number) {
            return Casts.compile(roundDouble(mode, number, digits), valueType, type);
        }
        if (!ExactNumbers.isExact(valueType)) {
            throw notANumber(function, valueType);
        }
        if (valueType.scale() == 0 && digits == null) {
            return Casts.compile(value, valueType, type);
        }
        // The result may have one digit more than the value had: 9.9 rounds to 10.
        ColumnType exact = ColumnType.decimal(ColumnType.MAX_DECIMAL_DIGITS, valueType.scale());
        return Casts.compile(roundExact(mode, ExactNumbers.toWide(value), valueType.scale(), digits), exact, type);
    }

    private static DoubleEvaluator roundDouble(
            RoundingMode mode, DoubleEvaluator value, @Nullable LongEvaluator digits) {
        return frame -> {
            double x = value.evaluate(frame);
            if (frame.isNull) {
                return 0;
            }
            long places = digits == null ? 0 : digits.evaluate(frame);
            if (frame.isNull || !Double.isFinite(x) || places > 320) {
                return x;
            }
            int bounded = (int) Math.max(places, -320);
            return BigDecimal.valueOf(x).setScale(bounded, mode).doubleValue();
        };
    }

    private static WideEvaluator roundExact(
            RoundingMode mode, WideEvaluator value, int scale, @Nullable LongEvaluator digits) {
        return frame -> {
            long places = digits == null ? 0 : digits.evaluate(frame);
            if (digits != null && frame.isNull) {
                return;
            }
            value.evaluate(frame);
            if (frame.isNull || places >= scale) {
                return;
            }
            long dropped = scale - Math.max(places, -ColumnType.MAX_DECIMAL_DIGITS - 1L);
            BigInteger unit = Decimals.bigPower((int) dropped);
            BigInteger rounded = new BigDecimal(frame.wide.toBigInteger())
                    .divide(new BigDecimal(unit), 0, mode)
                    .toBigInteger();
            frame.wide.set(rounded.multiply(unit));
        };
    }

    static DoubleEvaluator ofDouble(ScalarFunction function, DoubleEvaluator value, ColumnType type) {
        DoubleUnaryOperator operator = switch (function) {
            case SQRT -> Math::sqrt;
            // StrictMath: the same bits on every machine, so that copies agree.
            case EXP -> StrictMath::exp;
            case LN -> StrictMath::log;
            case LOG10 -> StrictMath::log10;
            case SIN -> StrictMath::sin;
            case COS -> StrictMath::cos;
            case TAN -> StrictMath::tan;
            case COT -> x -> 1 / StrictMath.tan(x);
            case ASIN -> StrictMath::asin;
            case ACOS -> StrictMath::acos;
            case ATAN -> StrictMath::atan;
            case DEGREES -> Math::toDegrees;
            case RADIANS -> Math::toRadians;
            case CBRT -> StrictMath::cbrt;
            case ROUND_EVEN -> Math::rint;
            default -> throw Invariants.breach(function + " takes a floating-point number");
        };
        return frame -> {
            double x = value.evaluate(frame);
            return frame.isNull ? 0 : defined(function, operator.applyAsDouble(x), Double.isFinite(x), type);
        };
    }

    static DoubleEvaluator angle(DoubleEvaluator ordinate, DoubleEvaluator abscissa) {
        return frame -> {
            double y = ordinate.evaluate(frame);
            if (frame.isNull) {
                return 0;
            }
            double x = abscissa.evaluate(frame);
            return frame.isNull ? 0 : StrictMath.atan2(y, x);
        };
    }

    static DoubleEvaluator power(DoubleEvaluator base, DoubleEvaluator exponent, ColumnType type) {
        return frame -> {
            double x = base.evaluate(frame);
            if (frame.isNull) {
                return 0;
            }
            double y = exponent.evaluate(frame);
            return frame.isNull
                    ? 0
                    : defined(
                            ScalarFunction.POWER, StrictMath.pow(x, y), Double.isFinite(x) && Double.isFinite(y), type);
        };
    }

    private static double defined(ScalarFunction function, double result, boolean expected, ColumnType type) {
        if (expected && !Double.isFinite(result)) {
            throw ValueRange.outOfRange("the result of " + function + " is not defined or", type);
        }
        return result;
    }

    static FulmarException notANumber(ScalarFunction function, ColumnType type) {
        return new FulmarException(
                ErrorCode.TYPE_MISMATCH, function + " takes a number, not a " + type + "; CAST it to a number");
    }
}
