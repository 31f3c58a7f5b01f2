package dev.fulmar.wire.postgres.type;

import dev.fulmar.foundation.data.CellValues;
import dev.fulmar.foundation.data.Interval;
import dev.fulmar.foundation.data.ZonedTime;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.wire.postgres.message.ValueFormat;
import io.netty.buffer.ByteBuf;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.UUID;

/**
 * Text and binary forms of values of any type as Java objects, for callers that do not count allocations. A boolean
 * is a {@link Boolean}, an integer or OID a {@link Long}, {@code float4} a {@link Float}, {@code float8} a {@link
 * Double}, {@code numeric} a {@link BigDecimal} or a {@link NumericValue.Special}, text a {@link String}, {@code
 * bytea} a {@code byte[]}, a date or time a {@link LocalDate}, {@link LocalTime} or {@link LocalDateTime}, {@code
 * timestamptz} an {@link Instant}, {@code interval} an {@link Interval}, {@code uuid} a {@link UUID}. Infinity
 * of a date or timestamp is the greatest value of its class, and -infinity the least one.
 */
public final class ValueForm {
    /** Stands before the text of a binary {@code jsonb}. */
    static final byte JSONB_VERSION = 1;

    private ValueForm() {}

    /** Reads a value in the format; the zone is that of a {@code timestamptz} without zone. */
    public static Object read(PostgresType type, ValueFormat format, byte[] bytes, ZoneId zone) {
        return switch (format) {
            case TEXT -> parse(type, bytes, 0, bytes.length, zone);
            case BINARY -> decode(type, bytes);
        };
    }

    /** Reads a value's text. */
    public static Object parse(PostgresType type, byte[] text, int from, int to, ZoneId zone) {
        return switch (type) {
            case BOOL -> BooleanForm.parse(text, from, to);
            case INT2, INT4, INT8, OID, REGCLASS -> IntegerForm.parse(type, text, from, to);
            case FLOAT4 -> FloatForm.parseFloat(text, from, to);
            case FLOAT8 -> FloatForm.parse(text, from, to);
            case NUMERIC -> number(NumericForm.parse(text, from, to));
            case TEXT, VARCHAR, BPCHAR, NAME, UNKNOWN, JSON, JSONB, CHAR -> CharacterForm.parse(text, from, to);
            case BYTEA -> ByteaForm.parse(text, from, to);
            case DATE -> date(DatetimeForm.parseDate(text, from, to));
            case TIME -> time(DatetimeForm.parseTime(text, from, to));
            case TIMESTAMP -> timestamp(DatetimeForm.parseTimestamp(text, from, to));
            case TIMESTAMPTZ -> moment(DatetimeForm.parseTimestampTz(text, from, to, zone));
            case INTERVAL -> IntervalForm.parse(text, from, to);
            case UUID -> UuidForm.parse(text, from, to);
            case VOID -> throw noValue(type);
        };
    }

    /** Reads a value's binary form. */
    public static Object decode(PostgresType type, byte[] bytes) {
        return switch (type) {
            case BOOL -> BooleanForm.decode(bytes);
            case INT2, INT4, INT8, OID, REGCLASS -> IntegerForm.decode(type, bytes);
            case FLOAT4 -> FloatForm.decodeFloat(bytes);
            case FLOAT8 -> FloatForm.decode(bytes);
            case NUMERIC -> number(NumericBinaryForm.decode(bytes));
            case TEXT, VARCHAR, BPCHAR, NAME, UNKNOWN, JSON, CHAR -> CharacterForm.parse(bytes, 0, bytes.length);
            case JSONB -> jsonb(bytes);
            case BYTEA -> bytes;
            case DATE -> date(DatetimeForm.decodeDate(bytes));
            case TIME -> time(DatetimeForm.decodeTime(bytes));
            case TIMESTAMP -> timestamp(DatetimeForm.decodeTimestamp(bytes));
            case TIMESTAMPTZ -> moment(DatetimeForm.decodeTimestamp(bytes));
            case INTERVAL -> IntervalForm.decode(bytes);
            case UUID -> UuidForm.decode(bytes);
            case VOID -> throw noValue(type);
        };
    }

    /** Appends a value in the format; the zone is that in which the text of a {@code timestamptz} is. */
    public static void write(ByteBuf out, PostgresType type, ValueFormat format, Object value, ZoneId zone) {
        try {
            switch (format) {
                case TEXT -> writeText(out, type, value, zone);
                case BINARY -> writeBinary(out, type, value);
            }
        } catch (ClassCastException e) {
            throw new FulmarException(
                    ErrorCode.TYPE_MISMATCH,
                    "a " + value.getClass().getSimpleName() + " is no value of the type " + type.sqlName()
                            + "; convert it before",
                    e);
        }
    }

    private static void writeText(ByteBuf out, PostgresType type, Object value, ZoneId zone) {
        switch (type) {
            case BOOL -> BooleanForm.writeText(out, (Boolean) value);
            case INT2, INT4, INT8, OID, REGCLASS -> IntegerForm.writeText(out, ((Number) value).longValue());
            case FLOAT4 -> FloatForm.writeText(out, ((Number) value).floatValue());
            case FLOAT8 -> FloatForm.writeText(out, ((Number) value).doubleValue());
            case NUMERIC -> NumericForm.writeText(out, numeric(value));
            case TEXT, VARCHAR, BPCHAR, NAME, UNKNOWN, JSON, JSONB, CHAR -> CharacterForm.write(out, (String) value);
            case BYTEA -> ByteaForm.writeText(out, (byte[]) value, 0, ((byte[]) value).length);
            case DATE -> DatetimeForm.writeDate(out, days(value));
            case TIME -> DatetimeForm.writeTime(out, CellValues.micros((LocalTime) value));
            case TIMESTAMP -> DatetimeForm.writeTimestamp(out, micros(value));
            case TIMESTAMPTZ -> DatetimeForm.writeTimestampTz(out, momentMicros(value), zone);
            case INTERVAL -> IntervalForm.writeText(out, (Interval) value);
            case UUID -> {
                UUID uuid = (UUID) value;
                UuidForm.writeText(out, uuid.getMostSignificantBits(), uuid.getLeastSignificantBits());
            }
            case VOID -> {
                // Its text is empty.
            }
        }
    }

    private static void writeBinary(ByteBuf out, PostgresType type, Object value) {
        switch (type) {
            case BOOL -> BooleanForm.writeBinary(out, (Boolean) value);
            case INT2, INT4, INT8, OID, REGCLASS -> IntegerForm.writeBinary(out, type, ((Number) value).longValue());
            case FLOAT4 -> FloatForm.writeBinary(out, ((Number) value).floatValue());
            case FLOAT8 -> FloatForm.writeBinary(out, ((Number) value).doubleValue());
            case NUMERIC -> NumericBinaryForm.write(out, numeric(value));
            case TEXT, VARCHAR, BPCHAR, NAME, UNKNOWN, JSON, CHAR -> CharacterForm.write(out, (String) value);
            case JSONB -> {
                out.writeByte(JSONB_VERSION);
                CharacterForm.write(out, (String) value);
            }
            case BYTEA -> out.writeBytes((byte[]) value);
            case DATE -> DatetimeForm.writeBinaryDate(out, days(value));
            case TIME -> DatetimeForm.writeBinaryTime(out, CellValues.micros((LocalTime) value));
            case TIMESTAMP -> DatetimeForm.writeBinaryTimestamp(out, micros(value));
            case TIMESTAMPTZ -> DatetimeForm.writeBinaryTimestamp(out, momentMicros(value));
            case INTERVAL -> {
                Interval interval = (Interval) value;
                IntervalForm.writeBinary(out, interval.months(), interval.days(), interval.micros());
            }
            case UUID -> {
                UUID uuid = (UUID) value;
                UuidForm.writeBinary(out, uuid.getMostSignificantBits(), uuid.getLeastSignificantBits());
            }
            case VOID -> {
                // Its binary form is empty.
            }
        }
    }

    private static Object number(NumericValue value) {
        return switch (value) {
            case NumericValue.Finite(BigDecimal number) -> number;
            case NumericValue.Special special -> special;
        };
    }

    private static NumericValue numeric(Object value) {
        return value instanceof NumericValue numeric ? numeric : new NumericValue.Finite((BigDecimal) value);
    }

    private static String jsonb(byte[] bytes) {
        if (bytes.length == 0 || bytes[0] != JSONB_VERSION) {
            throw InvalidValue.binary(PostgresType.JSONB, "it has an unknown version");
        }
        return CharacterForm.parse(bytes, 1, bytes.length);
    }

    private static Object date(long days) {
        return CellValues.date(DatetimeForm.cellDay(days));
    }

    private static Object timestamp(long micros) {
        return CellValues.timestamp(DatetimeForm.cellMicros(micros));
    }

    private static Object moment(long micros) {
        return ZonedTime.instant(DatetimeForm.cellMicros(micros));
    }

    private static LocalTime time(long micros) {
        if (micros == DatetimeForm.MICROS_PER_DAY) {
            throw InvalidValue.datetimeRange(PostgresType.TIME, "24:00:00");
        }
        return CellValues.time(micros);
    }

    private static long days(Object value) {
        return DatetimeForm.ofCellDay(CellValues.days((LocalDate) value));
    }

    private static long micros(Object value) {
        return DatetimeForm.ofCellMicros(CellValues.micros((LocalDateTime) value));
    }

    private static long momentMicros(Object value) {
        return DatetimeForm.ofCellMicros(ZonedTime.micros((Instant) value));
    }

    private static FulmarException noValue(PostgresType type) {
        return InvalidValue.unsupported("the type " + type.sqlName() + " has no values; choose another type");
    }
}
