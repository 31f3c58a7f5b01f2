package dev.fulmar.foundation.data;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Cells as Java objects, for callers that do not count allocations. BOOLEAN is a {@link Boolean}, every integer a
 * {@link Long}, DECIMAL a {@link BigDecimal}, REAL a {@link Float}, DOUBLE a {@link Double}, CHAR, VARCHAR, JSON,
 * JSONB, INTERVAL and ENUM a {@link String}, VARBINARY a {@code byte[]}, DATE, TIME and TIMESTAMP a {@link LocalDate},
 * {@link LocalTime} and {@link LocalDateTime}, TIMESTAMP WITH TIME ZONE an {@link Instant}, UUID a {@link UUID}. The
 * text of an INTERVAL is in PostgreSQL's style. An ARRAY is a {@link List} of these, with null for NULL. A NUMERIC is a
 * {@link BigDecimal}, and an infinity or NaN a {@link Double}. Infinity of a date or timestamp is the greatest value of
 * its class, as {@link LocalDate#MAX}, and -infinity the least one.
 */
public final class CellValues {
    private static final long MICROS_PER_SECOND = 1_000_000;
    private static final long NANOS_PER_MICRO = 1_000;
    private static final long MICROS_PER_DAY = 86_400 * MICROS_PER_SECOND;

    private CellValues() {}

    /** The cell of the current row, which is not null. */
    static Object object(ResultBlock block, int column) {
        return switch (block.kind(column)) {
            case BOOLEAN -> block.getUnscaled(column) != 0;
            case TINYINT, SMALLINT, INTEGER, BIGINT -> block.getUnscaled(column);
            case DECIMAL -> present(block.decimal(column));
            case REAL -> block.getFloat(column);
            case DOUBLE -> block.getDouble(column);
            case CHAR, VARCHAR, JSON, JSONB, ENUM -> present(block.string(column));
            case VARBINARY -> present(block.bytes(column));
            case DATE -> date(block.getUnscaled(column));
            case TIME -> time(block.getUnscaled(column));
            case TIMESTAMP -> timestamp(block.getUnscaled(column));
            case TIMESTAMP_TZ -> ZonedTime.instant(block.getUnscaled(column));
            case UUID -> present(block.uuid(column));
            case INTERVAL ->
                Interval.ofBits(block.getHigh(column), block.getLow(column)).toString();
            case NUMERIC -> numeric(block, column);
            case ARRAY -> {
                int from = block.bytesOffset(column);
                ColumnType type = block.columns().get(column).type();
                yield ArrayValues.list(block.array(), from, from + block.bytesLength(column), type.element());
            }
        };
    }

    private static Object numeric(ResultBlock block, int column) {
        Numeric value = block.numeric(column);
        return value.isNumber() ? value.number() : (Object) value.toDouble();
    }

    /** The cell of the current row, which is not null, as text: SQL's literals without quotes, bytes in hexadecimal. */
    static String text(ResultBlock block, int column) {
        return text(object(block, column));
    }

    static String text(Object object) {
        return switch (object) {
            case List<?> values -> ArrayValues.text(values);
            case BigDecimal value -> value.toPlainString();
            case byte[] value -> HexFormat.of().formatHex(value);
            case LocalDateTime value when InfiniteTime.is(value) -> InfiniteTime.textOf(value);
            case LocalDateTime value -> value.toLocalDate() + " " + clockText(value.toLocalTime());
            case LocalTime value -> clockText(value);
            case Instant value -> ZonedTime.text(ZonedTime.micros(value), ZoneOffset.UTC);
            case Object value -> InfiniteTime.textOf(value);
        };
    }

    private static String clockText(LocalTime value) {
        String text = value.toString();
        return value.getSecond() == 0 && value.getNano() == 0 ? text + ":00" : text;
    }

    /** The date that is so many days after 1970-01-01, or stands for an infinity. */
    public static LocalDate date(long days) {
        if (InfiniteTime.isDay(days)) {
            return InfiniteTime.date(days);
        }
        if (days < LocalDate.MIN.toEpochDay() || days > LocalDate.MAX.toEpochDay()) {
            throw outOfRange("a date " + days + " days from 1970");
        }
        return LocalDate.ofEpochDay(days);
    }

    /** The time of day that is so many microseconds after midnight. */
    public static LocalTime time(long micros) {
        if (micros < 0 || micros >= MICROS_PER_DAY) {
            throw outOfRange("a time " + micros + " microseconds after midnight");
        }
        return LocalTime.ofNanoOfDay(micros * NANOS_PER_MICRO);
    }

    /** The timestamp that is so many microseconds after 1970-01-01T00:00:00, or stands for an infinity. */
    public static LocalDateTime timestamp(long micros) {
        if (InfiniteTime.isMoment(micros)) {
            return InfiniteTime.timestamp(micros);
        }
        return LocalDateTime.ofEpochSecond(
                Math.floorDiv(micros, MICROS_PER_SECOND),
                (int) (Math.floorMod(micros, MICROS_PER_SECOND) * NANOS_PER_MICRO),
                ZoneOffset.UTC);
    }

    /** Days since 1970-01-01, or the day of an infinity. */
    public static long days(LocalDate value) {
        if (InfiniteTime.is(value)) {
            return value.equals(LocalDate.MAX) ? InfiniteTime.DAY : -InfiniteTime.DAY;
        }
        return InfiniteTime.finiteDay(value.toEpochDay());
    }

    /** Microseconds since midnight; what is finer is cut off. */
    public static long micros(LocalTime value) {
        return value.toNanoOfDay() / NANOS_PER_MICRO;
    }

    /** Microseconds since 1970-01-01T00:00:00, or those of an infinity; what is finer is cut off. */
    public static long micros(LocalDateTime value) {
        if (InfiniteTime.is(value)) {
            return value.equals(LocalDateTime.MAX) ? InfiniteTime.MICROS : -InfiniteTime.MICROS;
        }
        long seconds = value.toEpochSecond(ZoneOffset.UTC);
        try {
            return InfiniteTime.finiteMicros(
                    Math.addExact(Math.multiplyExact(seconds, MICROS_PER_SECOND), value.getNano() / NANOS_PER_MICRO));
        } catch (ArithmeticException e) {
            throw new FulmarException(
                    ErrorCode.VALUE_OUT_OF_RANGE,
                    "the timestamp " + value + " is too far from 1970; stay within 292,000 years",
                    e);
        }
    }

    /**
     * Sets a cell from a Java object of one of this class's types. A {@link Number} of any class is accepted if the
     * column's type holds it without loss; a DECIMAL is rounded half up to the column's scale. A null sets null.
     */
    public static void set(ResultBlockWriter writer, int column, ColumnType type, @Nullable Object value) {
        if (value == null) {
            writer.setNull(column);
            return;
        }
        try {
            switch (type.kind()) {
                case BOOLEAN -> writer.setLong(column, (Boolean) value ? 1 : 0);
                case TINYINT, SMALLINT, INTEGER, BIGINT -> writer.setLong(column, integer((Number) value));
                case DECIMAL -> setDecimal(writer, column, type, exact((Number) value));
                case REAL, DOUBLE -> writer.setDouble(column, ((Number) value).doubleValue());
                case CHAR, VARCHAR, JSON, JSONB ->
                    setAll(writer, column, ((String) value).getBytes(StandardCharsets.UTF_8));
                case VARBINARY -> setAll(writer, column, (byte[]) value);
                case DATE -> writer.setLong(column, days((LocalDate) value));
                case TIME -> writer.setLong(column, micros((LocalTime) value));
                case TIMESTAMP -> writer.setLong(column, micros((LocalDateTime) value));
                case TIMESTAMP_TZ -> writer.setLong(column, ZonedTime.micros((Instant) value));
                case ARRAY -> setAll(writer, column, ArrayValues.bytes((List<?>) value, type.element()));
                case ENUM -> writer.setLong(column, type.labels().code((String) value));
                case NUMERIC ->
                    setAll(
                            writer,
                            column,
                            NumericBytes.of(numeric((Number) value).fitted(type)));
                case UUID -> {
                    UUID uuid = (UUID) value;
                    writer.setWide(column, uuid.getMostSignificantBits(), uuid.getLeastSignificantBits());
                }
                case INTERVAL -> {
                    Interval interval = IntervalShape.of(type).parse((String) value);
                    writer.setWide(column, interval.high(), interval.low());
                }
            }
        } catch (ClassCastException e) {
            throw new FulmarException(
                    ErrorCode.TYPE_MISMATCH,
                    "a " + value.getClass().getSimpleName() + " is no " + type
                            + "; convert it before it is stored in a result",
                    e);
        }
    }

    private static Numeric numeric(Number value) {
        boolean isFinite = !(value instanceof Double || value instanceof Float) || Double.isFinite(value.doubleValue());
        return isFinite ? Numeric.of(exact(value)) : Numeric.of(value.doubleValue(), 1);
    }

    private static void setAll(ResultBlockWriter writer, int column, byte[] bytes) {
        writer.setBytes(column, bytes, 0, bytes.length);
    }

    private static void setDecimal(ResultBlockWriter writer, int column, ColumnType type, BigDecimal value) {
        BigDecimal scaled = value.setScale(type.scale(), RoundingMode.HALF_UP);
        if (scaled.precision() > type.precision()) {
            throw tooWide(value, type);
        }
        if (type.storage() == TypeKind.Storage.WIDE) {
            writer.setWide(column, WideDecimal.high(scaled.unscaledValue()), WideDecimal.low(scaled.unscaledValue()));
        } else {
            writer.setLong(column, scaled.unscaledValue().longValue());
        }
    }

    static FulmarException tooWide(BigDecimal value, ColumnType type) {
        return new FulmarException(
                ErrorCode.VALUE_OUT_OF_RANGE,
                value.toPlainString() + " does not fit " + type + "; choose a wider type");
    }

    private static long integer(Number value) {
        return switch (value) {
            case Long exact -> exact;
            case Integer exact -> exact;
            case Short exact -> exact;
            case Byte exact -> exact;
            case Number other -> integer(exact(other));
        };
    }

    private static long integer(BigDecimal value) {
        try {
            return value.longValueExact();
        } catch (ArithmeticException e) {
            throw new FulmarException(
                    ErrorCode.VALUE_OUT_OF_RANGE,
                    value + " is not an integer of 64 bits; round it or choose another type",
                    e);
        }
    }

    private static BigDecimal exact(Number value) {
        return switch (value) {
            case BigDecimal exact -> exact;
            case BigInteger exact -> new BigDecimal(exact);
            case Long exact -> BigDecimal.valueOf(exact);
            case Integer exact -> BigDecimal.valueOf(exact);
            case Short exact -> BigDecimal.valueOf(exact);
            case Byte exact -> BigDecimal.valueOf(exact);
            case Double inexact when Double.isFinite(inexact) -> BigDecimal.valueOf(inexact);
            case Float inexact when Float.isFinite(inexact) -> new BigDecimal(inexact.toString());
            case Number other ->
                throw new FulmarException(
                        ErrorCode.VALUE_OUT_OF_RANGE, other + " is no exact number; use a DOUBLE column for it");
        };
    }

    private static <T> T present(@Nullable T value) {
        if (value == null) {
            throw new FulmarException(ErrorCode.INTERNAL, "a cell that is not null has no value; please report this");
        }
        return value;
    }

    private static FulmarException outOfRange(String what) {
        return new FulmarException(ErrorCode.VALUE_OUT_OF_RANGE, what + " cannot be shown; read the number instead");
    }
}
