package dev.fulmar.engine.execution;

import dev.fulmar.engine.execution.expression.BytesEvaluator;
import dev.fulmar.engine.execution.expression.DoubleEvaluator;
import dev.fulmar.engine.execution.expression.Evaluator;
import dev.fulmar.engine.execution.expression.Frame;
import dev.fulmar.engine.execution.expression.LongEvaluator;
import dev.fulmar.engine.execution.expression.WideEvaluator;
import dev.fulmar.engine.memory.OffHeap;
import dev.fulmar.foundation.data.TypeKind;

/** A value as a number: of two values, the larger one has no smaller number. Those that are alike may share one. */
final class OrderedImage {
    private OrderedImage() {}

    /** The number of a value of the kind; it means nothing if {@link Frame#isNull} says that there is none. */
    static long of(Evaluator value, TypeKind kind, Frame frame) {
        return switch (value) {
            case LongEvaluator number -> number.evaluate(frame);
            case DoubleEvaluator number -> ofDouble(number.evaluate(frame));
            case WideEvaluator wide -> {
                wide.evaluate(frame);
                yield frame.isNull ? 0 : ofWide(frame.wide.high(), frame.wide.low(), kind == TypeKind.UUID);
            }
            case BytesEvaluator bytes -> {
                bytes.evaluate(frame);
                yield frame.isNull ? 0 : ofBytes(frame.bytesAddress, frame.bytesLength);
            }
        };
    }

    private static long ofDouble(double value) {
        long bits = Double.doubleToLongBits(value == 0 ? 0.0 : value);
        return bits ^ ((bits >> (Long.SIZE - 1)) & Long.MAX_VALUE);
    }

    /** Decimals of 18 digits are told apart. UUIDs are ordered as numbers without a sign. */
    private static long ofWide(long high, long low, boolean isUuid) {
        if (isUuid) {
            return high ^ Long.MIN_VALUE;
        }
        boolean isLong = high == low >> (Long.SIZE - 1);
        if (isLong) {
            return low;
        }
        return high < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
    }

    /** The first bytes, of which the first one counts most. */
    private static long ofBytes(long address, int length) {
        long image = 0;
        for (int i = 0; i < Long.BYTES; i++) {
            image = image << Byte.SIZE | (i < length ? OffHeap.getByte(address + i) & 0xffL : 0);
        }
        return image ^ Long.MIN_VALUE;
    }
}
