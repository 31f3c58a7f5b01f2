package dev.fulmar.engine.execution.function;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.temporal.IsoFields;
import java.time.temporal.JulianFields;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The fields of a date or time that a text had, and the moment that they make. */
final class TimeParts {
    private static final int UNKNOWN = -1;
    private static final String DAY_OF_WEEK = "ID";
    private static final int HOURS = 12;
    private static final int CENTURY = 100;
    private static final int SECONDS_PER_HOUR = 3_600;
    private static final int SECONDS_PER_MINUTE = 60;

    /** Fields of years whose weeks count (ISO 8601), which no others stand beside. */
    private static final Set<String> OF_WEEK_YEAR = Set.of("IYYY", "IYY", "IY", "I", "IW", "ID", "IDDD");

    private static final Set<String> OF_YEAR =
            Set.of("YYYY", "YYY", "YY", "Y", "Y,YYY", "MM", "MON", "MONTH", "RM", "DD", "DDD", "D", "WW", "W");

    private static final Set<String> TEXTS = Set.of(
            "AM", "PM", "A.M.", "P.M.", "AD", "BC", "A.D.", "B.C.", "MONTH", "MON", "DAY", "DY", "RM", "TZ", "OF", "FX",
            "TZH");

    private final Map<String, Integer> numbers = new TreeMap<>();
    private boolean isByWeeks;
    private boolean isByMonths;
    private boolean isOfHalf;
    private int year;
    private int yearDigits;

    /** 0 before noon, 1 after it. */
    int noon = UNKNOWN;

    /** 0 of this era, 1 before it. */
    int era = UNKNOWN;

    /** Whether a field is written in digits. */
    static boolean isNumber(String field) {
        return !TEXTS.contains(field.toUpperCase(Locale.ROOT));
    }

    /** A field comes; those of two kinds of years do not go together. */
    void hold(String field) {
        isByWeeks |= OF_WEEK_YEAR.contains(field);
        isByMonths |= OF_YEAR.contains(field);
        if (isByWeeks && isByMonths) {
            throw new FulmarException(
                    ErrorCode.INVALID_DATETIME,
                    "a template has fields of years with months or of years with weeks (IYYY, IW, ID), not of both");
        }
    }

    void set(String field, int number) {
        String name = switch (field) {
            case "HH", "HH12" -> {
                isOfHalf = true;
                yield "HH24";
            }
            case "SSSS" -> "SSSSS";
            default -> field;
        };
        Integer before = numbers.put(name, number);
        if (before != null && (name.equals(DAY_OF_WEEK) || (before != 0 && before != number))) {
            throw conflicting(field);
        }
    }

    /**
     * A year comes.
     *
     * @param written its digits as a number
     * @param number the year that they mean
     */
    void year(int written, int number, int digits) {
        if (year != 0 && year != written) {
            throw conflicting("the year");
        }
        year = number;
        yearDigits = digits;
    }

    private static FulmarException conflicting(String field) {
        return new FulmarException(
                ErrorCode.INVALID_DATETIME, "the text gives " + field + " two values; write it once in the template");
    }

    private int get(String field) {
        return numbers.getOrDefault(field, 0);
    }

    LocalDateTime moment() {
        int fromMidnight = get("SSSSS");
        int minute = get("MI") != 0 ? get("MI") : fromMidnight / SECONDS_PER_MINUTE % SECONDS_PER_MINUTE;
        int second = get("SS") != 0 ? get("SS") : fromMidnight % SECONDS_PER_MINUTE;
        long micros = get("MS") * 1_000L + get("US");
        try {
            int hour = hour(get("HH24") != 0 ? get("HH24") : fromMidnight / SECONDS_PER_HOUR);
            return day().atTime(hour, minute, second, Math.toIntExact(micros * 1_000));
        } catch (DateTimeException | ArithmeticException e) {
            throw new FulmarException(
                    ErrorCode.DATETIME_OUT_OF_RANGE, "the text is no date or time: " + e.getMessage(), e);
        }
    }

    private int hour(int hour) {
        if (!isOfHalf && noon == UNKNOWN) {
            return hour;
        }
        if (hour < 1 || hour > HOURS) {
            throw new FulmarException(
                    ErrorCode.INVALID_DATETIME, hour + " is no hour of half a day; use HH24, or hours from 1 to 12");
        }
        return hour % HOURS + (noon == 1 ? HOURS : 0);
    }

    private int wholeYear() {
        int century = get("CC");
        if (era == 1) {
            throw new FulmarException(ErrorCode.DATETIME_OUT_OF_RANGE, "years go from 0001 to 9999");
        }
        if (year != 0 && century != 0 && yearDigits <= 2) {
            int low = year % CENTURY;
            return low == 0 ? century * CENTURY : (century - 1) * CENTURY + low;
        }
        return year == 0 && century != 0 ? (century - 1) * CENTURY + 1 : year;
    }

    private LocalDate day() {
        @Nullable LocalDate known = get("J") == 0 ? null : LocalDate.EPOCH.with(JulianFields.JULIAN_DAY, get("J"));
        int whole = known == null ? wholeYear() : known.getYear();
        if (get("IW") != 0) {
            int day = numbers.getOrDefault(DAY_OF_WEEK, 1);
            return firstOfWeekYear(whole).plusDays(7L * (get("IW") - 1) + (day >= 1 && day <= 6 ? day - 1 : 6));
        }
        if (get("IDDD") != 0) {
            checkYear(whole);
            return firstOfWeekYear(whole).plusDays(get("IDDD") - 1L);
        }
        int ofYear = get("WW") != 0 ? (get("WW") - 1) * 7 + 1 : get("DDD");
        int ofMonth = get("W") != 0 ? (get("W") - 1) * 7 + 1 : get("DD");
        int month = get("MM");
        if (known != null) {
            return LocalDate.of(
                    whole, month == 0 ? known.getMonthValue() : month, ofMonth == 0 ? known.getDayOfMonth() : ofMonth);
        }
        if (ofYear != 0 && (month <= 1 || ofMonth <= 1)) {
            checkYear(whole);
            LocalDate day = LocalDate.ofYearDay(whole, ofYear);
            return LocalDate.of(
                    whole, month <= 1 ? day.getMonthValue() : month, ofMonth <= 1 ? day.getDayOfMonth() : ofMonth);
        }
        return LocalDate.of(whole, month == 0 ? 1 : month, ofMonth == 0 ? 1 : ofMonth);
    }

    private static void checkYear(int year) {
        if (year == 0) {
            throw new FulmarException(
                    ErrorCode.INVALID_DATETIME,
                    "the day of a year needs the year; write it in the text and the template");
        }
    }

    /** The Monday of the week that has 4 January. */
    private static LocalDate firstOfWeekYear(int year) {
        LocalDate fourth = LocalDate.of(year, 1, 4);
        return fourth.minusDays(fourth.getDayOfWeek().getValue() - 1L).with(IsoFields.WEEK_OF_WEEK_BASED_YEAR, 1);
    }
}
