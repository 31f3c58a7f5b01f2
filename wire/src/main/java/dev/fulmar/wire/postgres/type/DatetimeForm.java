package dev.fulmar.wire.postgres.type;

import dev.fulmar.foundation.data.DateOrder;
import dev.fulmar.foundation.data.InfiniteTime;
import io.netty.buffer.ByteBuf;
import java.time.Instant;
import java.time.ZoneId;

/**
 * Text and binary forms of {@code date}, {@code time}, {@code timestamp} and {@code timestamptz}. Values are Fulmar's:
 * days and microseconds since 1970, and microseconds since midnight. Text is that of the DateStyle ISO.
 */
public final class DatetimeForm {
    /** The day or microsecond that stands for {@code infinity}; cells have another one. */
    public static final long INFINITY = Long.MAX_VALUE;

    /** The day or microsecond that stands for {@code -infinity}. */
    public static final long NEGATIVE_INFINITY = Long.MIN_VALUE;

    static final long MICROS_PER_SECOND = 1_000_000;
    static final long MICROS_PER_DAY = 86_400 * MICROS_PER_SECOND;

    /** 2000-01-01, from which PostgreSQL counts. */
    private static final long POSTGRES_EPOCH_DAYS = 10_957;

    private static final long POSTGRES_EPOCH_MICROS = POSTGRES_EPOCH_DAYS * MICROS_PER_DAY;
    private static final long LEAST_POSTGRES_DAYS = -2_451_545;
    private static final long MOST_POSTGRES_DAYS = 2_145_031_948;
    private static final long LEAST_POSTGRES_MICROS = -211_813_488_000_000_000L;
    private static final long MOST_POSTGRES_MICROS = 9_223_371_331_199_999_999L;
    private static final long SECONDS_PER_MINUTE = 60;
    private static final long SECONDS_PER_HOUR = 3_600;
    private static final int MICRO_DIGITS = 6;
    private static final String INFINITY_TEXT = "infinity";
    private static final String NEGATIVE_INFINITY_TEXT = "-infinity";

    private DatetimeForm() {}

    /** The day of a cell as this form has it: an infinity is another number. */
    static long ofCellDay(long day) {
        return InfiniteTime.isDay(day) ? infinity(day) : day;
    }

    /** The microsecond of a cell as this form has it. */
    static long ofCellMicros(long micros) {
        return InfiniteTime.isMoment(micros) ? infinity(micros) : micros;
    }

    private static long infinity(long sign) {
        return sign > 0 ? INFINITY : NEGATIVE_INFINITY;
    }

    /** The day as cells and parameters have it; the one that stands for an infinity there is refused. */
    public static long cellDay(long days) {
        if (isInfinite(days)) {
            return days > 0 ? InfiniteTime.DAY : -InfiniteTime.DAY;
        }
        return InfiniteTime.finiteDay(days);
    }

    /** The microsecond as cells and parameters have it; the one that stands for an infinity there is refused. */
    public static long cellMicros(long micros) {
        if (isInfinite(micros)) {
            return micros > 0 ? InfiniteTime.MICROS : -InfiniteTime.MICROS;
        }
        return InfiniteTime.finiteMicros(micros);
    }

    /** Whether the day or microsecond stands for an infinity. */
    public static boolean isInfinite(long number) {
        return number == INFINITY || number == NEGATIVE_INFINITY;
    }

    /** Appends a date. */
    public static void writeDate(ByteBuf out, long days) {
        if (writeInfinity(out, days)) {
            return;
        }
        long date = CivilDate.ofDays(days);
        writeDay(out, date);
        writeEra(out, date);
    }

    /** Appends a time of day. */
    public static void writeTime(ByteBuf out, long micros) {
        long seconds = micros / MICROS_PER_SECOND;
        IntegerForm.writeDigits(out, seconds / SECONDS_PER_HOUR, 2);
        out.writeByte(':');
        IntegerForm.writeDigits(out, seconds / SECONDS_PER_MINUTE % SECONDS_PER_MINUTE, 2);
        out.writeByte(':');
        IntegerForm.writeDigits(out, seconds % SECONDS_PER_MINUTE, 2);
        writeFraction(out, micros % MICROS_PER_SECOND);
    }

    /** Appends a point and the digits of a fraction of a second that matter, or nothing for 0. */
    static void writeFraction(ByteBuf out, long micros) {
        if (micros == 0) {
            return;
        }
        int digits = MICRO_DIGITS;
        long rest = micros;
        while (rest % 10 == 0) {
            rest /= 10;
            digits--;
        }
        out.writeByte('.');
        IntegerForm.writeDigits(out, rest, digits);
    }

    /** Appends a timestamp. */
    public static void writeTimestamp(ByteBuf out, long micros) {
        if (writeInfinity(out, micros)) {
            return;
        }
        long date = CivilDate.ofDays(Math.floorDiv(micros, MICROS_PER_DAY));
        writeDay(out, date);
        out.writeByte(' ');
        writeTime(out, Math.floorMod(micros, MICROS_PER_DAY));
        writeEra(out, date);
    }

    /** Appends a moment as it is in the zone, with the zone's offset then. */
    public static void writeTimestampTz(ByteBuf out, long micros, ZoneId zone) {
        if (writeInfinity(out, micros)) {
            return;
        }
        long second = Math.floorDiv(micros, MICROS_PER_SECOND);
        int offset = zone.getRules().getOffset(Instant.ofEpochSecond(second)).getTotalSeconds();
        long localSecond = second + offset;
        long day = Math.floorDiv(localSecond, MICROS_PER_DAY / MICROS_PER_SECOND);
        long date = CivilDate.ofDays(day);
        long secondOfDay = localSecond - day * (MICROS_PER_DAY / MICROS_PER_SECOND);
        writeDay(out, date);
        out.writeByte(' ');
        writeTime(out, secondOfDay * MICROS_PER_SECOND + Math.floorMod(micros, MICROS_PER_SECOND));
        writeOffset(out, offset);
        writeEra(out, date);
    }

    private static void writeOffset(ByteBuf out, int offsetSeconds) {
        long seconds = Math.abs(offsetSeconds);
        out.writeByte(offsetSeconds < 0 ? '-' : '+');
        IntegerForm.writeDigits(out, seconds / SECONDS_PER_HOUR, 2);
        if (seconds % SECONDS_PER_HOUR != 0) {
            out.writeByte(':');
            IntegerForm.writeDigits(out, seconds / SECONDS_PER_MINUTE % SECONDS_PER_MINUTE, 2);
            if (seconds % SECONDS_PER_MINUTE != 0) {
                out.writeByte(':');
                IntegerForm.writeDigits(out, seconds % SECONDS_PER_MINUTE, 2);
            }
        }
    }

    private static boolean writeInfinity(ByteBuf out, long value) {
        if (value == INFINITY) {
            FloatForm.writeAscii(out, INFINITY_TEXT);
        } else if (value == NEGATIVE_INFINITY) {
            FloatForm.writeAscii(out, NEGATIVE_INFINITY_TEXT);
        }
        return isInfinite(value);
    }

    private static void writeDay(ByteBuf out, long date) {
        long year = CivilDate.year(date);
        IntegerForm.writeDigits(out, year > 0 ? year : 1 - year, 4);
        out.writeByte('-');
        IntegerForm.writeDigits(out, CivilDate.month(date), 2);
        out.writeByte('-');
        IntegerForm.writeDigits(out, CivilDate.day(date), 2);
    }

    private static void writeEra(ByteBuf out, long date) {
        if (CivilDate.year(date) <= 0) {
            FloatForm.writeAscii(out, " BC");
        }
    }

    /** Appends days since 2000 in 32 bits. */
    public static void writeBinaryDate(ByteBuf out, long days) {
        if (isInfinite(days)) {
            out.writeInt(days == INFINITY ? Integer.MAX_VALUE : Integer.MIN_VALUE);
            return;
        }
        long counted = days - POSTGRES_EPOCH_DAYS;
        if (counted < LEAST_POSTGRES_DAYS || counted > MOST_POSTGRES_DAYS) {
            throw InvalidValue.datetimeRange(PostgresType.DATE, days + " days from 1970");
        }
        out.writeInt((int) counted);
    }

    /** Appends microseconds since midnight in 64 bits. */
    public static void writeBinaryTime(ByteBuf out, long micros) {
        out.writeLong(micros);
    }

    /** Appends microseconds since 2000 in 64 bits: a timestamp, or a moment in UTC. */
    public static void writeBinaryTimestamp(ByteBuf out, long micros) {
        if (isInfinite(micros)) {
            out.writeLong(micros);
            return;
        }
        if (micros < LEAST_POSTGRES_MICROS + POSTGRES_EPOCH_MICROS) {
            throw InvalidValue.datetimeRange(PostgresType.TIMESTAMP, micros + " microseconds from 1970");
        }
        out.writeLong(micros - POSTGRES_EPOCH_MICROS);
    }

    /** Reads a date: days since 1970, or an infinity. */
    public static long parseDate(byte[] text, int from, int to) {
        return parseDate(text, from, to, DateOrder.MDY);
    }

    /** The same in the order of a session. */
    public static long parseDate(byte[] text, int from, int to, DateOrder order) {
        PlainDatetime plain = new PlainDatetime(text, from, to);
        if (plain.read()) {
            return plain.days();
        }
        long days = new WrittenForm(PostgresType.DATE, text, from, to, order).days();
        return isInfinite(days) ? days : checkedDays(days, text, from, to);
    }

    private static long checkedDays(long days, byte[] text, int from, int to) {
        long counted = days - POSTGRES_EPOCH_DAYS;
        if (counted < LEAST_POSTGRES_DAYS || counted > MOST_POSTGRES_DAYS) {
            throw InvalidValue.datetimeRange(PostgresType.DATE, InvalidValue.shown(text, from, to));
        }
        return days;
    }

    /** Reads a time of day: microseconds since midnight, at most those of a day. */
    public static long parseTime(byte[] text, int from, int to) {
        return parseTime(text, from, to, DateOrder.MDY);
    }

    /** The same, where a date before it is in the order of a session. */
    public static long parseTime(byte[] text, int from, int to, DateOrder order) {
        return new WrittenForm(PostgresType.TIME, text, from, to, order).timeMicros();
    }

    /** Reads a timestamp, whose zone counts for nothing: microseconds since 1970, or an infinity. */
    public static long parseTimestamp(byte[] text, int from, int to) {
        return parseTimestamp(text, from, to, DateOrder.MDY);
    }

    /** The same in the order of a session. */
    public static long parseTimestamp(byte[] text, int from, int to, DateOrder order) {
        PlainDatetime plain = new PlainDatetime(text, from, to);
        if (plain.read()) {
            return plain.localMicros();
        }
        long micros = new WrittenForm(PostgresType.TIMESTAMP, text, from, to, order).localMicros();
        return isInfinite(micros) ? micros : checkedMicros(PostgresType.TIMESTAMP, micros, text, from, to);
    }

    /**
     * Reads a moment, in the session's zone unless the text has one: microseconds since 1970 in UTC, or an infinity.
     */
    public static long parseTimestampTz(byte[] text, int from, int to, ZoneId session) {
        PlainDatetime plain = new PlainDatetime(text, from, to);
        if (plain.read() && plain.hasOffset()) {
            return plain.instantMicros();
        }
        long micros = new WrittenForm(PostgresType.TIMESTAMPTZ, text, from, to, DateOrder.MDY).instantMicros(session);
        return isInfinite(micros) ? micros : checkedMicros(PostgresType.TIMESTAMPTZ, micros, text, from, to);
    }

    private static long checkedMicros(PostgresType type, long micros, byte[] text, int from, int to) {
        if (micros < LEAST_POSTGRES_MICROS + POSTGRES_EPOCH_MICROS || micros == INFINITY) {
            throw InvalidValue.datetimeRange(type, InvalidValue.shown(text, from, to));
        }
        return micros;
    }

    /** Reads days since 2000 in 32 bits: days since 1970, or an infinity. */
    public static long decodeDate(byte[] bytes) {
        long counted = IntegerForm.bits(PostgresType.DATE, bytes);
        if (counted == Integer.MAX_VALUE || counted == Integer.MIN_VALUE) {
            return counted > 0 ? INFINITY : NEGATIVE_INFINITY;
        }
        if (counted < LEAST_POSTGRES_DAYS || counted > MOST_POSTGRES_DAYS) {
            throw InvalidValue.datetimeRange(PostgresType.DATE, counted + " days from 2000");
        }
        return counted + POSTGRES_EPOCH_DAYS;
    }

    /** Reads microseconds since midnight in 64 bits. */
    public static long decodeTime(byte[] bytes) {
        long micros = IntegerForm.bits(PostgresType.TIME, bytes);
        if (micros < 0 || micros > MICROS_PER_DAY) {
            throw InvalidValue.datetimeRange(PostgresType.TIME, micros + " microseconds");
        }
        return micros;
    }

    /** Reads microseconds since 2000 in 64 bits, of a timestamp or of a moment: those since 1970, or an infinity. */
    public static long decodeTimestamp(byte[] bytes) {
        long counted = IntegerForm.bits(PostgresType.TIMESTAMP, bytes);
        if (isInfinite(counted)) {
            return counted;
        }
        if (counted < LEAST_POSTGRES_MICROS
                || counted > MOST_POSTGRES_MICROS
                || counted > Long.MAX_VALUE - 1 - POSTGRES_EPOCH_MICROS) {
            throw InvalidValue.datetimeRange(PostgresType.TIMESTAMP, counted + " microseconds from 2000");
        }
        return counted + POSTGRES_EPOCH_MICROS;
    }
}
