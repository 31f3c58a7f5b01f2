package dev.fulmar.engine.execution.value;

import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.util.Locale;

/** Dates as days, times and timestamps as microseconds. Years 1 to 9999, proleptic Gregorian, no zone. */
public final class Temporals {
    public static final long MICROS_PER_SECOND = 1_000_000;
    public static final long MICROS_PER_DAY = 86_400 * MICROS_PER_SECOND;
    /** 0001-01-01. */
    public static final long MIN_DAY = LocalDate.of(1, 1, 1).toEpochDay();
    /** 9999-12-31. */
    public static final long MAX_DAY = LocalDate.of(9999, 12, 31).toEpochDay();

    public static final long MIN_TIMESTAMP = MIN_DAY * MICROS_PER_DAY;
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

    /** The value if it is one of the kind. */
    public static long checked(long value, TypeKind kind) {
        boolean inside = switch (kind) {
            case DATE -> value >= MIN_DAY && value <= MAX_DAY;
            case TIME -> value >= 0 && value < MICROS_PER_DAY;
            case TIMESTAMP -> value >= MIN_TIMESTAMP && value <= MAX_TIMESTAMP;
            case BOOLEAN, TINYINT, SMALLINT, INTEGER, BIGINT, DECIMAL, REAL, DOUBLE, CHAR, VARCHAR, VARBINARY, UUID ->
                true;
        };
        if (!inside) {
            throw new FulmarException(
                    ErrorCode.VALUE_OUT_OF_RANGE,
                    value + " is no " + kind + "; dates go from year 1 to 9999, times from 0 to 24 h, in microseconds");
        }
        return value;
    }

    public static long parseDate(String text) {
        try {
            return checked(LocalDate.parse(text.strip()).toEpochDay(), TypeKind.DATE);
        } catch (DateTimeException e) {
            throw Texts.invalid(text, ColumnType.of(TypeKind.DATE), "YYYY-MM-DD");
        }
    }

    public static long parseTime(String text) {
        try {
            return LocalTime.parse(text.strip()).toNanoOfDay() / 1000;
        } catch (DateTimeException e) {
            throw Texts.invalid(text, ColumnType.of(TypeKind.TIME), "HH:MM:SS[.ffffff]");
        }
    }

    /** A date, or a date and a time with a blank or T between. */
    public static long parseTimestamp(String text) {
        String stripped = text.strip();
        try {
            if (stripped.length() <= 10) {
                return checked(LocalDate.parse(stripped).toEpochDay(), TypeKind.DATE) * MICROS_PER_DAY;
            }
            String iso =
                    stripped.charAt(10) == ' ' ? stripped.substring(0, 10) + 'T' + stripped.substring(11) : stripped;
            return checked(micros(LocalDateTime.parse(iso)), TypeKind.TIMESTAMP);
        } catch (DateTimeException e) {
            throw Texts.invalid(text, ColumnType.of(TypeKind.TIMESTAMP), "YYYY-MM-DD HH:MM:SS[.ffffff]");
        }
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
        return LocalDate.ofEpochDay(day).toString();
    }

    public static String formatTime(long micros) {
        return TIME_FORMAT.format(LocalTime.ofNanoOfDay(micros * 1000));
    }

    public static String formatTimestamp(long micros) {
        return formatDate(dayOf(micros)) + " " + formatTime(timeOf(micros));
    }
}
