package dev.fulmar.postgres.dialect;

import dev.fulmar.foundation.data.Interval;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.math.BigDecimal;

/**
 * Writes the distance of a frame as a literal of the standard, which has months, days or seconds. The engine's frames
 * know no other intervals.
 */
final class FrameDistance {
    private static final long MICROS_PER_MILLI = 1_000;
    private static final int MOST_DIGITS = 10;

    private FrameDistance() {}

    /**
     * The literal.
     *
     * @throws FulmarException {@link ErrorCode#NOT_SUPPORTED} if it needs several
     */
    static String literal(Interval interval) {
        boolean hasMonths = interval.months() != 0;
        boolean hasDays = interval.days() != 0;
        boolean hasTime = interval.micros() != 0;
        if ((hasMonths && (hasDays || hasTime)) || (hasDays && hasTime) || interval.micros() % MICROS_PER_MILLI != 0) {
            throw new FulmarException(
                    ErrorCode.NOT_SUPPORTED,
                    "the distance of a frame is of months, of days or of whole milliseconds; choose one of them");
        }
        if (hasMonths) {
            return literal(Integer.toString(interval.months()), "MONTH", "");
        }
        return hasDays
                ? literal(Integer.toString(interval.days()), "DAY", "")
                : literal(
                        BigDecimal.valueOf(interval.micros(), 6)
                                .stripTrailingZeros()
                                .toPlainString(),
                        "SECOND",
                        ", 6");
    }

    private static String literal(String value, String field, String fraction) {
        int point = value.indexOf('.');
        int digits = (point < 0 ? value.length() : point) - (value.startsWith("-") ? 1 : 0);
        if (digits > MOST_DIGITS) {
            throw new FulmarException(ErrorCode.DATETIME_OUT_OF_RANGE, "the distance of a frame has at most 10 digits");
        }
        return "INTERVAL '" + value + "' " + field + "(" + Math.max(2, digits) + fraction + ")";
    }
}
