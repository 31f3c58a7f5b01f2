package dev.fulmar.foundation.data;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Locale;

/**
 * The values of DATE, TIMESTAMP and TIMESTAMP WITH TIME ZONE that lie behind and before all others: infinity and
 * -infinity of PostgreSQL. Each is held as a day, or as the microsecond at the begin of that day, so that order,
 * equality, and casts between the types need no case of their own.
 *
 * <p>The day is far from the years that are values, so that what is computed from an infinity by mistake is out of
 * range and not a date. It is near enough for the difference of both infinities to fit in a long.
 *
 * <p>As Java's objects they are the greatest and the least of each class, as in PostgreSQL's driver.
 */
public final class InfiniteTime {
    private static final long MICROS_PER_DAY = 86_400_000_000L;

    /** The day of infinity; that of -infinity is its negative. */
    public static final long DAY = 50_000_000;

    /** The microsecond of infinity; that of -infinity is its negative. */
    public static final long MICROS = DAY * MICROS_PER_DAY;

    private static final String TEXT = "infinity";

    private InfiniteTime() {}

    public static boolean isDay(long day) {
        return day == DAY || day == -DAY;
    }

    public static boolean isMoment(long micros) {
        return micros == MICROS || micros == -MICROS;
    }

    /** Whether the value is an infinity of the kind. */
    public static boolean is(long value, TypeKind kind) {
        return switch (kind) {
            case DATE -> isDay(value);
            case TIMESTAMP, TIMESTAMP_TZ -> isMoment(value);
            default -> false;
        };
    }

    /** The text of an infinity, which is known by its sign. */
    public static String text(long infinity) {
        return infinity > 0 ? TEXT : "-" + TEXT;
    }

    /** 1 or -1 if the text is that of an infinity, in any case, else 0. */
    public static int ofText(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case TEXT -> 1;
            case "-infinity" -> -1;
            default -> 0;
        };
    }

    /** The date of a text in ISO's form, or an infinity. */
    public static LocalDate readDate(String text) {
        int sign = ofText(text);
        return sign == 0 ? LocalDate.parse(text) : date(sign);
    }

    /** The timestamp of a text in ISO's form, in which a blank may stand for the T, or an infinity. */
    public static LocalDateTime readTimestamp(String text) {
        int sign = ofText(text);
        return sign == 0 ? LocalDateTime.parse(text.replace(' ', 'T')) : timestamp(sign);
    }

    /** The text of an infinity as Java's object; that of any other object is its own. */
    public static String textOf(Object value) {
        return switch (value) {
            case LocalDate date when is(date) -> text(date.getYear());
            case LocalDateTime timestamp when is(timestamp) -> text(timestamp.getYear());
            case Instant moment when is(moment) -> text(moment.getEpochSecond());
            default -> value.toString();
        };
    }

    static LocalDate date(long infinity) {
        return infinity > 0 ? LocalDate.MAX : LocalDate.MIN;
    }

    static LocalDateTime timestamp(long infinity) {
        return infinity > 0 ? LocalDateTime.MAX : LocalDateTime.MIN;
    }

    static Instant moment(long infinity) {
        return infinity > 0 ? Instant.MAX : Instant.MIN;
    }

    static boolean is(LocalDate value) {
        return value.equals(LocalDate.MAX) || value.equals(LocalDate.MIN);
    }

    static boolean is(LocalDateTime value) {
        return value.equals(LocalDateTime.MAX) || value.equals(LocalDateTime.MIN);
    }

    static boolean is(Instant value) {
        return value.equals(Instant.MAX) || value.equals(Instant.MIN);
    }

    /** The timestamp in UTC of an instant; infinities stay infinities. */
    public static LocalDateTime inUtc(Instant value) {
        if (is(value)) {
            return value.equals(Instant.MAX) ? LocalDateTime.MAX : LocalDateTime.MIN;
        }
        try {
            return LocalDateTime.ofInstant(value, ZoneOffset.UTC);
        } catch (DateTimeException e) {
            throw new FulmarException(
                    ErrorCode.DATETIME_OUT_OF_RANGE, value + " is no timestamp; years go from 0001 to 9999", e);
        }
    }

    /** The instant of a timestamp in UTC; infinities stay infinities. */
    public static Instant ofUtc(LocalDateTime value) {
        if (is(value)) {
            return value.equals(LocalDateTime.MAX) ? Instant.MAX : Instant.MIN;
        }
        return value.toInstant(ZoneOffset.UTC);
    }

    /** The day of a date that was given as such; fails if it is the one that stands for an infinity. */
    public static long finiteDay(long day) {
        if (isDay(day)) {
            throw tooFar();
        }
        return day;
    }

    /** The day of a moment; fails if it is the one that stands for an infinity, and the moment does not. */
    public static long dayOf(long micros) {
        long day = Math.floorDiv(micros, MICROS_PER_DAY);
        return isMoment(micros) ? day : finiteDay(day);
    }

    /** The microsecond of a moment that was given as such; fails if it is the one that stands for an infinity. */
    public static long finiteMicros(long micros) {
        if (isMoment(micros)) {
            throw tooFar();
        }
        return micros;
    }

    private static FulmarException tooFar() {
        return new FulmarException(
                ErrorCode.DATETIME_OUT_OF_RANGE,
                "a date is 136,000 years from 1970; years go from 0001 to 9999, and infinity is behind all of them");
    }
}
