package dev.fulmar.engine.execution.value;

import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.DateOrder;
import dev.fulmar.foundation.data.DatetimeTextException;
import dev.fulmar.foundation.data.InfiniteTime;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.util.Locale;

/**
 * Dates as days, times and timestamps as microseconds. Years 1 to 9999, proleptic Gregorian, no zone. Besides there are
 * {@link InfiniteTime infinity and -infinity} of dates and timestamps.
 */
public final class Temporals {
    public static final long MICROS_PER_SECOND = 1_000_000;
    public static final long MICROS_PER_DAY = 86_400 * MICROS_PER_SECOND;
    /** 0001-01-01. */
    public static final long MIN_DAY = LocalDate.of(1, 1, 1).toEpochDay();
    /** 9999-12-31. */
    public static final long MAX_DAY = LocalDate.of(9999, 12, 31).toEpochDay();

    /** Of those that {@link LocalDate} knows. */
    private static final long MOST_SHOWN_DAYS = 365_000_000_000L;

    public static final long MIN_TIMESTAMP = MIN_DAY * MICROS_PER_DAY;
    private static final long EPOCH_2000 = LocalDate.of(2000, 1, 1).toEpochDay() * MICROS_PER_DAY;

    public static final long MAX_TIMESTAMP = MAX_DAY * MICROS_PER_DAY + MICROS_PER_DAY - 1;

    private static final DateTimeFormatter TIME_FORMAT = new DateTimeFormatterBuilder()
            .appendPattern("HH:mm:ss")
            .appendFraction(ChronoField.MICRO_OF_SECOND, 0, 6, true)
            .toFormatter(Locale.ROOT);

    private Temporals() {}

    public static long dayOf(long timestampMicros) {
        return Math.floorDiv(timestampMicros, MICROS_PER_DAY);
    }

    public static long timeOf(long timestampMicros) {
        return Math.floorMod(timestampMicros, MICROS_PER_DAY);
    }

    /**
     * The time with as many digits of its seconds as the type says. Of two that are as near, it is the one further from
     * the begin of 2000, as in PostgreSQL.
     */
    public static long rounded(long micros, ColumnType type) {
        if (InfiniteTime.is(micros, type.kind())) {
            return micros;
        }
        long unit = 1;
        for (int i = type.secondDigits(); i < ColumnType.SECOND_DIGITS; i++) {
            unit *= 10;
        }
        long begin = type.kind() == TypeKind.TIME ? 0 : EPOCH_2000;
        long distance = micros - begin;
        long magnitude = (Math.abs(distance) + unit / 2) / unit * unit;
        return checked(begin + (distance < 0 ? -magnitude : magnitude), type.kind());
    }

    /** Whether it is a value of the kind, which may be an infinity. */
    public static boolean isValue(long value, TypeKind kind) {
        return ValueRange.has(value, kind);
    }

    /** The finite value that a date or timestamp has; the operation names what has none of an infinity. */
    public static long finite(long value, TypeKind kind, String operation) {
        if (InfiniteTime.is(value, kind)) {
            throw infinite(operation);
        }
        return value;
    }

    /** The error of an operation that has no result for infinity. */
    public static FulmarException infinite(String operation) {
        return new FulmarException(
                ErrorCode.DATETIME_OUT_OF_RANGE, "cannot " + operation + "; leave infinities out with ISFINITE");
    }

    /** The value if it is one of the kind in the years 1 to 9999, as what is computed must be. */
    public static long checked(long value, TypeKind kind) {
        boolean inside = switch (kind) {
            case DATE -> value >= MIN_DAY && value <= MAX_DAY;
            case TIME -> value >= 0 && value < MICROS_PER_DAY;
            case TIMESTAMP, TIMESTAMP_TZ -> value >= MIN_TIMESTAMP && value <= MAX_TIMESTAMP;
            case BOOLEAN,
                    TINYINT,
                    SMALLINT,
                    INTEGER,
                    BIGINT,
                    DECIMAL,
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
                    NUMERIC -> true;
        };
        if (!inside) {
            throw ValueRange.outOfRange(value, ColumnType.of(kind));
        }
        return value;
    }

    /** A date in any form; one of numbers alone whose order is not told has the month first. */
    public static long parseDate(String text) {
        return parseDate(text, DateOrder.MDY);
    }

    public static long parseDate(String text, DateOrder order) {
        try {
            return isDate(text)
                    ? checked(LocalDate.parse(text).toEpochDay(), TypeKind.DATE)
                    : WrittenMoments.date(text, order);
        } catch (DateTimeException e) {
            throw invalid(text, TypeKind.DATE, "YYYY-MM-DD", e);
        }
    }

    public static long parseTime(String text) {
        return parseTime(text, DateOrder.MDY);
    }

    public static long parseTime(String text, DateOrder order) {
        try {
            return WrittenMoments.time(text, order);
        } catch (DateTimeException e) {
            throw invalid(text, TypeKind.TIME, "HH:MM:SS[.ffffff]", e);
        }
    }

    /** A date, or a date and a time, in any form. A zone in the text counts for nothing, as in PostgreSQL. */
    public static long parseTimestamp(String text) {
        return parseTimestamp(text, DateOrder.MDY);
    }

    public static long parseTimestamp(String text, DateOrder order) {
        try {
            return isDate(text)
                    ? checked(LocalDate.parse(text).toEpochDay(), TypeKind.DATE) * MICROS_PER_DAY
                    : WrittenMoments.timestamp(text, order);
        } catch (DateTimeException e) {
            throw invalid(text, TypeKind.TIMESTAMP, "YYYY-MM-DD HH:MM:SS[.ffffff]", e);
        }
    }

    /** Whether the text is as long as most dates are, and has the hyphens of ISO 8601. */
    private static boolean isDate(String text) {
        return text.length() == 10 && text.charAt(4) == '-' && text.charAt(7) == '-';
    }

    /** A date, or a date and a time, perhaps with an offset or a zone's name in it, else in the zone. */
    public static long parseTimestampTz(String text, ZoneId zone) {
        return parseTimestampTz(text, zone, DateOrder.MDY);
    }

    public static long parseTimestampTz(String text, ZoneId zone, DateOrder order) {
        try {
            return WrittenMoments.instant(text, zone, order);
        } catch (DateTimeException e) {
            throw invalid(text, TypeKind.TIMESTAMP_TZ, "YYYY-MM-DD HH:MM:SS[.ffffff][+HH:MM]", e);
        }
    }

    /** The code says whether it is written as none, or as one with a month 13 or an hour 25. */
    private static FulmarException invalid(String text, TypeKind kind, String expected, DateTimeException why) {
        ColumnType type = ColumnType.of(kind);
        String shown = Texts.shown(text);
        return switch (why) {
            case DatetimeTextException known
            when known.code() == ErrorCode.INVALID_DATETIME ->
                new FulmarException(
                        ErrorCode.INVALID_DATETIME, "'" + shown + "' is no " + type + "; write it as " + expected);
            case DatetimeTextException known
            when known.code() == ErrorCode.INVALID_ARGUMENT ->
                new FulmarException(known.code(), String.valueOf(known.getMessage()));
            default ->
                new FulmarException(
                        ErrorCode.DATETIME_OUT_OF_RANGE,
                        "'" + shown + "' is no " + type + ", for one of its parts is out of range; write it as "
                                + expected);
        };
    }

    public static long micros(LocalDateTime value) {
        return value.toLocalDate().toEpochDay() * MICROS_PER_DAY
                + value.toLocalTime().toNanoOfDay() / 1000;
    }

    public static LocalDateTime dateTime(long timestampMicros) {
        return LocalDateTime.ofEpochSecond(
                Math.floorDiv(timestampMicros, MICROS_PER_SECOND),
                (int) Math.floorMod(timestampMicros, MICROS_PER_SECOND) * 1000,
                ZoneOffset.UTC);
    }

    public static String formatDate(long day) {
        return InfiniteTime.isDay(day)
                ? InfiniteTime.text(day)
                : LocalDate.ofEpochDay(day).toString();
    }

    /**
     * A date of any year, also of those that no DATE has: 0001-12-31 BC is the day before 0001-01-01.
     *
     * @param time what stands behind the day
     */
    static String shownDate(long day, String time) {
        if (day > MOST_SHOWN_DAYS || day < -MOST_SHOWN_DAYS) {
            return "a date far away";
        }
        LocalDate date = LocalDate.ofEpochDay(day);
        int year = date.getYear();
        return String.format(
                Locale.ROOT,
                "%04d-%02d-%02d%s%s",
                year > 0 ? year : 1 - year,
                date.getMonthValue(),
                date.getDayOfMonth(),
                time,
                year > 0 ? "" : " BC");
    }

    /** A time of the day, also one before its begin or after its end: 24:30:00. */
    static String shownTime(long micros) {
        long magnitude = Math.abs(Math.max(micros, -Long.MAX_VALUE));
        long seconds = magnitude / MICROS_PER_SECOND;
        String fraction = magnitude % MICROS_PER_SECOND == 0
                ? ""
                : String.format(Locale.ROOT, ".%06d", magnitude % MICROS_PER_SECOND);
        return String.format(
                Locale.ROOT,
                "%s%02d:%02d:%02d%s",
                micros < 0 ? "-" : "",
                seconds / 3600,
                seconds / 60 % 60,
                seconds % 60,
                fraction);
    }

    public static String formatTime(long micros) {
        return TIME_FORMAT.format(LocalTime.ofNanoOfDay(micros * 1000));
    }

    public static String formatTimestamp(long micros) {
        if (InfiniteTime.isMoment(micros)) {
            return InfiniteTime.text(micros);
        }
        return formatDate(dayOf(micros)) + " " + formatTime(timeOf(micros));
    }
}
