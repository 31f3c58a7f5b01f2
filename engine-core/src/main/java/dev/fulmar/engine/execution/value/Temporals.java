package dev.fulmar.engine.execution.value;

import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.data.ZonedTime;
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
import java.util.regex.Pattern;

/** Dates as days, times and timestamps as microseconds. Years 1 to 9999, proleptic Gregorian, no zone. */
public final class Temporals {
    public static final long MICROS_PER_SECOND = 1_000_000;
    public static final long MICROS_PER_DAY = 86_400 * MICROS_PER_SECOND;
    /** 0001-01-01. */
    public static final long MIN_DAY = LocalDate.of(1, 1, 1).toEpochDay();
    /** 9999-12-31. */
    public static final long MAX_DAY = LocalDate.of(9999, 12, 31).toEpochDay();

    private static final Pattern WRITTEN =
            Pattern.compile("[+-]?\\d+-\\d{2}-\\d{2}([ T]\\d{2}:\\d{2}(:\\d{2}(\\.\\d*)?)?( ?[+-][\\d:]+|Z)?)?"
                    + "|\\d{2}:\\d{2}(:\\d{2}(\\.\\d*)?)?");
    private static final int MOST_CHARACTERS = 64;
    /** Of those that {@link LocalDate} knows. */
    private static final long MOST_SHOWN_DAYS = 365_000_000_000L;

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

    public static long parseDate(String text) {
        try {
            return checked(LocalDate.parse(text.strip()).toEpochDay(), TypeKind.DATE);
        } catch (DateTimeException e) {
            throw invalid(text, TypeKind.DATE, "YYYY-MM-DD");
        }
    }

    public static long parseTime(String text) {
        try {
            return LocalTime.parse(text.strip()).toNanoOfDay() / 1000;
        } catch (DateTimeException e) {
            throw invalid(text, TypeKind.TIME, "HH:MM:SS[.ffffff]");
        }
    }

    /** A date, or a date and a time with a blank or T between, perhaps with the Z of UTC behind. */
    public static long parseTimestamp(String text) {
        String stripped = withoutUtc(text.strip());
        try {
            if (stripped.length() <= 10) {
                return checked(LocalDate.parse(stripped).toEpochDay(), TypeKind.DATE) * MICROS_PER_DAY;
            }
            String iso =
                    stripped.charAt(10) == ' ' ? stripped.substring(0, 10) + 'T' + stripped.substring(11) : stripped;
            return checked(micros(LocalDateTime.parse(iso)), TypeKind.TIMESTAMP);
        } catch (DateTimeException e) {
            throw invalid(text, TypeKind.TIMESTAMP, "YYYY-MM-DD HH:MM:SS[.ffffff]");
        }
    }

    /** A timestamp without a zone is in UTC, so Z behind a time says nothing new; an offset is refused. */
    public static String withoutUtc(String timestamp) {
        int last = timestamp.length() - 1;
        return last > 10 && timestamp.charAt(last) == 'Z' ? timestamp.substring(0, last) : timestamp;
    }

    /** A date, or a date and a time, perhaps with an offset or a zone's name behind it, else in the zone. */
    public static long parseTimestampTz(String text, ZoneId zone) {
        try {
            return checked(ZonedTime.parse(text, zone), TypeKind.TIMESTAMP_TZ);
        } catch (DateTimeException e) {
            throw invalid(text, TypeKind.TIMESTAMP_TZ, "YYYY-MM-DD HH:MM:SS[.ffffff][+HH:MM]");
        }
    }

    /** Written as a date or time, but with a month 13 or an hour 25; or not written as one at all. */
    private static FulmarException invalid(String text, TypeKind kind, String expected) {
        ColumnType type = ColumnType.of(kind);
        return isWrittenAs(text)
                ? new FulmarException(
                        ErrorCode.DATETIME_OUT_OF_RANGE,
                        "'" + text.strip() + "' is no " + type + ", for one of its parts is out of range; write it as "
                                + expected)
                : Texts.invalid(text, type, expected);
    }

    /** Whether numbers stand where those of a date or a time do. */
    private static boolean isWrittenAs(String text) {
        return text.length() <= MOST_CHARACTERS && WRITTEN.matcher(text.strip()).matches();
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
        return formatDate(dayOf(micros)) + " " + formatTime(timeOf(micros));
    }
}
