package dev.fulmar.foundation.data;

import dev.fulmar.foundation.error.FulmarException;
import java.util.function.Supplier;

/**
 * The parts of an interval while it is read. Fractions go down: those of years become months, those of months and weeks
 * days, those of days microseconds, as in PostgreSQL. Each addition says whether its sum fits.
 */
final class IntervalParts {
    private int years;
    private int months;
    private int days;
    private long micros;

    /** The interval; fails with the error if its months do not fit. */
    Interval interval(Supplier<FulmarException> tooLong) {
        long all = (long) years * Interval.MONTHS_PER_YEAR + months;
        if (all != (int) all) {
            throw tooLong.get();
        }
        return new Interval((int) all, days, micros);
    }

    boolean negate() {
        if (years == Integer.MIN_VALUE || months == Integer.MIN_VALUE || days == Integer.MIN_VALUE) {
            return false;
        }
        years = -years;
        months = -months;
        days = -days;
        return negateTime();
    }

    boolean negateTime() {
        if (micros == Long.MIN_VALUE) {
            return false;
        }
        micros = -micros;
        return true;
    }

    /** Replaces the microseconds, whatever fractions of days have added to them. */
    boolean setTime(long hour, long minute, long second, long fraction) {
        micros = fraction;
        return addMicros(hour, 0, Interval.MICROS_PER_HOUR)
                && addMicros(minute, 0, Interval.MICROS_PER_MINUTE)
                && addMicros(second, 0, Interval.MICROS_PER_SECOND);
    }

    boolean addMicros(long whole, double fraction, long each) {
        try {
            micros = Math.addExact(micros, Math.multiplyExact(whole, each));
        } catch (ArithmeticException tooLong) {
            return false;
        }
        return addFraction(fraction, each);
    }

    /** A half rounds to zero. */
    boolean addFraction(double fraction, long each) {
        double all = fraction * each;
        long whole = (long) all;
        double rest = all - whole;
        long rounded = rest > 0.5 ? whole + 1 : rest < -0.5 ? whole - 1 : whole;
        try {
            micros = Math.addExact(micros, rounded);
            return true;
        } catch (ArithmeticException tooLong) {
            return false;
        }
    }

    boolean addDays(long whole, double fraction) {
        return addDays(whole, 1) && addFraction(fraction, Interval.MICROS_PER_DAY);
    }

    boolean addWeeks(long whole, double fraction) {
        return addDays(whole, 7) && addFractionOfDays(fraction, 7);
    }

    boolean addMonths(long whole, double fraction) {
        return addMonths(whole) && addFractionOfDays(fraction, Interval.DAYS_PER_MONTH);
    }

    boolean addYearsAndMonths(long wholeYears, long wholeMonths) {
        try {
            return addMonths(
                    Math.addExact(Math.multiplyExact(wholeYears, (long) Interval.MONTHS_PER_YEAR), wholeMonths));
        } catch (ArithmeticException tooLong) {
            return false;
        }
    }

    /** @param each years of the unit */
    boolean addYears(long whole, double fraction, int each) {
        long sum = years + whole * each;
        boolean fits = whole == (int) whole && whole * each == (int) (whole * each) && sum == (int) sum;
        years = (int) sum;
        return fits && addMonths((long) Math.rint(fraction * each * Interval.MONTHS_PER_YEAR));
    }

    private boolean addMonths(long whole) {
        long sum = months + whole;
        boolean fits = whole == (int) whole && sum == (int) sum;
        months = (int) sum;
        return fits;
    }

    private boolean addDays(long whole, int each) {
        boolean fits = whole == (int) whole && whole * each == (int) (whole * each);
        long sum = days + whole * each;
        days = (int) sum;
        return fits && sum == (int) sum;
    }

    private boolean addFractionOfDays(double fraction, int each) {
        double all = fraction * each;
        int whole = (int) all;
        return addDays(whole, 1) && addFraction(all - whole, Interval.MICROS_PER_DAY);
    }
}
