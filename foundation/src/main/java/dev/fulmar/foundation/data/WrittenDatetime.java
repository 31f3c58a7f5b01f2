package dev.fulmar.foundation.data;

import java.time.DateTimeException;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;

/**
 * A date, a time, or both, as a text says it, in the forms that PostgreSQL takes.
 *
 * @param days since 1970, or from today, as the form says; 0 where the text has no date
 * @param timeMicros since midnight; those of a day for 24:00:00
 * @param zone the zone or offset in the text, or null
 */
public record WrittenDatetime(
        Form form, long days, long timeMicros, @Nullable ZoneId zone) {
    private static final long MICROS_PER_DAY = 86_400_000_000L;

    /** Meaning of a text. */
    public enum Form {
        DATE,
        /** A day that is counted from today. */
        FROM_TODAY,
        /** The time of the transaction. */
        NOW,
        EPOCH,
        INFINITY,
        NEGATIVE_INFINITY
    }

    /**
     * Reads a date, perhaps with a time and a zone.
     *
     * @throws DatetimeTextException if the text is none
     */
    public static WrittenDatetime parse(String text, DateOrder order) {
        return new DatetimeReader(text, order, false).read();
    }

    /**
     * Reads a time, perhaps with a zone, and a date that tells the offset in the zone.
     *
     * @throws DatetimeTextException if the text is none
     */
    public static WrittenDatetime parseTime(String text, DateOrder order) {
        return new DatetimeReader(text, order, true).read();
    }

    /** Microseconds since 1970 as clocks show them; fails where a long does not hold them. */
    public long localMicros() {
        try {
            return Math.addExact(Math.multiplyExact(days, MICROS_PER_DAY), timeMicros);
        } catch (ArithmeticException e) {
            throw new DateTimeException("too far from 1970", e);
        }
    }

    /** Microseconds since 1970 in UTC, where a text without a zone is in the given one. */
    public long instantMicros(ZoneId otherwise) {
        return ZonedTime.instant(localMicros(), zone == null ? otherwise : zone);
    }
}
