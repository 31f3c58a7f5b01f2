package dev.fulmar.engine.execution.expression;

import dev.fulmar.engine.execution.value.Decimals;
import dev.fulmar.engine.execution.value.NativeText;
import dev.fulmar.engine.execution.value.Temporals;
import dev.fulmar.engine.execution.value.Texts;
import dev.fulmar.engine.execution.value.ValueRange;
import dev.fulmar.engine.memory.OffHeap;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.Interval;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.data.ZonedTime;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.ZoneOffset;
import java.util.UUID;

/**
 * CAST. Numbers are rounded half away from zero; text that is too long is an error, except for blanks at its end; CHAR
 * drops blanks at the end.
 */
final class Casts {
    private Casts() {}

    static Evaluator compile(Evaluator value, ColumnType from, ColumnType to) {
        if (to.kind() == TypeKind.INTERVAL) {
            return IntervalEvaluators.cast(value, from, to);
        }
        if (to.hasFewerDigits() && compile(value, from, ColumnType.of(to.kind())) instanceof LongEvaluator time) {
            return rounded(time, to);
        }
        if (from.kind() == to.kind() && from.storage() != TypeKind.Storage.BYTES && from.kind() != TypeKind.DECIMAL) {
            return value;
        }
        if (from.kind() == TypeKind.JSONB && value instanceof BytesEvaluator document && JsonCasts.isScalar(to)) {
            return compile(JsonCasts.scalar(document, to), ColumnType.varchar(0), to);
        }
        if (from.isArray()) {
            return ArrayCasts.compile(value, from, to, ZoneOffset.UTC);
        }
        if (from.kind() == TypeKind.ENUM && value instanceof LongEvaluator code) {
            return compile(EnumCasts.toText(code, from.labels()), ColumnType.varchar(0), to);
        }
        if (from.kind() == TypeKind.NUMERIC
                && to.kind() != TypeKind.NUMERIC
                && value instanceof BytesEvaluator number) {
            return NumericCasts.from(number, from, to);
        }
        return switch (to.kind()) {
            case BOOLEAN -> toBoolean(value, from, to);
            case TINYINT, SMALLINT, INTEGER, BIGINT -> toInteger(value, from, to);
            case DECIMAL -> toDecimal(value, from, to);
            case REAL, DOUBLE -> toFloatingPoint(value, from, to);
            case CHAR, VARCHAR -> toText(value, from, to);
            case VARBINARY -> toBinary(value, from, to);
            case DATE, TIME, TIMESTAMP, TIMESTAMP_TZ -> toTemporal(value, from, to);
            case UUID -> toUuid(value, from, to);
            case JSON, JSONB -> JsonCasts.toJson(value, from, to);
            case INTERVAL -> throw Invariants.breach("a CAST to an interval is made above");
            case ARRAY -> ArrayCasts.compile(value, from, to, ZoneOffset.UTC);
            case ENUM -> EnumCasts.toCode(value, from, to);
            case NUMERIC -> NumericCasts.to(value, from, to);
        };
    }

    private static LongEvaluator rounded(LongEvaluator time, ColumnType to) {
        return frame -> {
            long micros = time.evaluate(frame);
            return frame.isNull ? 0 : Temporals.rounded(micros, to);
        };
    }

    private static LongEvaluator toBoolean(Evaluator value, ColumnType from, ColumnType to) {
        return switch (value) {
            case LongEvaluator number when ExactNumbers.isExact(from) -> frame -> number.evaluate(frame) != 0 ? 1 : 0;
            case DoubleEvaluator number -> frame -> number.evaluate(frame) != 0 ? 1 : 0;
            case BytesEvaluator text
            when from.kind().isCharacter() -> frame -> Texts.parseBoolean(string(text, frame, "false")) ? 1 : 0;
            case LongEvaluator other -> throw impossible(from, to);
            case WideEvaluator other -> throw impossible(from, to);
            case BytesEvaluator other -> throw impossible(from, to);
        };
    }

    /** The text, or the replacement for null; the null flag stays. */
    private static String string(BytesEvaluator text, Frame frame, String replacement) {
        text.evaluate(frame);
        return frame.isNull ? replacement : NativeText.decode(frame.bytesAddress, frame.bytesLength);
    }

    private static LongEvaluator toInteger(Evaluator value, ColumnType from, ColumnType to) {
        ColumnType whole = ColumnType.decimal(ColumnType.MAX_DECIMAL_DIGITS, 0);
        LongEvaluator result = switch (value) {
            case LongEvaluator moment
            when TemporalFunctions.takes(from) ->
                frame -> {
                    long x = moment.evaluate(frame);
                    return frame.isNull ? 0 : Temporals.finite(x, from.kind(), "subtract infinite dates");
                };
            case LongEvaluator number when from.scale() == 0 -> number;
            case LongEvaluator number -> {
                long divisor = Decimals.power(from.scale());
                yield frame -> Decimals.divideRounded(number.evaluate(frame), divisor);
            }
            case DoubleEvaluator number ->
                frame -> {
                    double x = number.evaluate(frame);
                    return frame.isNull ? 0 : toLong(x, to);
                };
            case WideEvaluator number
            when from.kind() == TypeKind.DECIMAL ->
                frame -> {
                    number.evaluate(frame);
                    if (frame.isNull) {
                        return 0;
                    }
                    Decimals.rescale(frame.wide, from.scale(), whole);
                    if (!frame.wide.fitsLong()) {
                        throw ValueRange.outOfRange(frame.wide.toBigInteger().toString(), to);
                    }
                    return frame.wide.low();
                };
            case BytesEvaluator text
            when from.kind().isCharacter() ->
                frame -> {
                    BigInteger parsed = Decimals.unscaled(Texts.parseDecimal(string(text, frame, "0"), to), whole);
                    if (parsed.bitLength() > 63) {
                        throw ValueRange.outOfRange(parsed.toString(), to);
                    }
                    return parsed.longValue();
                };
            case WideEvaluator other -> throw impossible(from, to);
            case BytesEvaluator other -> throw impossible(from, to);
        };
        return Arithmetic.inRange(result, to);
    }

    /** The nearest whole number. */
    static long toLong(double value, ColumnType to) {
        double magnitude = Math.abs(value);
        double whole = Math.floor(magnitude);
        double rounded = Math.copySign(magnitude - whole >= 0.5 ? whole + 1 : whole, value);
        if (!(rounded >= -0x1p63 && rounded < 0x1p63)) {
            throw ValueRange.outOfRange(Double.toString(value), to);
        }
        return (long) rounded;
    }

    private static Evaluator toDecimal(Evaluator value, ColumnType from, ColumnType to) {
        if (value instanceof LongEvaluator number && to.storage() == TypeKind.Storage.LONG) {
            return toNarrowDecimal(number, from, to);
        }
        WideEvaluator wide = switch (value) {
            case LongEvaluator number ->
                frame -> {
                    frame.wide.set(number.evaluate(frame));
                    rescale(frame, from.scale(), to);
                };
            case WideEvaluator number
            when from.kind() == TypeKind.DECIMAL ->
                frame -> {
                    number.evaluate(frame);
                    rescale(frame, from.scale(), to);
                };
            case DoubleEvaluator number ->
                frame -> {
                    double x = number.evaluate(frame);
                    if (!frame.isNull) {
                        frame.wide.set(Decimals.unscaled(x, to));
                    }
                };
            case BytesEvaluator text
            when from.kind().isCharacter() ->
                frame -> frame.wide.set(Decimals.unscaled(Texts.parseDecimal(string(text, frame, "0"), to), to));
            case WideEvaluator other -> throw impossible(from, to);
            case BytesEvaluator other -> throw impossible(from, to);
        };
        if (to.storage() == TypeKind.Storage.WIDE) {
            return wide;
        }
        return (LongEvaluator) frame -> {
            wide.evaluate(frame);
            return frame.wide.low();
        };
    }

    private static LongEvaluator toNarrowDecimal(LongEvaluator number, ColumnType from, ColumnType to) {
        if (from.kind() == TypeKind.DECIMAL && from.scale() == to.scale() && from.precision() <= to.precision()) {
            return number;
        }
        return frame -> {
            long unscaled = number.evaluate(frame);
            return frame.isNull ? 0 : Decimals.rescale(unscaled, from.scale(), to);
        };
    }

    private static void rescale(Frame frame, int fromScale, ColumnType to) {
        if (!frame.isNull) {
            Decimals.rescale(frame.wide, fromScale, to);
        }
    }

    private static DoubleEvaluator toFloatingPoint(Evaluator value, ColumnType from, ColumnType to) {
        DoubleEvaluator number;
        if (value instanceof BytesEvaluator text && from.kind().isCharacter()) {
            number = frame -> Texts.parseDouble(string(text, frame, "0"), to);
        } else if (ExactNumbers.isNumber(from) || from.kind() == TypeKind.BOOLEAN) {
            number = ExactNumbers.toDouble(value, from);
        } else {
            throw impossible(from, to);
        }
        return to.kind() == TypeKind.DOUBLE
                ? number
                : frame -> {
                    double x = number.evaluate(frame);
                    return frame.isNull ? 0 : Arithmetic.finite((float) x, Double.isFinite(x), to);
                };
    }

    private static BytesEvaluator toText(Evaluator value, ColumnType from, ColumnType to) {
        BytesEvaluator text = switch (value) {
            case BytesEvaluator bytes -> bytes;
            case LongEvaluator number ->
                frame -> {
                    long x = number.evaluate(frame);
                    if (!frame.isNull) {
                        Results.text(frame, format(x, from));
                    }
                };
            case DoubleEvaluator number ->
                frame -> {
                    double x = number.evaluate(frame);
                    if (!frame.isNull) {
                        Results.text(frame, Texts.formatDouble(x, from.kind()));
                    }
                };
            case WideEvaluator wide ->
                frame -> {
                    wide.evaluate(frame);
                    if (!frame.isNull) {
                        Results.text(frame, formatWide(frame, from));
                    }
                };
        };
        boolean fits = from.kind() == to.kind()
                && (to.precision() == 0 || (from.precision() > 0 && from.precision() <= to.precision()));
        return fits ? text : fitted(text, to);
    }

    /** Cuts blanks that are too many; anything else that is too long is an error. */
    static BytesEvaluator fitted(BytesEvaluator text, ColumnType to) {
        boolean trim = to.kind() == TypeKind.CHAR;
        int limit = to.precision() == 0 ? Integer.MAX_VALUE : to.precision();
        return frame -> {
            text.evaluate(frame);
            if (frame.isNull) {
                return;
            }
            long address = frame.bytesAddress;
            if (trim) {
                frame.bytesLength = NativeText.withoutTrailingBlanks(address, frame.bytesLength);
            }
            int length = frame.bytesLength;
            if (length > limit) {
                int kept = NativeText.prefixBytes(address, length, limit);
                if (NativeText.withoutTrailingBlanks(address, length) > kept) {
                    throw Texts.tooLong(to, NativeText.characters(address, length));
                }
                frame.bytesLength = kept;
            }
        };
    }

    private static String format(long value, ColumnType type) {
        return switch (type.kind()) {
            case BOOLEAN -> value != 0 ? "TRUE" : "FALSE";
            case DECIMAL -> BigDecimal.valueOf(value, type.scale()).toPlainString();
            case DATE -> Temporals.formatDate(value);
            case TIME -> Temporals.formatTime(value);
            case TIMESTAMP -> Temporals.formatTimestamp(value);
            case TIMESTAMP_TZ -> ZonedTime.text(value, ZoneOffset.UTC);
            case TINYINT,
                    SMALLINT,
                    INTEGER,
                    BIGINT,
                    REAL,
                    DOUBLE,
                    CHAR,
                    VARCHAR,
                    VARBINARY,
                    UUID,
                    JSON,
                    JSONB,
                    INTERVAL,
                    ARRAY,
                    ENUM,
                    NUMERIC -> Long.toString(value);
        };
    }

    private static String formatWide(Frame frame, ColumnType type) {
        return switch (type.kind()) {
            case UUID -> new UUID(frame.wide.high(), frame.wide.low()).toString();
            case INTERVAL ->
                Interval.ofBits(frame.wide.high(), frame.wide.low()).toString();
            default -> new BigDecimal(frame.wide.toBigInteger(), type.scale()).toPlainString();
        };
    }

    private static BytesEvaluator toBinary(Evaluator value, ColumnType from, ColumnType to) {
        if (value instanceof BytesEvaluator bytes) {
            int limit = to.precision() == 0 ? Integer.MAX_VALUE : to.precision();
            return frame -> {
                bytes.evaluate(frame);
                if (!frame.isNull && frame.bytesLength > limit) {
                    throw Texts.tooLong(to, frame.bytesLength);
                }
            };
        }
        if (value instanceof WideEvaluator wide && from.kind() == TypeKind.UUID) {
            return frame -> {
                wide.evaluate(frame);
                if (!frame.isNull) {
                    long target = frame.temporary.allocate(16);
                    OffHeap.putLong(target, Long.reverseBytes(frame.wide.high()));
                    OffHeap.putLong(target + 8, Long.reverseBytes(frame.wide.low()));
                    Results.bytes(frame, target, 16);
                }
            };
        }
        throw impossible(from, to);
    }

    private static LongEvaluator toTemporal(Evaluator value, ColumnType from, ColumnType to) {
        if (value instanceof BytesEvaluator text && from.kind().isCharacter()) {
            return switch (to.kind()) {
                case DATE -> frame -> Temporals.parseDate(string(text, frame, "1970-01-01"));
                case TIME -> frame -> Temporals.parseTime(string(text, frame, "00:00:00"));
                case TIMESTAMP_TZ ->
                    frame -> Temporals.parseTimestampTz(string(text, frame, "1970-01-01"), ZoneOffset.UTC);
                default -> frame -> Temporals.parseTimestamp(string(text, frame, "1970-01-01"));
            };
        }
        if (value instanceof WideEvaluator interval && from.kind() == TypeKind.INTERVAL && to.kind() == TypeKind.TIME) {
            return frame -> {
                interval.evaluate(frame);
                return Temporals.timeOf(frame.wide.low());
            };
        }
        if (!(value instanceof LongEvaluator number)) {
            throw impossible(from, to);
        }
        if (from.kind() == TypeKind.TIMESTAMP && to.kind() == TypeKind.DATE) {
            return frame -> Temporals.dayOf(number.evaluate(frame));
        }
        if (from.kind() == TypeKind.TIMESTAMP && to.kind() == TypeKind.TIME) {
            return frame -> {
                long micros = number.evaluate(frame);
                return frame.isNull
                        ? 0
                        : Temporals.timeOf(
                                Temporals.finite(micros, TypeKind.TIMESTAMP, "cast an infinite timestamp to time"));
            };
        }
        if (from.kind() == TypeKind.DATE && to.kind() == TypeKind.TIMESTAMP) {
            return frame -> number.evaluate(frame) * Temporals.MICROS_PER_DAY;
        }
        if (from.kind().isInteger()) {
            return Arithmetic.inRange(number, to);
        }
        throw impossible(from, to);
    }

    private static WideEvaluator toUuid(Evaluator value, ColumnType from, ColumnType to) {
        if (value instanceof BytesEvaluator bytes && from.kind() == TypeKind.VARBINARY) {
            return frame -> {
                bytes.evaluate(frame);
                if (frame.isNull) {
                    return;
                }
                if (frame.bytesLength != 16) {
                    throw new FulmarException(
                            ErrorCode.INVALID_TEXT,
                            "a UUID has 16 bytes, not " + frame.bytesLength + "; pass 16 bytes");
                }
                frame.wide.set(
                        Long.reverseBytes(OffHeap.getLong(frame.bytesAddress)),
                        Long.reverseBytes(OffHeap.getLong(frame.bytesAddress + 8)));
            };
        }
        if (value instanceof BytesEvaluator text) {
            return frame -> {
                text.evaluate(frame);
                if (!frame.isNull) {
                    UUID uuid = Texts.parseUuid(NativeText.decode(frame.bytesAddress, frame.bytesLength));
                    frame.wide.set(uuid.getMostSignificantBits(), uuid.getLeastSignificantBits());
                }
            };
        }
        throw impossible(from, to);
    }

    static FulmarException impossible(ColumnType from, ColumnType to) {
        return new FulmarException(
                ErrorCode.TYPE_MISMATCH,
                "a " + from + " cannot be CAST to " + to + "; CAST it to VARCHAR first or use another type");
    }
}
