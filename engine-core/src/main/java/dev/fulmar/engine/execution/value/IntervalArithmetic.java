package dev.fulmar.engine.execution.value;

import dev.fulmar.foundation.data.Interval;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;

/**
 * Arithmetic of intervals in place, as PostgreSQL computes it (interval_pl, interval_mul and their kind). Months, days
 * and microseconds stay apart, but for fractions of months and days, which go down.
 */
public final class IntervalArithmetic {
    private static final int SECONDS_PER_DAY = 86_400;

    private IntervalArithmetic() {}

    /** Turns the bits of an interval into all of its microseconds, where a month is 30 days of 24 hours. */
    public static void toSpan(WideValue interval) {
        long micros = interval.low();
        interval.setProduct(days(interval.high()), Interval.MICROS_PER_DAY);
        interval.add(micros >> (Long.SIZE - 1), micros);
    }

    private static long days(long high) {
        return (long) Interval.months(high) * Interval.DAYS_PER_MONTH + Interval.days(high);
    }

    /** The order of two intervals by their bits. */
    public static int compare(long high, long low, long otherHigh, long otherLow) {
        long day = days(high) + Math.floorDiv(low, Interval.MICROS_PER_DAY);
        long otherDay = days(otherHigh) + Math.floorDiv(otherLow, Interval.MICROS_PER_DAY);
        return day != otherDay
                ? Long.compare(day, otherDay)
                : Long.compare(
                        Math.floorMod(low, Interval.MICROS_PER_DAY), Math.floorMod(otherLow, Interval.MICROS_PER_DAY));
    }

    /** Adds an interval by its bits. */
    public static void add(WideValue interval, long high, long low) {
        try {
            int months = Math.addExact(Interval.months(interval.high()), Interval.months(high));
            int days = Math.addExact(Interval.days(interval.high()), Interval.days(high));
            interval.set(Interval.high(months, days), Math.addExact(interval.low(), low));
        } catch (ArithmeticException tooLong) {
            throw outOfRange();
        }
    }

    /** Takes an interval away, by its bits. */
    public static void subtract(WideValue interval, long high, long low) {
        try {
            int months = Math.subtractExact(Interval.months(interval.high()), Interval.months(high));
            int days = Math.subtractExact(Interval.days(interval.high()), Interval.days(high));
            interval.set(Interval.high(months, days), Math.subtractExact(interval.low(), low));
        } catch (ArithmeticException tooLong) {
            throw outOfRange();
        }
    }

    public static void negate(WideValue interval) {
        long high = interval.high();
        long low = interval.low();
        interval.set(0, 0);
        subtract(interval, high, low);
    }

    public static void multiply(WideValue interval, double factor) {
        int months = Interval.months(interval.high());
        int days = Interval.days(interval.high());
        set(interval, months * factor, days * factor, interval.low() * factor);
    }

    /** Divides by a number; one by 0 is an error. */
    public static void divide(WideValue interval, double divisor) {
        if (divisor == 0) {
            throw new FulmarException(
                    ErrorCode.DIVISION_BY_ZERO,
                    "an interval is divided by zero; NULLIF(divisor, 0) yields NULL instead");
        }
        int months = Interval.months(interval.high());
        int days = Interval.days(interval.high());
        set(interval, months / divisor, days / divisor, interval.low() / divisor);
    }

    /** Sets an interval of parts with fractions: those of months become days, and those of days microseconds. */
    private static void set(WideValue interval, double months, double days, double micros) {
        int wholeMonths = whole(months);
        long wholeDays = whole(days);
        double daysOfMonths = rounded((months - wholeMonths) * Interval.DAYS_PER_MONTH);
        double seconds = rounded((days - wholeDays + daysOfMonths - (int) daysOfMonths) * SECONDS_PER_DAY);
        if (Math.abs(seconds) >= SECONDS_PER_DAY) {
            int more = (int) (seconds / SECONDS_PER_DAY);
            wholeDays += more;
            seconds -= (double) more * SECONDS_PER_DAY;
        }
        wholeDays += (int) daysOfMonths;
        double all = Math.rint(micros + seconds * Interval.MICROS_PER_SECOND);
        boolean fits = all >= -0x1p63 && all < 0x1p63 && wholeDays == (int) wholeDays; // and is a number
        if (!fits) {
            throw outOfRange();
        }
        interval.set(Interval.high(wholeMonths, (int) wholeDays), (long) all);
    }

    private static int whole(double value) {
        boolean fits = value >= Integer.MIN_VALUE && value <= Integer.MAX_VALUE; // and is a number
        if (!fits) {
            throw outOfRange();
        }
        return (int) value;
    }

    /** To microseconds, so that sums of fractions that are whole become whole. */
    private static double rounded(double value) {
        return Math.rint(value * Interval.MICROS_PER_SECOND) / Interval.MICROS_PER_SECOND;
    }

    static FulmarException outOfRange() {
        return new FulmarException(
                ErrorCode.DATETIME_OUT_OF_RANGE, "interval out of range; it has 2,147,483,647 months and days at most");
    }
}
