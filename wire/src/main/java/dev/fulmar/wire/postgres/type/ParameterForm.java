package dev.fulmar.wire.postgres.type;

import dev.fulmar.foundation.data.CellValues;
import dev.fulmar.foundation.data.Interval;
import dev.fulmar.foundation.data.ParameterWriter;
import dev.fulmar.foundation.data.ZonedTime;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.wire.postgres.message.ValueFormat;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Translation of the parameters of a Bind into Fulmar's parameter list. */
public final class ParameterForm {
    private static final int MOST_DECIMAL_DIGITS = 38;

    private ParameterForm() {}

    /**
     * Appends one parameter. A {@code timestamptz} becomes the timestamp that the zone's clocks show then. Fulmar has
     * no values for infinities and for a {@code numeric} that is no number: they are out of range.
     */
    public static void add(
            ParameterWriter out, PostgresType type, ValueFormat format, byte @Nullable [] value, ZoneId zone) {
        if (value == null) {
            out.addNull();
            return;
        }
        boolean isText = format == ValueFormat.TEXT;
        switch (type) {
            case BOOL -> out.add(isText ? BooleanForm.parse(value, 0, value.length) : BooleanForm.decode(value));
            case INT2, INT4, INT8, OID, REGCLASS ->
                out.add(isText ? IntegerForm.parse(type, value, 0, value.length) : IntegerForm.decode(type, value));
            case FLOAT4 ->
                out.add((double)
                        (isText ? FloatForm.parseFloat(value, 0, value.length) : FloatForm.decodeFloat(value)));
            case FLOAT8 -> out.add(isText ? FloatForm.parse(value, 0, value.length) : FloatForm.decode(value));
            case NUMERIC ->
                addNumeric(out, isText ? NumericForm.parse(value, 0, value.length) : NumericBinaryForm.decode(value));
            case TEXT, VARCHAR, BPCHAR, NAME, UNKNOWN, JSON, CHAR -> {
                CharacterForm.check(value, 0, value.length);
                out.addUtf8(value, 0, value.length);
            }
            case BYTEA -> out.add(isText ? ByteaForm.parse(value, 0, value.length) : value);
            case DATE -> {
                long days = isText ? DatetimeForm.parseDate(value, 0, value.length) : DatetimeForm.decodeDate(value);
                out.addDate(DatetimeForm.cellDay(days));
            }
            case TIME -> out.addTime(timeOfDay(value, isText));
            case TIMESTAMP -> {
                long micros = isText
                        ? DatetimeForm.parseTimestamp(value, 0, value.length)
                        : DatetimeForm.decodeTimestamp(value);
                out.addTimestamp(DatetimeForm.cellMicros(micros));
            }
            case TIMESTAMPTZ -> out.add(local(ValueForm.read(type, format, value, zone), zone));
            case UUID -> out.add(uuid(value, isText));
            case JSONB -> out.add((String) ValueForm.read(type, format, value, zone));
            case INTERVAL ->
                out.add((isText ? IntervalForm.parse(value, 0, value.length) : IntervalForm.decode(value)).toString());
            case VOID ->
                throw InvalidValue.unsupported("a parameter of the type " + type.sqlName() + " is not supported; "
                        + "write the value into the statement");
        }
    }

    /** Numbers of few digits go as such, and all others as text, which a NUMERIC is made of. */
    private static void addNumeric(ParameterWriter out, NumericValue value) {
        switch (value) {
            case NumericValue.Finite(BigDecimal number)
            when number.precision() <= MOST_DECIMAL_DIGITS && Math.abs(number.scale()) <= MOST_DECIMAL_DIGITS ->
                out.add(number);
            case NumericValue.Finite(BigDecimal number) -> out.add(number.toPlainString());
            case NumericValue.Special special -> out.add(special.text());
        }
    }

    /**
     * Appends one parameter that is to be an instant. A timestamp or date without zone, and a text without one, is of
     * the zone.
     */
    public static void addInstant(
            ParameterWriter out, PostgresType type, ValueFormat format, byte @Nullable [] value, ZoneId zone) {
        if (value == null) {
            out.addNull();
            return;
        }
        PostgresType read = type.isText() ? PostgresType.TIMESTAMPTZ : type;
        switch (ValueForm.read(read, type.isText() ? ValueFormat.TEXT : format, value, zone)) {
            case Instant instant -> out.addTimestamp(ZonedTime.micros(instant));
            case LocalDateTime local -> out.addTimestamp(ZonedTime.instant(CellValues.micros(local), zone));
            case LocalDate day -> out.addTimestamp(ZonedTime.instant(beginOf(day), zone));
            default -> add(out, type, format, value, zone); // which the engine refuses
        }
    }

    /** Appends an array as one parameter. */
    public static void addArray(
            ParameterWriter out, PostgresType element, ValueFormat format, byte @Nullable [] value, ZoneId zone) {
        if (value == null) {
            out.addNull();
            return;
        }
        List<@Nullable Object> values = elements(element, format, value, zone, false);
        if (values.contains(null)) {
            throw InvalidValue.unsupported("an array with NULL is not supported as a parameter; leave it out");
        }
        out.addArray(values.toArray());
    }

    /** Appends an array as its text, of which a parameter that is an array is made. */
    public static void addArrayText(
            ParameterWriter out, PostgresType element, ValueFormat format, byte @Nullable [] value, ZoneId zone) {
        if (value == null) {
            out.addNull();
            return;
        }
        List<@Nullable Object> values = format == ValueFormat.TEXT
                ? ArrayForm.parse(element, value, 0, value.length, zone)
                : ArrayForm.decode(element, value, zone);
        ByteBuf text = Unpooled.buffer(value.length);
        ArrayForm.writeText(text, element, values, zone);
        out.addUtf8(text.array(), 0, text.writerIndex());
    }

    /**
     * The elements of an array, as objects that a parameter list takes.
     *
     * @param isInstant whether they are to be instants; else a {@code timestamptz} is what clocks of the zone show then
     */
    public static List<@Nullable Object> elements(
            PostgresType element, ValueFormat format, byte[] value, ZoneId zone, boolean isInstant) {
        List<@Nullable Object> values = format == ValueFormat.TEXT
                ? ArrayForm.parse(element, value, 0, value.length, zone)
                : ArrayForm.decode(element, value, zone);
        values.replaceAll(each -> each == null ? null : taken(each, zone, isInstant));
        return values;
    }

    private static Object taken(Object value, ZoneId zone, boolean isInstant) {
        return switch (value) {
            case NumericValue.Special special -> finite(special);
            case Interval interval -> interval.toString();
            case Instant moment -> isInstant ? moment : local(moment, zone);
            case LocalDateTime local
            when isInstant -> ZonedTime.instant(ZonedTime.instant(CellValues.micros(local), zone));
            case LocalDate day when isInstant -> ZonedTime.instant(ZonedTime.instant(beginOf(day), zone));
            default -> value;
        };
    }

    private static long timeOfDay(byte[] value, boolean isText) {
        long micros = isText ? DatetimeForm.parseTime(value, 0, value.length) : DatetimeForm.decodeTime(value);
        if (micros >= DatetimeForm.MICROS_PER_DAY) {
            throw InvalidValue.datetimeRange(PostgresType.TIME, "24:00:00");
        }
        return micros;
    }

    private static UUID uuid(byte[] value, boolean isText) {
        return isText ? UuidForm.parse(value, 0, value.length) : UuidForm.decode(value);
    }

    /** Also of an infinity. */
    private static long beginOf(LocalDate day) {
        return CellValues.days(day) * DatetimeForm.MICROS_PER_DAY;
    }

    private static BigDecimal finite(NumericValue value) {
        return switch (value) {
            case NumericValue.Finite(BigDecimal number) -> number;
            case NumericValue.Special special ->
                throw new FulmarException(
                        ErrorCode.VALUE_OUT_OF_RANGE,
                        "no DECIMAL is " + special.text() + "; choose DOUBLE, which has this value");
        };
    }

    private static LocalDateTime local(Object moment, ZoneId zone) {
        return CellValues.timestamp(ZonedTime.local(ZonedTime.micros((Instant) moment), zone));
    }
}
