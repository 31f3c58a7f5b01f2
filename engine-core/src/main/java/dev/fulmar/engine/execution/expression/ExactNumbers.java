package dev.fulmar.engine.execution.expression;

import dev.fulmar.engine.execution.value.Decimals;
import dev.fulmar.engine.execution.value.WideValue;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.TypeKind;

/** Brings numbers of different types to one form. */
final class ExactNumbers {
    private ExactNumbers() {}

    static boolean isNumber(ColumnType type) {
        return isExact(type) || type.storage() == TypeKind.Storage.DOUBLE || type.kind() == TypeKind.NUMERIC;
    }

    static boolean isExact(ColumnType type) {
        return type.kind().isInteger() || type.kind() == TypeKind.DECIMAL;
    }

    /** The unscaled value in 128 bits. */
    static WideEvaluator toWide(Evaluator value) {
        return switch (value) {
            case WideEvaluator wide -> wide;
            case LongEvaluator number -> frame -> frame.wide.set(number.evaluate(frame));
            case DoubleEvaluator number -> throw Invariants.breach("an exact number is no " + number.getClass());
            case BytesEvaluator number -> throw Invariants.breach("an exact number is no " + number.getClass());
        };
    }

    /** The unscaled value of a scale that is not smaller; it overflows only beyond 127 bits. */
    static WideEvaluator toWide(Evaluator value, int fromScale, int toScale) {
        WideEvaluator wide = toWide(value);
        int shift = toScale - fromScale;
        return shift == 0
                ? wide
                : frame -> {
                    wide.evaluate(frame);
                    if (!frame.isNull) {
                        scaleUp(frame.wide, shift);
                    }
                };
    }

    static void scaleUp(WideValue value, int shift) {
        if (shift <= 18 && value.fitsLong()) {
            value.setProduct(value.low(), Decimals.power(shift));
        } else {
            value.set(value.toBigInteger().multiply(Decimals.bigPower(shift)));
        }
    }

    /** Any number as the nearest double. */
    static DoubleEvaluator toDouble(Evaluator value, ColumnType type) {
        int scale = type.scale();
        double divisor = Decimals.bigPower(scale).doubleValue();
        return switch (value) {
            case DoubleEvaluator number -> number;
            case LongEvaluator number ->
                scale == 0 ? frame -> number.evaluate(frame) : frame -> number.evaluate(frame) / divisor;
            case WideEvaluator number ->
                frame -> {
                    number.evaluate(frame);
                    return frame.isNull ? 0 : new java.math.BigDecimal(frame.wide.toBigInteger(), scale).doubleValue();
                };
            case BytesEvaluator number when type.kind() == TypeKind.NUMERIC -> NumericCasts.toDouble(number);
            case BytesEvaluator number -> throw Invariants.breach("a number is no " + number.getClass());
        };
    }
}
