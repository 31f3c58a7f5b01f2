package dev.fulmar.engine.execution.expression;

import dev.fulmar.engine.execution.value.WideValue;
import dev.fulmar.engine.memory.OffHeap;
import dev.fulmar.engine.plan.ScalarFunction;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;

/** Comparison of two values of comparable types. */
public final class Comparisons {
    private Comparisons() {}

    /** Yields a negative number, 0 or a positive one; null if either value is. */
    @FunctionalInterface
    interface Order {
        int compare(Frame frame);
    }

    static LongEvaluator compile(
            ScalarFunction function, Evaluator left, ColumnType leftType, Evaluator right, ColumnType rightType) {
        if (left instanceof LongEvaluator a
                && right instanceof LongEvaluator b
                && leftType.scale() == rightType.scale()) {
            return ofLongs(function, a, b);
        }
        Order order = order(left, leftType, right, rightType);
        return switch (function) {
            case EQUAL -> frame -> order.compare(frame) == 0 ? 1 : 0;
            case NOT_EQUAL -> frame -> order.compare(frame) != 0 ? 1 : 0;
            case LESS -> frame -> order.compare(frame) < 0 ? 1 : 0;
            case LESS_OR_EQUAL -> frame -> order.compare(frame) <= 0 ? 1 : 0;
            case GREATER -> frame -> order.compare(frame) > 0 ? 1 : 0;
            case GREATER_OR_EQUAL -> frame -> order.compare(frame) >= 0 ? 1 : 0;
            default -> throw Invariants.breach(function + " is a comparison");
        };
    }

    private static LongEvaluator ofLongs(ScalarFunction function, LongEvaluator left, LongEvaluator right) {
        return switch (function) {
            case EQUAL ->
                frame -> {
                    long a = left.evaluate(frame);
                    return !frame.isNull && a == right.evaluate(frame) ? 1 : 0;
                };
            case NOT_EQUAL ->
                frame -> {
                    long a = left.evaluate(frame);
                    return !frame.isNull && a != right.evaluate(frame) ? 1 : 0;
                };
            case LESS ->
                frame -> {
                    long a = left.evaluate(frame);
                    return !frame.isNull && a < right.evaluate(frame) ? 1 : 0;
                };
            case LESS_OR_EQUAL ->
                frame -> {
                    long a = left.evaluate(frame);
                    return !frame.isNull && a <= right.evaluate(frame) ? 1 : 0;
                };
            case GREATER ->
                frame -> {
                    long a = left.evaluate(frame);
                    return !frame.isNull && a > right.evaluate(frame) ? 1 : 0;
                };
            case GREATER_OR_EQUAL ->
                frame -> {
                    long a = left.evaluate(frame);
                    return !frame.isNull && a >= right.evaluate(frame) ? 1 : 0;
                };
            default -> throw Invariants.breach(function + " is a comparison");
        };
    }

    /**
     * The order of two values; DOUBLE wins over exact numbers, text and bytes compare byte by byte, and JSONB as
     * {@link JsonKeys} has it.
     */
    static Order order(Evaluator one, ColumnType leftType, Evaluator other, ColumnType rightType) {
        Evaluator left = JsonKeys.comparable(one, leftType);
        Evaluator right = JsonKeys.comparable(other, rightType);
        if (ExactNumbers.isNumber(leftType) && ExactNumbers.isNumber(rightType)) {
            return ofNumbers(left, leftType, right, rightType);
        }
        if (left instanceof LongEvaluator a && right instanceof LongEvaluator b) {
            return ofLongs(a, b);
        }
        if (left instanceof BytesEvaluator a && right instanceof BytesEvaluator b) {
            return ofBytes(a, b);
        }
        if (left instanceof WideEvaluator a && right instanceof WideEvaluator b) {
            return ofWide(a, b, leftType.kind() == TypeKind.UUID ? Long.MIN_VALUE : 0);
        }
        throw new FulmarException(
                ErrorCode.TYPE_MISMATCH,
                "a " + leftType + " does not compare with a " + rightType + "; CAST one of them");
    }

    private static Order ofNumbers(Evaluator left, ColumnType leftType, Evaluator right, ColumnType rightType) {
        boolean isOfNumerics = leftType.kind() == TypeKind.NUMERIC || rightType.kind() == TypeKind.NUMERIC;
        if (!isOfNumerics && (left instanceof DoubleEvaluator || right instanceof DoubleEvaluator)) {
            return ofDoubles(ExactNumbers.toDouble(left, leftType), ExactNumbers.toDouble(right, rightType));
        }
        if (isOfNumerics) {
            return ofBytes(numeric(left, leftType), numeric(right, rightType));
        }
        if (left instanceof LongEvaluator a
                && right instanceof LongEvaluator b
                && leftType.scale() == rightType.scale()) {
            return ofLongs(a, b);
        }
        int scale = Math.max(leftType.scale(), rightType.scale());
        return ofWide(
                ExactNumbers.toWide(left, leftType.scale(), scale),
                ExactNumbers.toWide(right, rightType.scale(), scale),
                0);
    }

    /** The bytes in whose order numerics are; a NUMERIC is in that form already. */
    private static BytesEvaluator numeric(Evaluator value, ColumnType type) {
        ColumnType numeric = ColumnType.of(TypeKind.NUMERIC);
        return type.kind() == TypeKind.NUMERIC && value instanceof BytesEvaluator bytes
                ? bytes
                : (BytesEvaluator) JsonKeys.comparable(NumericCasts.to(value, type, numeric), numeric);
    }

    private static Order ofLongs(LongEvaluator left, LongEvaluator right) {
        return frame -> {
            long a = left.evaluate(frame);
            return frame.isNull ? 0 : Long.compare(a, right.evaluate(frame));
        };
    }

    private static Order ofDoubles(DoubleEvaluator left, DoubleEvaluator right) {
        return frame -> {
            double a = left.evaluate(frame);
            return frame.isNull ? 0 : compare(a, right.evaluate(frame));
        };
    }

    /** NaN is above everything and equal to itself; both zeros are equal. */
    public static int compare(double left, double right) {
        return left == right ? 0 : Double.compare(left, right);
    }

    private static Order ofBytes(BytesEvaluator left, BytesEvaluator right) {
        return frame -> {
            left.evaluate(frame);
            if (frame.isNull) {
                return 0;
            }
            long address = frame.bytesAddress;
            int length = frame.bytesLength;
            right.evaluate(frame);
            return frame.isNull ? 0 : OffHeap.compare(address, length, frame.bytesAddress, frame.bytesLength);
        };
    }

    /** @param flip bit to turn over in the high halves: the sign, to compare without one */
    private static Order ofWide(WideEvaluator left, WideEvaluator right, long flip) {
        return frame -> {
            left.evaluate(frame);
            if (frame.isNull) {
                return 0;
            }
            long high = frame.wide.high();
            long low = frame.wide.low();
            right.evaluate(frame);
            return frame.isNull ? 0 : WideValue.compare(high ^ flip, low, frame.wide.high() ^ flip, frame.wide.low());
        };
    }

    /** Equality where nulls are equal; never null. */
    static LongEvaluator notDistinct(Evaluator left, ColumnType leftType, Evaluator right, ColumnType rightType) {
        Order order = order(left, leftType, right, rightType);
        return frame -> {
            Nulls.evaluate(left, frame);
            boolean leftNull = frame.isNull;
            Nulls.evaluate(right, frame);
            boolean rightNull = frame.isNull;
            frame.isNull = false;
            if (leftNull || rightNull) {
                return leftNull && rightNull ? 1 : 0;
            }
            return order.compare(frame) == 0 ? 1 : 0;
        };
    }
}
