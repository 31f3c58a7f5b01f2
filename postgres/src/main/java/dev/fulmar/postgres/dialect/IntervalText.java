package dev.fulmar.postgres.dialect;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An interval as PostgreSQL reads it from a text: {@code 1 year 2 mons -3 days 04:05:06.5}, {@code P1DT2H}, {@code 7
 * days ago}. Months, days and the rest count by themselves.
 */
record IntervalText(long months, long days, long micros) {
    private static final long MICROS_PER_SECOND = 1_000_000;
    private static final long MICROS_PER_MILLI = 1_000;
    private static final long MICROS_PER_DAY = 86_400 * MICROS_PER_SECOND;
    private static final int DAYS_PER_MONTH = 30;
    private static final int MONTHS_PER_YEAR = 12;
    private static final int MOST_CHARACTERS = 200;

    private static final Pattern ITEM = Pattern.compile(
            "\\s*(?:(?<clock>[+-]?\\d+:\\d+(?::\\d+(?:\\.\\d*)?|\\.\\d+)?)|(?<years>[+-]?\\d+)-(?<months>\\d+)"
                    + "|(?<count>[+-]?(?:\\d+\\.?\\d*|\\.\\d+))\\s*(?<unit>[a-z]*))");
    private static final Pattern ISO =
            Pattern.compile("p(?<date>(?:[+-]?[\\d.]+[ymwd])*)(?:t(?<time>(?:[+-]?[\\d.]+[hms])+))?");
    private static final Pattern ISO_ITEM = Pattern.compile("([+-]?[\\d.]+)([a-z])");

    /** The part of an interval that a unit counts. */
    private enum Part {
        MONTHS,
        DAYS,
        MICROS
    }

    private record Unit(Part part, long count) {}

    private static final Unit DAY = new Unit(Part.DAYS, 1);
    private static final Unit MONTH = new Unit(Part.MONTHS, 1);

    private static final Map<String, Unit> UNITS = Map.ofEntries(
            Map.entry("microsecond", new Unit(Part.MICROS, 1)),
            Map.entry("us", new Unit(Part.MICROS, 1)),
            Map.entry("usec", new Unit(Part.MICROS, 1)),
            Map.entry("millisecond", new Unit(Part.MICROS, 1_000)),
            Map.entry("ms", new Unit(Part.MICROS, 1_000)),
            Map.entry("msec", new Unit(Part.MICROS, 1_000)),
            Map.entry("", new Unit(Part.MICROS, MICROS_PER_SECOND)),
            Map.entry("s", new Unit(Part.MICROS, MICROS_PER_SECOND)),
            Map.entry("sec", new Unit(Part.MICROS, MICROS_PER_SECOND)),
            Map.entry("second", new Unit(Part.MICROS, MICROS_PER_SECOND)),
            Map.entry("m", new Unit(Part.MICROS, 60 * MICROS_PER_SECOND)),
            Map.entry("min", new Unit(Part.MICROS, 60 * MICROS_PER_SECOND)),
            Map.entry("minute", new Unit(Part.MICROS, 60 * MICROS_PER_SECOND)),
            Map.entry("h", new Unit(Part.MICROS, 3_600 * MICROS_PER_SECOND)),
            Map.entry("hr", new Unit(Part.MICROS, 3_600 * MICROS_PER_SECOND)),
            Map.entry("hour", new Unit(Part.MICROS, 3_600 * MICROS_PER_SECOND)),
            Map.entry("d", DAY),
            Map.entry("day", DAY),
            Map.entry("w", new Unit(Part.DAYS, 7)),
            Map.entry("week", new Unit(Part.DAYS, 7)),
            Map.entry("mon", MONTH),
            Map.entry("month", MONTH),
            Map.entry("y", new Unit(Part.MONTHS, MONTHS_PER_YEAR)),
            Map.entry("yr", new Unit(Part.MONTHS, MONTHS_PER_YEAR)),
            Map.entry("year", new Unit(Part.MONTHS, MONTHS_PER_YEAR)),
            Map.entry("decade", new Unit(Part.MONTHS, 10 * MONTHS_PER_YEAR)),
            Map.entry("century", new Unit(Part.MONTHS, 100 * MONTHS_PER_YEAR)),
            Map.entry("centurie", new Unit(Part.MONTHS, 100 * MONTHS_PER_YEAR)));

    /**
     * @throws FulmarException {@link ErrorCode#INVALID_DATETIME} for another text, {@link
     *     ErrorCode#DATETIME_OUT_OF_RANGE} for one that is too long a time
     */
    static IntervalText parse(String text) {
        String plain = text.strip().toLowerCase(Locale.ROOT);
        if (plain.isEmpty() || plain.length() > MOST_CHARACTERS) {
            throw invalid(text);
        }
        try {
            Matcher iso = ISO.matcher(plain);
            return plain.length() > 1 && iso.matches() ? ofIso(iso, text) : ofWords(text, plain);
        } catch (ArithmeticException | NumberFormatException outOfRange) {
            throw new FulmarException(
                    ErrorCode.DATETIME_OUT_OF_RANGE, "interval \"" + text + "\" is out of range", outOfRange);
        }
    }

    private static FulmarException invalid(String text) {
        return new FulmarException(
                ErrorCode.INVALID_DATETIME,
                "invalid input syntax for type interval: \"" + text + "\"; write it as '1 day 02:00:00'");
    }

    private static IntervalText ofWords(String text, String plain) {
        boolean isPast = plain.endsWith("ago") && !plain.equals("ago");
        String rest = isPast ? plain.substring(0, plain.length() - 3).strip() : plain;
        rest = rest.startsWith("@") ? rest.substring(1).strip() : rest;
        IntervalText sum = new IntervalText(0, 0, 0);
        Matcher item = ITEM.matcher(rest);
        Set<String> seen = new HashSet<>();
        int place = 0;
        while (place < rest.length()) {
            if (!item.find(place) || item.start() != place) {
                throw invalid(text);
            }
            boolean isLast = rest.substring(item.end()).isBlank();
            boolean isDayBeforeClock = "".equals(item.group("unit"))
                    && item.end() < rest.length()
                    && rest.substring(item.end()).strip().matches("[+-]?\\d+:.*");
            boolean lacksUnit = "".equals(item.group("unit")) && !isDayBeforeClock && !isLast;
            boolean isCut = item.group("count") == null && !isLast && rest.charAt(item.end()) != ' ';
            if (lacksUnit || isCut || !seen.add(item.group("unit") + isDayBeforeClock)) {
                throw invalid(text);
            }
            sum = sum.plus(isDayBeforeClock ? of(item.group("count"), DAY) : of(item, text));
            place = item.end();
        }
        return isPast ? new IntervalText(-sum.months, -sum.days, -sum.micros) : sum;
    }

    private static IntervalText of(Matcher item, String text) {
        if (item.group("clock") != null) {
            return ofClock(item.group("clock"), text);
        }
        if (item.group("years") != null) {
            long years = Long.parseLong(item.group("years"));
            long months = Long.parseLong(item.group("months"));
            boolean isNegative = item.group("years").startsWith("-");
            if (months >= MONTHS_PER_YEAR) {
                throw invalid(text);
            }
            return new IntervalText(years * MONTHS_PER_YEAR + (isNegative ? -months : months), 0, 0);
        }
        return of(item.group("count"), unit(item.group("unit"), text));
    }

    private static Unit unit(String name, String text) {
        Unit unit = UNITS.get(name);
        if (unit == null && name.endsWith("s")) {
            unit = UNITS.get(name.substring(0, name.length() - 1));
        }
        if (unit == null) {
            throw invalid(text);
        }
        return unit;
    }

    /** Hours, minutes and perhaps seconds; minutes and seconds if these have a fraction and no hours are said. */
    private static IntervalText ofClock(String clock, String text) {
        boolean isNegative = clock.startsWith("-");
        String[] said = clock.replaceFirst("^[+-]", "").split(":", -1);
        boolean lacksHours = said.length == 2 && said[1].contains(".");
        String[] parts = lacksHours ? new String[] {"0", said[0], said[1]} : said;
        String fraction = parts.length > 2 ? parts[2] : "0";
        BigDecimal seconds = new BigDecimal(fraction.endsWith(".") ? fraction + "0" : fraction);
        long minutes = Long.parseLong(parts[1]);
        if (minutes >= 60 || seconds.compareTo(BigDecimal.valueOf(60)) >= 0) {
            throw invalid(text);
        }
        BigDecimal whole = BigDecimal.valueOf(Math.multiplyExact(Long.parseLong(parts[0]), 3_600L) + minutes * 60);
        long all = rounded(whole.add(seconds).multiply(BigDecimal.valueOf(MICROS_PER_SECOND)));
        return new IntervalText(0, 0, isNegative ? -all : all);
    }

    private static IntervalText ofIso(Matcher iso, String text) {
        IntervalText sum = new IntervalText(0, 0, 0);
        for (String group : List.of("date", "time")) {
            Matcher item = ISO_ITEM.matcher(iso.group(group) == null ? "" : iso.group(group));
            while (item.find()) {
                String letter = item.group(2);
                boolean isMonth = letter.equals("m") && group.equals("date");
                sum = sum.plus(of(item.group(1), isMonth ? MONTH : unit(letter, text)));
            }
        }
        return sum;
    }

    /** A fraction of a month is in days of which it has 30; that of a day is in hours. */
    private static IntervalText of(String count, Unit unit) {
        BigDecimal number = new BigDecimal(count.endsWith(".") ? count + "0" : count);
        BigDecimal all = number.multiply(BigDecimal.valueOf(unit.count));
        return switch (unit.part) {
            case MICROS -> new IntervalText(0, 0, rounded(all));
            case DAYS -> ofDays(0, all);
            case MONTHS -> {
                BigDecimal whole = all.setScale(0, RoundingMode.DOWN);
                boolean isOfYears = unit.count >= MONTHS_PER_YEAR; // PostgreSQL rounds those to months
                yield isOfYears
                        ? new IntervalText(
                                all.setScale(0, RoundingMode.HALF_EVEN).longValueExact(), 0, 0)
                        : ofDays(
                                whole.longValueExact(),
                                all.subtract(whole).multiply(BigDecimal.valueOf(DAYS_PER_MONTH)));
            }
        };
    }

    private static IntervalText ofDays(long months, BigDecimal days) {
        BigDecimal whole = days.setScale(0, RoundingMode.DOWN);
        return new IntervalText(
                months,
                whole.longValueExact(),
                rounded(days.subtract(whole).multiply(BigDecimal.valueOf(MICROS_PER_DAY))));
    }

    private static long rounded(BigDecimal micros) {
        return micros.setScale(0, RoundingMode.HALF_EVEN).longValueExact();
    }

    private IntervalText plus(IntervalText other) {
        return new IntervalText(
                Math.addExact(months, other.months),
                Math.addExact(days, other.days),
                Math.addExact(micros, other.micros));
    }

    /**
     * The interval as literals of the engine, which has months, days and seconds apart.
     *
     * @param operator that stands before it, between two literals again; empty if none does
     * @throws FulmarException {@link ErrorCode#NOT_SUPPORTED} if it needs several literals without an operator
     */
    String literals(String operator) {
        List<String> parts = new ArrayList<>();
        if (months != 0) {
            parts.add(literal(Long.toString(months), "MONTH", ""));
        }
        if (days != 0) {
            parts.add(literal(Long.toString(days), "DAY", ""));
        }
        if (micros != 0 || parts.isEmpty()) {
            parts.add(seconds());
        }
        if (parts.size() > 1 && operator.isEmpty()) {
            throw new FulmarException(
                    ErrorCode.NOT_SUPPORTED,
                    "an interval of months, days and hours is no value here; add it to a date or time, or write its"
                            + " parts apart");
        }
        return String.join(" " + operator + " ", parts);
    }

    private String seconds() {
        if (micros % MICROS_PER_MILLI != 0) {
            throw new FulmarException(
                    ErrorCode.NOT_SUPPORTED, "an interval here has whole milliseconds; round it to three digits");
        }
        return literal(BigDecimal.valueOf(micros, 6).stripTrailingZeros().toPlainString(), "SECOND", ", 6");
    }

    private static String literal(String value, String field, String fraction) {
        int point = value.indexOf('.');
        int digits = (point < 0 ? value.length() : point) - (value.startsWith("-") ? 1 : 0);
        if (digits > 10) {
            throw new FulmarException(ErrorCode.DATETIME_OUT_OF_RANGE, "an interval has at most 10 digits");
        }
        return "INTERVAL '" + value + "' " + field + "(" + Math.max(2, digits) + fraction + ")";
    }
}
