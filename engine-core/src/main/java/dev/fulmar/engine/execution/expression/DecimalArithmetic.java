package dev.fulmar.engine.execution.expression;

import dev.fulmar.engine.execution.value.Decimals;
import dev.fulmar.engine.execution.value.ValueRange;
import dev.fulmar.engine.execution.value.WideValue;
import dev.fulmar.engine.plan.ScalarFunction;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.TypeKind;
import java.math.BigInteger;

/**
 * Exact arithmetic on decimals and integers. Longs are tried first where operands and result are longs; then 128 bits,
 * then BigInteger, whose result is checked against the type's digits. A result with more fraction digits than its type
 * is rounded.
 */
final class DecimalArithmetic {
    private DecimalArithmetic() {}

    static Evaluator compile(
            ScalarFunction function,
            Evaluator left,
            ColumnType leftType,
            Evaluator right,
            ColumnType rightType,
            ColumnType type) {
        WideEvaluator wide = wide(function, left, leftType, right, rightType, type);
        if (type.storage() == TypeKind.Storage.WIDE) {
            return wide;
        }
        LongEvaluator narrowed = narrow(wide);
        if (left instanceof LongEvaluator a && right instanceof LongEvaluator b) {
            return switch (function) {
                case PLUS -> sum(a, leftType.scale(), b, rightType.scale(), type, narrowed, false);
                case MINUS -> sum(a, leftType.scale(), b, rightType.scale(), type, narrowed, true);
                case TIMES -> product(a, b, leftType.scale() + rightType.scale(), type, narrowed);
                default -> narrowed;
            };
        }
        return narrowed;
    }

    private static LongEvaluator narrow(WideEvaluator wide) {
        return frame -> {
            wide.evaluate(frame);
            return frame.wide.low();
        };
    }

    private static LongEvaluator sum(
            LongEvaluator left,
            int leftScale,
            LongEvaluator right,
            int rightScale,
            ColumnType type,
            LongEvaluator fallback,
            boolean subtract) {
        int leftShift = type.scale() - leftScale;
        int rightShift = type.scale() - rightScale;
        if (leftShift < 0 || rightShift < 0 || leftShift > 18 || rightShift > 18) {
            return fallback;
        }
        long leftFactor = Decimals.power(leftShift);
        long rightFactor = subtract ? -Decimals.power(rightShift) : Decimals.power(rightShift);
        return frame -> {
            long a = left.evaluate(frame);
            if (frame.isNull) {
                return 0;
            }
            long b = right.evaluate(frame);
            if (frame.isNull) {
                return 0;
            }
            long x = a * leftFactor;
            long y = b * rightFactor;
            long result = x + y;
            if (Math.multiplyHigh(a, leftFactor) != x >> 63
                    || Math.multiplyHigh(b, rightFactor) != y >> 63
                    || ((x ^ result) & (y ^ result)) < 0) {
                return fallback.evaluate(frame);
            }
            return checked(result, type);
        };
    }

    private static LongEvaluator product(
            LongEvaluator left, LongEvaluator right, int scale, ColumnType type, LongEvaluator fallback) {
        return frame -> {
            long a = left.evaluate(frame);
            if (frame.isNull) {
                return 0;
            }
            long b = right.evaluate(frame);
            if (frame.isNull) {
                return 0;
            }
            long result = a * b;
            if (scale != type.scale() || Math.multiplyHigh(a, b) != result >> 63) {
                return fallback.evaluate(frame);
            }
            return checked(result, type);
        };
    }

    private static long checked(long unscaled, ColumnType type) {
        if (type.kind() == TypeKind.DECIMAL) {
            return Decimals.checked(unscaled, type);
        }
        if (unscaled < ValueRange.minimum(type.kind()) || unscaled > ValueRange.maximum(type.kind())) {
            throw ValueRange.outOfRange(unscaled, type);
        }
        return unscaled;
    }

    private static WideEvaluator wide(
            ScalarFunction function,
            Evaluator left,
            ColumnType leftType,
            Evaluator right,
            ColumnType rightType,
            ColumnType type) {
        int common = Math.max(leftType.scale(), rightType.scale());
        return switch (function) {
            case PLUS, MINUS -> {
                WideEvaluator a = ExactNumbers.toWide(left, leftType.scale(), common);
                WideEvaluator b = ExactNumbers.toWide(right, rightType.scale(), common);
                yield wideSum(a, b, function == ScalarFunction.MINUS, common, type);
            }
            case MODULO -> {
                WideEvaluator a = ExactNumbers.toWide(left, leftType.scale(), common);
                WideEvaluator b = ExactNumbers.toWide(right, rightType.scale(), common);
                yield big(a, b, BigInteger::remainder, common, type);
            }
            case TIMES ->
                wideProduct(
                        ExactNumbers.toWide(left),
                        ExactNumbers.toWide(right),
                        leftType.scale() + rightType.scale(),
                        type);
            case DIVIDE ->
                quotient(
                        ExactNumbers.toWide(left),
                        leftType.scale(),
                        ExactNumbers.toWide(right),
                        rightType.scale(),
                        type);
            default -> throw Invariants.breach(function + " is an operation on two numbers");
        };
    }

    private static WideEvaluator wideSum(
            WideEvaluator left, WideEvaluator right, boolean subtract, int scale, ColumnType type) {
        return frame -> {
            left.evaluate(frame);
            if (frame.isNull) {
                return;
            }
            long high = frame.wide.high();
            long low = frame.wide.low();
            right.evaluate(frame);
            if (frame.isNull) {
                return;
            }
            WideValue result = frame.wide;
            if (subtract) {
                result.negate();
            }
            result.add(high, low);
            finish(result, scale, type);
        };
    }

    private static WideEvaluator wideProduct(WideEvaluator left, WideEvaluator right, int scale, ColumnType type) {
        return frame -> {
            left.evaluate(frame);
            if (frame.isNull) {
                return;
            }
            long high = frame.wide.high();
            long low = frame.wide.low();
            right.evaluate(frame);
            if (frame.isNull) {
                return;
            }
            WideValue result = frame.wide;
            if (high == low >> 63 && result.fitsLong()) {
                result.setProduct(low, result.low());
                finish(result, scale, type);
            } else {
                finish(WideValue.toBigInteger(high, low).multiply(result.toBigInteger()), scale, type, result);
            }
        };
    }

    /** An operation on two unscaled values. */
    @FunctionalInterface
    private interface Operation {
        BigInteger apply(BigInteger left, BigInteger right);
    }

    private static WideEvaluator big(
            WideEvaluator left, WideEvaluator right, Operation operation, int scale, ColumnType type) {
        return frame -> {
            left.evaluate(frame);
            if (frame.isNull) {
                return;
            }
            BigInteger a = frame.wide.toBigInteger();
            right.evaluate(frame);
            if (frame.isNull) {
                return;
            }
            BigInteger b = frame.wide.toBigInteger();
            if (b.signum() == 0) {
                throw Arithmetic.divisionByZero();
            }
            finish(operation.apply(a, b), scale, type, frame.wide);
        };
    }

    /** An integer result is cut off, a decimal one rounded. */
    private static WideEvaluator quotient(
            WideEvaluator left, int leftScale, WideEvaluator right, int rightScale, ColumnType type) {
        int shift = type.scale() + rightScale - leftScale;
        boolean cut = type.kind() != TypeKind.DECIMAL;
        Operation operation = (a, b) -> {
            BigInteger dividend = shift >= 0 ? a.multiply(Decimals.bigPower(shift)) : a;
            BigInteger divisor = shift >= 0 ? b : b.multiply(Decimals.bigPower(-shift));
            return cut ? dividend.divide(divisor) : Decimals.divideRounded(dividend, divisor);
        };
        return big(left, right, operation, type.scale(), type);
    }

    private static void finish(WideValue value, int scale, ColumnType type) {
        if (type.kind() == TypeKind.DECIMAL) {
            Decimals.rescale(value, scale, type);
        } else {
            finish(value.toBigInteger(), scale, type, value);
        }
    }

    private static void finish(BigInteger value, int scale, ColumnType type, WideValue result) {
        int shift = type.scale() - scale;
        BigInteger scaled = value;
        if (shift > 0) {
            scaled = value.multiply(Decimals.bigPower(shift));
        } else if (shift < 0) {
            scaled = Decimals.divideRounded(value, Decimals.bigPower(-shift));
        }
        if (type.kind() == TypeKind.DECIMAL) {
            result.set(scaled);
            Decimals.check(result, type);
        } else {
            if (scaled.bitLength() > 63) {
                throw ValueRange.outOfRange(scaled.toString(), type);
            }
            result.set(checked(scaled.longValue(), type));
        }
    }
}
