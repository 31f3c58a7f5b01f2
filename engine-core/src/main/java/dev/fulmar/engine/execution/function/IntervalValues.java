package dev.fulmar.engine.execution.function;

import dev.fulmar.engine.execution.value.Temporals;
import dev.fulmar.engine.plan.ScalarFunction;
import dev.fulmar.foundation.data.InfiniteTime;
import dev.fulmar.foundation.data.Interval;
import dev.fulmar.foundation.data.ZonedTime;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.Map;
import java.util.function.Supplier;

/** Functions that make intervals, and bring them into other forms. */
final class IntervalValues {
    private static final int DAYS_PER_WEEK = 7;

    /** Of a year, in quarters of a day: 365.25 days. */
    private static final long QUARTERS_PER_YEAR = 1_461;

    private static final long QUARTERS_PER_DAY = 4;
    private static final long SECONDS_PER_QUARTER = 21_600;

    private IntervalValues() {}

    static void addTo(Map<ScalarFunction, Supplier<ValueFunction>> functions) {
        functions.put(ScalarFunction.AGE, () -> IntervalValues::age);
        functions.put(ScalarFunction.JUSTIFY_HOURS, () -> in -> withWholeDays((Interval) in[0]));
        functions.put(ScalarFunction.JUSTIFY_DAYS, () -> in -> withWholeMonths((Interval) in[0]));
        functions.put(ScalarFunction.JUSTIFY_INTERVAL, () -> in -> justified((Interval) in[0]));
        functions.put(ScalarFunction.MAKE_INTERVAL, () -> IntervalValues::made);
        functions.put(ScalarFunction.INTERVAL_EPOCH, () -> in -> epoch((Interval) in[0]));
    }

    private static FulmarException outOfRange() {
        return new FulmarException(
                ErrorCode.DATETIME_OUT_OF_RANGE, "interval out of range; it has 2,147,483,647 months and days at most");
    }

    /**
     * The years, months, days and the rest from the second moment to the first. Arguments are the moments, and the zone
     * in which instants have days.
     */
    private static Interval age(Object[] arguments) {
        long to = (Long) arguments[0];
        long from = (Long) arguments[1];
        if (InfiniteTime.isMoment(to) || InfiniteTime.isMoment(from)) {
            throw Temporals.infinite("tell the age of an infinite timestamp");
        }
        boolean isNegative = to < from;
        if (arguments.length > 2) {
            ZoneId zone = ZonedTime.zone((String) arguments[2])
                    .orElseThrow(() -> TextValues.wrong("there is no time zone '" + arguments[2] + "'"));
            to = ZonedTime.local(to, zone);
            from = ZonedTime.local(from, zone);
        }
        LocalDate later = LocalDate.ofEpochDay(Temporals.dayOf(to));
        LocalDate earlier = LocalDate.ofEpochDay(Temporals.dayOf(from));
        int sign = isNegative ? -1 : 1;
        long micros = sign * (Temporals.timeOf(to) - Temporals.timeOf(from));
        int days = sign * (later.getDayOfMonth() - earlier.getDayOfMonth());
        int months = sign
                * (Interval.MONTHS_PER_YEAR * (later.getYear() - earlier.getYear())
                        + later.getMonthValue()
                        - earlier.getMonthValue());
        if (micros < 0) {
            micros += Temporals.MICROS_PER_DAY;
            days--;
        }
        int daysOfMonth = (isNegative ? later : earlier).lengthOfMonth();
        while (days < 0) {
            days += daysOfMonth;
            months--;
        }
        return new Interval(sign * months, sign * days, sign * micros);
    }

    /** Makes days of each 24 hours; days and hours have one sign then. */
    private static Interval withWholeDays(Interval interval) {
        int days = exact((long) interval.days() + interval.micros() / Temporals.MICROS_PER_DAY);
        long micros = interval.micros() % Temporals.MICROS_PER_DAY;
        return ofOneSign(interval.months(), days, micros);
    }

    private static int exact(long number) {
        if (number != (int) number) {
            throw outOfRange();
        }
        return (int) number;
    }

    private static Interval ofOneSign(int months, int days, long micros) {
        if (days > 0 && micros < 0) {
            return new Interval(months, days - 1, micros + Temporals.MICROS_PER_DAY);
        }
        return days < 0 && micros > 0
                ? new Interval(months, days + 1, micros - Temporals.MICROS_PER_DAY)
                : new Interval(months, days, micros);
    }

    /** Makes months of each 30 days; months and days have one sign then. */
    private static Interval withWholeMonths(Interval interval) {
        int months = exact((long) interval.months() + interval.days() / Interval.DAYS_PER_MONTH);
        int days = interval.days() % Interval.DAYS_PER_MONTH;
        if (months > 0 && days < 0) {
            return new Interval(months - 1, days + Interval.DAYS_PER_MONTH, interval.micros());
        }
        return months < 0 && days > 0
                ? new Interval(months + 1, days - Interval.DAYS_PER_MONTH, interval.micros())
                : new Interval(months, days, interval.micros());
    }

    /** Makes days of hours and months of days; all have one sign then. */
    private static Interval justified(Interval interval) {
        long micros = interval.micros() % Temporals.MICROS_PER_DAY;
        long allDays = interval.days() + interval.micros() / Temporals.MICROS_PER_DAY;
        int months = exact(interval.months() + allDays / Interval.DAYS_PER_MONTH);
        int days = (int) (allDays % Interval.DAYS_PER_MONTH);
        if (months > 0 && (days < 0 || (days == 0 && micros < 0))) {
            days += Interval.DAYS_PER_MONTH;
            months--;
        } else if (months < 0 && (days > 0 || (days == 0 && micros > 0))) {
            days -= Interval.DAYS_PER_MONTH;
            months++;
        }
        return ofOneSign(months, days, micros);
    }

    /** years, months, weeks, days, hours, minutes, seconds. */
    private static Interval made(Object[] arguments) {
        double seconds = (Double) arguments[6];
        double fraction = Math.rint(seconds * Temporals.MICROS_PER_SECOND);
        boolean fits = fraction >= -0x1p63 && fraction < 0x1p63; // and is a number
        if (!fits) {
            throw outOfRange();
        }
        try {
            long months = Math.addExact(number(arguments[0]) * Interval.MONTHS_PER_YEAR, number(arguments[1]));
            long days = Math.addExact(number(arguments[2]) * DAYS_PER_WEEK, number(arguments[3]));
            long hours = number(arguments[4]) * Interval.MICROS_PER_HOUR;
            long minutes = number(arguments[5]) * Interval.MICROS_PER_MINUTE;
            return new Interval(
                    exact(months), exact(days), Math.addExact(Math.addExact(hours, minutes), (long) fraction));
        } catch (ArithmeticException tooLong) {
            throw outOfRange();
        }
    }

    /** An INTEGER. */
    private static long number(Object value) {
        long number = (Long) value;
        return exact(number);
    }

    /** The seconds, where a year is 365.25 days and another month is 30. */
    private static BigDecimal epoch(Interval interval) {
        long quarters = QUARTERS_PER_YEAR * (interval.months() / Interval.MONTHS_PER_YEAR)
                + QUARTERS_PER_DAY * Interval.DAYS_PER_MONTH * (interval.months() % Interval.MONTHS_PER_YEAR)
                + QUARTERS_PER_DAY * interval.days();
        return BigDecimal.valueOf(quarters * SECONDS_PER_QUARTER).add(BigDecimal.valueOf(interval.micros(), 6));
    }
}
