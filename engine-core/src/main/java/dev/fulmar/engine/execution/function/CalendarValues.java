package dev.fulmar.engine.execution.function;

import dev.fulmar.engine.execution.value.Temporals;
import dev.fulmar.foundation.data.InfiniteTime;
import dev.fulmar.foundation.data.Interval;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.data.ZonedTime;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalAdjusters;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Functions of dates and times. They keep the template that was read last. */
final class CalendarValues {
    private static final int DECADE = 10;
    private static final int CENTURY = 100;
    private static final int MILLENNIUM = 1_000;
    private static final int MONTHS_PER_QUARTER = 3;
    private static final long MICROS_PER_MINUTE = 60 * Temporals.MICROS_PER_SECOND;
    private static final long MICROS_PER_HOUR = 60 * MICROS_PER_MINUTE;

    private static final int MOST_CHARACTERS = 1_000;

    private @Nullable Known known;

    private record Known(String text, TimeTemplate template) {}

    /** Parts of a date or time from which on nothing is left. */
    private enum Unit {
        MICROSECONDS,
        MILLISECONDS,
        SECOND,
        MINUTE,
        HOUR,
        DAY,
        WEEK,
        MONTH,
        QUARTER,
        YEAR,
        DECADE,
        CENTURY,
        MILLENNIUM;

        static Unit of(String name) {
            return switch (name.strip().toLowerCase(Locale.ROOT)) {
                case "microseconds", "microsecond", "us", "usec", "usecs", "usecond", "useconds" -> MICROSECONDS;
                case "milliseconds", "millisecond", "ms", "msec", "msecs", "msecond", "mseconds" -> MILLISECONDS;
                case "second", "seconds", "sec", "secs", "s" -> SECOND;
                case "minute", "minutes", "min", "mins", "m" -> MINUTE;
                case "hour", "hours", "hr", "hrs", "h" -> HOUR;
                case "day", "days", "d" -> DAY;
                case "week", "weeks", "w" -> WEEK;
                case "month", "months", "mon", "mons" -> MONTH;
                case "quarter", "qtr" -> QUARTER;
                case "year", "years", "yr", "yrs", "y" -> YEAR;
                case "decade", "decades", "dec", "decs" -> DECADE;
                case "century", "centuries", "cent", "c" -> CENTURY;
                case "millennium", "millennia", "mil", "mils" -> MILLENNIUM;
                default ->
                    throw TextValues.wrong("there is no unit '" + name
                            + "' of time; write one from microseconds to millennium, as 'day' or 'month'");
            };
        }

        boolean isOfDay() {
            return compareTo(DAY) < 0;
        }
    }

    /** unit, timestamp; or unit, instant, zone; or unit, interval. */
    static Object truncate(Object[] arguments) {
        if (arguments[1] instanceof Long infinity && InfiniteTime.isMoment(infinity)) {
            return infinity; // whatever the unit is, as in PostgreSQL
        }
        Unit unit = Unit.of((String) arguments[0]);
        if (arguments[1] instanceof Interval interval) {
            return truncated(unit, interval);
        }
        long micros = (Long) arguments[1];
        if (arguments.length == 2) {
            return Temporals.checked(truncated(unit, micros), TypeKind.TIMESTAMP);
        }
        ZoneId zone = zone(arguments[2]);
        long local = ZonedTime.local(micros, zone);
        long truncated = truncated(unit, local);
        long instant = unit.isOfDay() ? micros - (local - truncated) : ZonedTime.instant(truncated, zone);
        return Temporals.checked(instant, TypeKind.TIMESTAMP_TZ);
    }

    private static Interval truncated(Unit unit, Interval interval) {
        if (unit == Unit.WEEK) {
            throw new FulmarException(
                    ErrorCode.NOT_SUPPORTED, "an interval is not cut to weeks, of which months have no whole number");
        }
        int months = interval.months() / months(unit) * months(unit);
        long micros = interval.micros();
        return switch (unit) {
            case MICROSECONDS -> interval;
            case MILLISECONDS -> new Interval(months, interval.days(), micros - micros % 1_000);
            case SECOND -> new Interval(months, interval.days(), micros - micros % Temporals.MICROS_PER_SECOND);
            case MINUTE -> new Interval(months, interval.days(), micros - micros % MICROS_PER_MINUTE);
            case HOUR -> new Interval(months, interval.days(), micros - micros % MICROS_PER_HOUR);
            case DAY -> new Interval(months, interval.days(), 0);
            default -> new Interval(months, 0, 0);
        };
    }

    /** The months of a unit; 1 for a shorter one. */
    private static int months(Unit unit) {
        return switch (unit) {
            case QUARTER -> MONTHS_PER_QUARTER;
            case YEAR -> Interval.MONTHS_PER_YEAR;
            case DECADE -> DECADE * Interval.MONTHS_PER_YEAR;
            case CENTURY -> CENTURY * Interval.MONTHS_PER_YEAR;
            case MILLENNIUM -> MILLENNIUM * Interval.MONTHS_PER_YEAR;
            default -> 1;
        };
    }

    /** The seconds since 1970; of an infinity an infinite Double. */
    static Number epoch(Object[] arguments) {
        if (InfiniteTime.isMoment((Long) arguments[0])) {
            return MomentFields.infinity((Long) arguments[0]);
        }
        return BigDecimal.valueOf((Long) arguments[0], 6);
    }

    /** The instant by its seconds since 1970, rounded to microseconds. */
    static Long ofEpoch(Object[] arguments) {
        double seconds = (Double) arguments[0];
        if (Double.isInfinite(seconds)) {
            return seconds > 0 ? InfiniteTime.MICROS : -InfiniteTime.MICROS;
        }
        double micros = Math.rint(seconds * Temporals.MICROS_PER_SECOND);
        boolean isInside = micros >= Temporals.MIN_TIMESTAMP && micros <= Temporals.MAX_TIMESTAMP; // and a number
        if (!isInside) {
            throw new FulmarException(
                    ErrorCode.DATETIME_OUT_OF_RANGE,
                    "timestamp out of range: " + seconds + " seconds; years go from 0001 to 9999");
        }
        return (long) micros;
    }

    private static ZoneId zone(Object name) {
        return ZonedTime.zone((String) name)
                .orElseThrow(() -> TextValues.wrong("there is no time zone '" + name + "'"));
    }

    private static long truncated(Unit unit, long micros) {
        return switch (unit) {
            case MICROSECONDS -> micros;
            case MILLISECONDS -> micros - Math.floorMod(micros, 1_000L);
            case SECOND -> micros - Math.floorMod(micros, Temporals.MICROS_PER_SECOND);
            case MINUTE -> micros - Math.floorMod(micros, MICROS_PER_MINUTE);
            case HOUR -> micros - Math.floorMod(micros, MICROS_PER_HOUR);
            case DAY -> micros - Math.floorMod(micros, Temporals.MICROS_PER_DAY);
            case WEEK, MONTH, QUARTER, YEAR, DECADE, CENTURY, MILLENNIUM ->
                first(unit, LocalDate.ofEpochDay(Temporals.dayOf(micros))).toEpochDay() * Temporals.MICROS_PER_DAY;
        };
    }

    /** The first day of the unit that the day is in. */
    private static LocalDate first(Unit unit, LocalDate day) {
        int year = day.getYear();
        return switch (unit) {
            case WEEK -> day.minusDays(day.getDayOfWeek().getValue() - 1L);
            case MONTH -> day.withDayOfMonth(1);
            case QUARTER -> day.withDayOfMonth(1).minusMonths((day.getMonthValue() - 1L) % MONTHS_PER_QUARTER);
            case DECADE -> LocalDate.of(year - Math.floorMod(year, DECADE), 1, 1);
            case CENTURY -> LocalDate.of(year - Math.floorMod(year - 1, CENTURY), 1, 1);
            case MILLENNIUM -> LocalDate.of(year - Math.floorMod(year - 1, MILLENNIUM), 1, 1);
            default -> day.with(TemporalAdjusters.firstDayOfYear());
        };
    }

    /** timestamp, template; or instant, template, zone. Null for an infinity, as in PostgreSQL. */
    @Nullable String text(Object[] arguments) {
        long micros = (Long) arguments[0];
        if (InfiniteTime.isMoment(micros)) {
            return null;
        }
        TimeTemplate template = template((String) arguments[1]);
        if (arguments.length == 2) {
            return template.text(Temporals.dateTime(micros), null);
        }
        ZoneId zone = zone(arguments[2]);
        if (template.namesZone() && !zone.equals(ZoneOffset.UTC)) {
            throw new FulmarException(
                    ErrorCode.NOT_SUPPORTED,
                    "abbreviations of time zones other than UTC are not written; use OF in the template");
        }
        ZoneOffset offset = zone.getRules().getOffset(ZonedTime.instant(micros).truncatedTo(ChronoUnit.SECONDS));
        return template.text(Temporals.dateTime(ZonedTime.local(micros, zone)), offset);
    }

    /** text, template: the day. */
    Long readDate(Object[] arguments) {
        LocalDateTime moment = template((String) arguments[1]).read((String) arguments[0]);
        return Temporals.checked(moment.toLocalDate().toEpochDay(), TypeKind.DATE);
    }

    /** text, template, zone: the instant. */
    Long readInstant(Object[] arguments) {
        LocalDateTime moment = template((String) arguments[1]).read((String) arguments[0]);
        return Temporals.checked(
                ZonedTime.instant(Temporals.micros(moment), zone(arguments[2])), TypeKind.TIMESTAMP_TZ);
    }

    private TimeTemplate template(String text) {
        Known last = known;
        if (last == null || !last.text.equals(text)) {
            checkLength(text);
            last = new Known(text, TimeTemplate.of(text));
            known = last;
        }
        return last.template;
    }

    /** A longer one takes long to read, and much memory to keep. */
    static void checkLength(String template) {
        if (template.length() > MOST_CHARACTERS) {
            throw TextValues.wrong("a template has at most " + MOST_CHARACTERS + " characters");
        }
    }

    /** year, month, day. */
    static Long date(Object[] arguments) {
        return Temporals.checked(day(arguments).toEpochDay(), TypeKind.DATE);
    }

    private static LocalDate day(Object[] arguments) {
        try {
            return LocalDate.of(number(arguments[0]), number(arguments[1]), number(arguments[2]));
        } catch (DateTimeException e) {
            throw outOfRange("there is no day " + arguments[0] + "-" + arguments[1] + "-" + arguments[2]);
        }
    }

    private static int number(Object value) {
        return Math.clamp((Long) value, Integer.MIN_VALUE, Integer.MAX_VALUE);
    }

    private static FulmarException outOfRange(String message) {
        return new FulmarException(ErrorCode.DATETIME_OUT_OF_RANGE, message);
    }

    /** hour, minute, seconds. */
    static Long time(Object[] arguments) {
        return Temporals.checked(time(arguments, 0), TypeKind.TIME);
    }

    private static long time(Object[] arguments, int place) {
        long hour = (Long) arguments[place];
        long minute = (Long) arguments[place + 1];
        double seconds = (Double) arguments[place + 2];
        if (hour < 0 || hour > 24 || minute < 0 || minute > 59 || !(seconds >= 0 && seconds <= 60)) {
            throw outOfRange("there is no time " + hour + ":" + minute + ":" + seconds);
        }
        long micros =
                hour * MICROS_PER_HOUR + minute * MICROS_PER_MINUTE + Math.round(seconds * Temporals.MICROS_PER_SECOND);
        if (micros > Temporals.MICROS_PER_DAY) {
            throw outOfRange("there is no time " + hour + ":" + minute + ":" + seconds);
        }
        return micros;
    }

    /** year, month, day, hour, minute, seconds. */
    static Long timestamp(Object[] arguments) {
        long micros = day(arguments).toEpochDay() * Temporals.MICROS_PER_DAY + time(arguments, 3);
        return Temporals.checked(micros, TypeKind.TIMESTAMP);
    }
}
