package dev.fulmar.engine.execution.expression;

import dev.fulmar.engine.execution.value.Temporals;
import dev.fulmar.engine.execution.value.ValueRange;
import dev.fulmar.engine.plan.ScalarFunction;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.InfiniteTime;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;

/** The four operations, remainder and negation. What does not fit the result's type is an error. */
final class Arithmetic {
    private Arithmetic() {}

    static Evaluator compile(
            ScalarFunction function,
            Evaluator left,
            ColumnType leftType,
            Evaluator right,
            ColumnType rightType,
            ColumnType type) {
        if (type.storage() == TypeKind.Storage.DOUBLE) {
            return ofDoubles(
                    function, ExactNumbers.toDouble(left, leftType), ExactNumbers.toDouble(right, rightType), type);
        }
        if (type.kind() == TypeKind.DECIMAL || leftType.scale() != 0 || rightType.scale() != 0) {
            return DecimalArithmetic.compile(function, left, leftType, right, rightType, type);
        }
        if (left instanceof LongEvaluator a && right instanceof LongEvaluator b) {
            return isMoment(leftType) || isMoment(rightType)
                    ? ofMoments(function, a, leftType, b, rightType, type)
                    : ofLongs(function, a, b, type);
        }
        return DecimalArithmetic.compile(function, left, leftType, right, rightType, type);
    }

    private static boolean isMoment(ColumnType type) {
        return switch (type.kind()) {
            case DATE, TIMESTAMP, TIMESTAMP_TZ -> true;
            default -> false;
        };
    }

    /** An infinity stays what it is, whatever is added to it; it has no difference from another moment. */
    private static LongEvaluator ofMoments(
            ScalarFunction function,
            LongEvaluator left,
            ColumnType leftType,
            LongEvaluator right,
            ColumnType rightType,
            ColumnType type) {
        boolean isSum = function == ScalarFunction.PLUS || function == ScalarFunction.MINUS;
        return frame -> {
            long a = left.evaluate(frame);
            if (frame.isNull) {
                return 0;
            }
            long b = right.evaluate(frame);
            if (frame.isNull) {
                return 0;
            }
            boolean isFirst = InfiniteTime.is(a, leftType.kind());
            if (isFirst || InfiniteTime.is(b, rightType.kind())) {
                boolean stays = isSum && isMoment(type) && !(isMoment(leftType) && isMoment(rightType));
                if (!stays) {
                    throw Temporals.infinite("subtract infinite dates or timestamps");
                }
                return isFirst ? a : b;
            }
            return inRange(calculated(function, a, b, frame, type), type);
        };
    }

    private static long calculated(ScalarFunction function, long a, long b, Frame frame, ColumnType type) {
        return switch (function) {
            case PLUS -> add(a, b, frame, type);
            case MINUS -> subtract(a, b, frame, type);
            case TIMES -> multiply(a, b, frame, type);
            case DIVIDE -> divide(a, b, frame, type);
            case MODULO -> a % nonZero(b);
            default -> throw Invariants.breach(function + " is an operation on two numbers");
        };
    }

    private static long inRange(long value, ColumnType type) {
        if (value < ValueRange.minimum(type.kind()) || value > ValueRange.maximum(type.kind())) {
            throw ValueRange.outOfRange(value, type);
        }
        return value;
    }

    private static LongEvaluator ofLongs(
            ScalarFunction function, LongEvaluator left, LongEvaluator right, ColumnType type) {
        LongEvaluator result = switch (function) {
            case PLUS ->
                frame -> {
                    long a = left.evaluate(frame);
                    return frame.isNull ? 0 : add(a, right.evaluate(frame), frame, type);
                };
            case MINUS ->
                frame -> {
                    long a = left.evaluate(frame);
                    return frame.isNull ? 0 : subtract(a, right.evaluate(frame), frame, type);
                };
            case TIMES ->
                frame -> {
                    long a = left.evaluate(frame);
                    return frame.isNull ? 0 : multiply(a, right.evaluate(frame), frame, type);
                };
            case DIVIDE ->
                frame -> {
                    long a = left.evaluate(frame);
                    return frame.isNull ? 0 : divide(a, right.evaluate(frame), frame, type);
                };
            case MODULO ->
                frame -> {
                    long a = left.evaluate(frame);
                    if (frame.isNull) {
                        return 0;
                    }
                    long b = right.evaluate(frame);
                    return frame.isNull ? 0 : a % nonZero(b);
                };
            default -> throw Invariants.breach(function + " is an operation on two numbers");
        };
        return inRange(result, type);
    }

    private static long add(long a, long b, Frame frame, ColumnType type) {
        long sum = a + b;
        if (((a ^ sum) & (b ^ sum)) < 0 && !frame.isNull) {
            throw outOfRange(a, " + ", b, type);
        }
        return sum;
    }

    private static long subtract(long a, long b, Frame frame, ColumnType type) {
        long difference = a - b;
        if (((a ^ b) & (a ^ difference)) < 0 && !frame.isNull) {
            throw outOfRange(a, " - ", b, type);
        }
        return difference;
    }

    private static long multiply(long a, long b, Frame frame, ColumnType type) {
        long product = a * b;
        if (Math.multiplyHigh(a, b) != product >> 63 && !frame.isNull) {
            throw outOfRange(a, " * ", b, type);
        }
        return product;
    }

    private static long divide(long a, long b, Frame frame, ColumnType type) {
        if (frame.isNull) {
            return 0;
        }
        if (a == Long.MIN_VALUE && b == -1) {
            throw outOfRange(a, " / ", b, type);
        }
        return a / nonZero(b);
    }

    /** Days and microseconds of dates and times mean nothing to the reader: they are not shown. */
    private static FulmarException outOfRange(long a, String operator, long b, ColumnType type) {
        return ValueRange.outOfRange(type.kind().isInteger() ? a + operator + b : "the result", type);
    }

    static long nonZero(long divisor) {
        if (divisor == 0) {
            throw divisionByZero();
        }
        return divisor;
    }

    static FulmarException divisionByZero() {
        return new FulmarException(
                ErrorCode.DIVISION_BY_ZERO,
                "division by zero; guard it with CASE WHEN divisor <> 0 or NULLIF(divisor, 0)");
    }

    /** Checks that the value is one of the type. */
    static LongEvaluator inRange(LongEvaluator value, ColumnType type) {
        long minimum = ValueRange.minimum(type.kind());
        long maximum = ValueRange.maximum(type.kind());
        if (minimum == Long.MIN_VALUE) {
            return value;
        }
        return frame -> {
            long result = value.evaluate(frame);
            if ((result < minimum || result > maximum) && !frame.isNull) {
                throw ValueRange.outOfRange(result, type);
            }
            return result;
        };
    }

    private static DoubleEvaluator ofDoubles(
            ScalarFunction function, DoubleEvaluator left, DoubleEvaluator right, ColumnType type) {
        boolean real = type.kind() == TypeKind.REAL;
        return frame -> {
            double a = left.evaluate(frame);
            if (frame.isNull) {
                return 0;
            }
            double b = right.evaluate(frame);
            if (frame.isNull) {
                return 0;
            }
            double result = switch (function) {
                case PLUS -> a + b;
                case MINUS -> a - b;
                case TIMES -> a * b;
                case DIVIDE -> a / nonZero(b);
                case MODULO -> a % nonZero(b);
                default -> throw Invariants.breach(function + " is an operation on two numbers");
            };
            return finite(real ? (float) result : result, Double.isFinite(a) && Double.isFinite(b), type);
        };
    }

    private static double nonZero(double divisor) {
        if (divisor == 0) {
            throw divisionByZero();
        }
        return divisor;
    }

    /** The result, which must not be infinite if what it was made of was not. */
    static double finite(double result, boolean expected, ColumnType type) {
        if (expected && !Double.isFinite(result)) {
            throw ValueRange.outOfRange("a floating-point result", type);
        }
        return result;
    }

    static Evaluator negate(Evaluator value, ColumnType valueType, ColumnType type) {
        return switch (value) {
            case DoubleEvaluator number -> (DoubleEvaluator) frame -> -number.evaluate(frame);
            case LongEvaluator number
            when type.storage() == TypeKind.Storage.LONG ->
                inRange(
                        frame -> {
                            long result = number.evaluate(frame);
                            if (result == Long.MIN_VALUE && !frame.isNull) {
                                throw ValueRange.outOfRange(
                                        type.kind().isInteger() ? "-(" + result + ")" : "the result", type);
                            }
                            return -result;
                        },
                        type);
            case LongEvaluator number -> negateWide(ExactNumbers.toWide(number, valueType.scale(), type.scale()));
            case WideEvaluator number -> negateWide(ExactNumbers.toWide(number, valueType.scale(), type.scale()));
            case BytesEvaluator text -> throw NumericFunctions.notANumber(ScalarFunction.NEGATE, valueType);
        };
    }

    private static WideEvaluator negateWide(WideEvaluator value) {
        return frame -> {
            value.evaluate(frame);
            if (!frame.isNull) {
                frame.wide.negate();
            }
        };
    }
}
