package dev.fulmar.engine.execution.expression;

import dev.fulmar.engine.execution.function.ValueFunction;
import dev.fulmar.engine.execution.value.Decimals;
import dev.fulmar.engine.execution.value.NativeText;
import dev.fulmar.engine.execution.value.Temporals;
import dev.fulmar.engine.execution.value.ValueRange;
import dev.fulmar.engine.memory.OffHeap;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.Interval;
import dev.fulmar.foundation.data.Numeric;
import dev.fulmar.foundation.data.TypeKind;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Calls of functions of Java's values: they read their arguments from the frame, and write their result there. */
final class ComputedValues {
    private ComputedValues() {}

    /** Reads a value as Java has it; null for NULL. */
    @FunctionalInterface
    private interface Reader {
        @Nullable Object read(Frame frame);
    }

    /** The function of arguments, none of which may be NULL. */
    static Evaluator compile(
            ValueFunction function, List<Evaluator> arguments, List<ColumnType> types, ColumnType result) {
        Reader[] readers = new Reader[arguments.size()];
        for (int i = 0; i < readers.length; i++) {
            readers[i] = reader(arguments.get(i), types.get(i));
        }
        Reader value = frame -> value(function, readers, frame);
        return switch (result.storage()) {
            case LONG -> (LongEvaluator) frame -> longValue(value.read(frame), result, frame);
            case DOUBLE -> (DoubleEvaluator) frame -> doubleValue(value.read(frame), frame);
            case WIDE -> (WideEvaluator) frame -> wideValue(value.read(frame), result, frame);
            case BYTES -> (BytesEvaluator) frame -> bytesValue(value.read(frame), frame);
        };
    }

    private static @Nullable Object value(ValueFunction function, Reader[] readers, Frame frame) {
        Object[] values = new Object[readers.length];
        for (int i = 0; i < readers.length; i++) {
            Object value = readers[i].read(frame);
            if (value == null) {
                return null;
            }
            values[i] = value;
        }
        return function.of(values);
    }

    private static Reader reader(Evaluator argument, ColumnType type) {
        return switch (argument) {
            case LongEvaluator number ->
                frame -> {
                    long value = number.evaluate(frame);
                    return frame.isNull ? null : ofLong(value, type);
                };
            case DoubleEvaluator number ->
                frame -> {
                    double value = number.evaluate(frame);
                    return frame.isNull ? null : (Object) value;
                };
            case WideEvaluator number ->
                frame -> {
                    number.evaluate(frame);
                    return frame.isNull ? null : wide(frame, type);
                };
            case BytesEvaluator bytes ->
                frame -> {
                    bytes.evaluate(frame);
                    return frame.isNull ? null : ofBytes(frame, type);
                };
        };
    }

    private static Object wide(Frame frame, ColumnType type) {
        return switch (type.kind()) {
            case UUID -> new UUID(frame.wide.high(), frame.wide.low());
            case INTERVAL -> Interval.ofBits(frame.wide.high(), frame.wide.low());
            default -> new BigDecimal(frame.wide.toBigInteger(), type.scale());
        };
    }

    private static Object ofLong(long value, ColumnType type) {
        return switch (type.kind()) {
            case DECIMAL -> BigDecimal.valueOf(value, type.scale());
            case BOOLEAN -> value != 0;
            default -> value;
        };
    }

    private static Object ofBytes(Frame frame, ColumnType type) {
        if (type.kind() == TypeKind.NUMERIC) {
            return NumericCasts.value(frame.bytesAddress, frame.bytesLength);
        }
        if (type.kind() != TypeKind.VARBINARY && !type.isArray()) {
            return NativeText.decode(frame.bytesAddress, frame.bytesLength);
        }
        byte[] bytes = new byte[frame.bytesLength];
        OffHeap.copy(frame.bytesAddress, bytes, 0, bytes.length);
        return bytes;
    }

    private static long longValue(@Nullable Object value, ColumnType type, Frame frame) {
        frame.isNull = value == null;
        return switch (value) {
            case null -> 0;
            case Boolean truth -> truth ? 1 : 0;
            case BigDecimal number -> Decimals.unscaled(number, type).longValueExact();
            case Long number -> checked(number, type);
            default -> throw Invariants.breach("a function's value is of its type, not " + value.getClass());
        };
    }

    private static long checked(long number, ColumnType type) {
        if (!ValueRange.has(number, type.kind())) {
            throw ValueRange.outOfRange(number, type);
        }
        return number;
    }

    private static double doubleValue(@Nullable Object value, Frame frame) {
        frame.isNull = value == null;
        return value instanceof Number number ? number.doubleValue() : 0;
    }

    private static void wideValue(@Nullable Object value, ColumnType type, Frame frame) {
        frame.isNull = value == null;
        if (value instanceof BigDecimal number) {
            BigInteger unscaled = Decimals.unscaled(number, type);
            frame.wide.set(unscaled);
        } else if (value instanceof UUID id) {
            frame.wide.set(id.getMostSignificantBits(), id.getLeastSignificantBits());
        } else if (value instanceof Interval interval) {
            frame.wide.set(interval.high(), interval.low());
        } else if (value instanceof Double infinity) {
            throw Temporals.infinite("make a " + type + " of " + infinity);
        }
    }

    private static void bytesValue(@Nullable Object value, Frame frame) {
        frame.isNull = value == null;
        if (value instanceof String text) {
            Results.text(frame, text);
        } else if (value instanceof Numeric number) {
            NumericCasts.result(frame, number);
        } else if (value instanceof BigDecimal number) {
            NumericCasts.result(frame, Numeric.of(number));
        } else if (value instanceof Double infinity) {
            NumericCasts.result(frame, Numeric.of(infinity, 1));
        } else if (value instanceof byte[] bytes) {
            long target = frame.temporary.allocate(bytes.length);
            OffHeap.copy(bytes, 0, target, bytes.length);
            Results.bytes(frame, target, bytes.length);
        }
    }
}
