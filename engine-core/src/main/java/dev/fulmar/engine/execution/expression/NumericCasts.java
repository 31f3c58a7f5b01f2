package dev.fulmar.engine.execution.expression;

import dev.fulmar.engine.execution.value.Decimals;
import dev.fulmar.engine.execution.value.NativeText;
import dev.fulmar.engine.execution.value.ValueRange;
import dev.fulmar.engine.memory.OffHeap;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.Numeric;
import dev.fulmar.foundation.data.NumericBytes;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.math.BigDecimal;
import java.math.BigInteger;

/** CAST to and from NUMERIC. */
public final class NumericCasts {
    private NumericCasts() {}

    /** Reads a value as a {@link Numeric}; it means nothing where the frame says null. */
    @FunctionalInterface
    interface Reader {
        Numeric read(Frame frame);
    }

    /** Stores the value as the evaluator's result. */
    public static void result(Frame frame, Numeric value) {
        byte[] bytes = NumericBytes.of(value);
        long target = frame.temporary.allocate(bytes.length);
        OffHeap.copy(bytes, 0, target, bytes.length);
        Results.bytes(frame, target, bytes.length);
    }

    /** The value in native memory. */
    public static Numeric value(long address, int length) {
        byte[] bytes = new byte[length];
        OffHeap.copy(address, bytes, 0, length);
        return NumericBytes.value(bytes);
    }

    /** A number or a text as a NUMERIC, rounded to what the type says. */
    static BytesEvaluator to(Evaluator value, ColumnType from, ColumnType to) {
        if (from.kind() == TypeKind.NUMERIC && to.precision() == 0) {
            return (BytesEvaluator) value;
        }
        Reader reader = reader(value, from, to);
        return frame -> {
            Numeric number = reader.read(frame);
            if (!frame.isNull) {
                result(frame, number.fitted(to));
            }
        };
    }

    private static Reader reader(Evaluator value, ColumnType from, ColumnType to) {
        boolean isNumber = ExactNumbers.isNumber(from);
        int digits = from.kind() == TypeKind.REAL ? Numeric.REAL_DIGITS : Numeric.DOUBLE_DIGITS;
        return switch (value) {
            case LongEvaluator number
            when isNumber -> frame -> Numeric.of(BigDecimal.valueOf(number.evaluate(frame), from.scale()));
            case DoubleEvaluator number -> frame -> Numeric.of(number.evaluate(frame), digits);
            case WideEvaluator number
            when isNumber ->
                frame -> {
                    number.evaluate(frame);
                    return frame.isNull
                            ? Numeric.ZERO
                            : Numeric.of(new BigDecimal(frame.wide.toBigInteger(), from.scale()));
                };
            case BytesEvaluator bytes when from.kind() == TypeKind.NUMERIC -> ofNumeric(bytes);
            case BytesEvaluator text
            when from.kind().isCharacter() ->
                frame -> {
                    text.evaluate(frame);
                    return frame.isNull
                            ? Numeric.ZERO
                            : Numeric.parse(NativeText.decode(frame.bytesAddress, frame.bytesLength));
                };
            case LongEvaluator other -> throw Casts.impossible(from, to);
            case WideEvaluator other -> throw Casts.impossible(from, to);
            case BytesEvaluator other -> throw Casts.impossible(from, to);
        };
    }

    static Reader ofNumeric(BytesEvaluator bytes) {
        return frame -> {
            bytes.evaluate(frame);
            return frame.isNull ? Numeric.ZERO : value(frame.bytesAddress, frame.bytesLength);
        };
    }

    /** A NUMERIC as another type. */
    static Evaluator from(BytesEvaluator value, ColumnType from, ColumnType to) {
        Reader reader = ofNumeric(value);
        return switch (to.kind()) {
            case TINYINT, SMALLINT, INTEGER, BIGINT ->
                Arithmetic.inRange(
                        frame -> {
                            Numeric number = reader.read(frame);
                            return frame.isNull ? 0 : whole(number, to);
                        },
                        to);
            case DECIMAL -> toDecimal(reader, to);
            case REAL, DOUBLE -> toDouble(reader, to);
            case CHAR, VARCHAR ->
                Casts.fitted(
                        frame -> {
                            Numeric number = reader.read(frame);
                            if (!frame.isNull) {
                                Results.text(frame, number.toString());
                            }
                        },
                        to);
            case JSON, JSONB ->
                Casts.compile((BytesEvaluator) from(value, from, ColumnType.varchar(0)), ColumnType.varchar(0), to);
            default -> throw Casts.impossible(from, to);
        };
    }

    private static long whole(Numeric value, ColumnType to) {
        if (!value.isNumber()) {
            throw new FulmarException(
                    ErrorCode.NOT_SUPPORTED, "no " + to + " is " + value + "; choose DOUBLE or NUMBER");
        }
        BigInteger whole = Numeric.rounded(value.number(), 0).unscaledValue();
        if (whole.bitLength() >= Long.SIZE) {
            throw ValueRange.outOfRange(Decimals.shown(value.number()), to);
        }
        return whole.longValue();
    }

    private static Evaluator toDecimal(Reader reader, ColumnType to) {
        WideEvaluator wide = frame -> {
            Numeric number = reader.read(frame);
            if (!frame.isNull) {
                if (!number.isNumber()) {
                    throw ValueRange.outOfRange(number.toString(), to);
                }
                frame.wide.set(Decimals.unscaled(number.number(), to));
            }
        };
        return to.storage() == TypeKind.Storage.WIDE
                ? wide
                : (LongEvaluator) frame -> {
                    wide.evaluate(frame);
                    return frame.isNull ? 0 : frame.wide.low();
                };
    }

    private static DoubleEvaluator toDouble(Reader reader, ColumnType to) {
        boolean isReal = to.kind() == TypeKind.REAL;
        return frame -> {
            Numeric number = reader.read(frame);
            if (frame.isNull) {
                return 0;
            }
            double result = isReal ? (float) number.toDouble() : number.toDouble();
            boolean isLost = number.isNumber() && (Double.isInfinite(result) || (result == 0 && number.signum() != 0));
            if (isLost) {
                throw ValueRange.outOfRange(Decimals.shown(number.number()), to);
            }
            return result;
        };
    }

    /** Any value as the nearest double. */
    static DoubleEvaluator toDouble(BytesEvaluator value) {
        return toDouble(ofNumeric(value), ColumnType.of(TypeKind.DOUBLE));
    }
}
