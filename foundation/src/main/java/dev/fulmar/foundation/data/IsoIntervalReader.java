package dev.fulmar.foundation.data;

import dev.fulmar.foundation.data.IntervalReader.Outcome;

/**
 * Reader of one interval in the forms of ISO 8601 (4.4.3): {@code P1Y2M3DT4H5M6S}, {@code P0001-02-03T04:05:06} and
 * {@code P00010203T040506}. Numbers may be negative, and have fractions and exponents, as in PostgreSQL.
 */
final class IsoIntervalReader {
    private static final double MOST = 1e15;
    private static final int DIGITS_OF_DATE = 8;
    private static final int DIGITS_OF_TIME = 6;

    private final String text;
    private final IntervalParts parts;
    private int position;
    private long whole;
    private double fraction;

    IsoIntervalReader(String text, IntervalParts parts) {
        this.text = text;
        this.parts = parts;
    }

    Outcome read() {
        if (text.length() < 2 || text.charAt(0) != 'P') {
            return Outcome.WRONG_FORMAT;
        }
        position = 1;
        boolean isDate = true;
        boolean hasField = false;
        while (position < text.length()) {
            if (at(position) == 'T') {
                isDate = false;
                hasField = false;
                position++;
                continue;
            }
            int begin = position;
            Outcome outcome = readNumber();
            if (outcome != Outcome.DONE) {
                return outcome;
            }
            char unit = at(position);
            position++;
            boolean isAlternative = isDate ? unit == 'T' || unit == '-' || unit == 0 : unit == ':' || unit == 0;
            if (isAlternative) {
                outcome = isDate ? readDate(begin, unit, hasField) : readTime(begin, unit, hasField);
                if (outcome != Outcome.DONE || position >= text.length()) {
                    return outcome;
                }
                isDate = false;
                hasField = false;
                continue;
            }
            outcome = isDate ? addOfDate(unit) : addOfTime(unit);
            if (outcome != Outcome.DONE) {
                return outcome;
            }
            hasField = true;
        }
        return Outcome.DONE;
    }

    private char at(int place) {
        return place < text.length() ? text.charAt(place) : 0;
    }

    private static Outcome outcome(boolean fits) {
        return fits ? Outcome.DONE : Outcome.OVERFLOW;
    }

    private Outcome addOfDate(char unit) {
        return switch (unit) {
            case 'Y' -> outcome(parts.addYears(whole, fraction, 1));
            case 'M' -> outcome(parts.addMonths(whole, fraction));
            case 'W' -> outcome(parts.addWeeks(whole, fraction));
            case 'D' -> outcome(parts.addDays(whole, fraction));
            default -> Outcome.WRONG_FORMAT;
        };
    }

    private Outcome addOfTime(char unit) {
        return switch (unit) {
            case 'H' -> outcome(parts.addMicros(whole, fraction, Interval.MICROS_PER_HOUR));
            case 'M' -> outcome(parts.addMicros(whole, fraction, Interval.MICROS_PER_MINUTE));
            case 'S' -> outcome(parts.addMicros(whole, fraction, Interval.MICROS_PER_SECOND));
            default -> Outcome.WRONG_FORMAT;
        };
    }

    /** Years, or years, months and days, as digits in one piece or with dashes between. */
    private Outcome readDate(int begin, char unit, boolean hasField) {
        if (unit != '-' && digits(begin) == DIGITS_OF_DATE && !hasField) {
            return outcome(parts.addYears(whole / 10_000, 0, 1)
                    && parts.addMonths(whole / 100 % 100, 0)
                    && parts.addDays(whole % 100, fraction));
        }
        if (hasField) {
            return Outcome.WRONG_FORMAT;
        }
        if (!parts.addYears(whole, fraction, 1)) {
            return Outcome.OVERFLOW;
        }
        if (unit != '-') {
            return Outcome.DONE;
        }
        Outcome outcome = readNumber();
        if (outcome != Outcome.DONE) {
            return outcome;
        }
        if (!parts.addMonths(whole, fraction)) {
            return Outcome.OVERFLOW;
        }
        if (at(position) == '-') {
            position++;
            outcome = readNumber();
            if (outcome != Outcome.DONE) {
                return outcome;
            }
            if (!parts.addDays(whole, fraction)) {
                return Outcome.OVERFLOW;
            }
        }
        return endOfDate();
    }

    private Outcome endOfDate() {
        if (position >= text.length()) {
            return Outcome.DONE;
        }
        return at(position) == 'T' ? Outcome.DONE : Outcome.WRONG_FORMAT;
    }

    /** Hours, or hours, minutes and seconds, as digits in one piece or with colons between. */
    private Outcome readTime(int begin, char unit, boolean hasField) {
        if (unit != ':' && digits(begin) == DIGITS_OF_TIME && !hasField) {
            return outcome(parts.addMicros(whole / 10_000, 0, Interval.MICROS_PER_HOUR)
                    && parts.addMicros(whole / 100 % 100, 0, Interval.MICROS_PER_MINUTE)
                    && parts.addMicros(whole % 100, 0, Interval.MICROS_PER_SECOND)
                    && parts.addFraction(fraction, 1));
        }
        if (hasField) {
            return Outcome.WRONG_FORMAT;
        }
        long[] units = {Interval.MICROS_PER_HOUR, Interval.MICROS_PER_MINUTE, Interval.MICROS_PER_SECOND};
        position--; // to the mark behind the hours
        for (int i = 0; ; i++) {
            if (!parts.addMicros(whole, fraction, units[i])) {
                return Outcome.OVERFLOW;
            }
            if (position >= text.length()) {
                return Outcome.DONE;
            }
            if (at(position) != ':' || i + 1 == units.length) {
                return Outcome.WRONG_FORMAT;
            }
            position++;
            Outcome outcome = readNumber();
            if (outcome != Outcome.DONE) {
                return outcome;
            }
        }
    }

    private int digits(int begin) {
        int start = at(begin) == '-' ? begin + 1 : begin;
        int end = start;
        while (IntervalReader.isDigit(at(end))) {
            end++;
        }
        return end - start;
    }

    /** Reads a number as C's strtod does, but for names and hexadecimal digits. */
    private Outcome readNumber() {
        int begin = position;
        int end = at(begin) == '-' ? begin + 1 : begin;
        int first = end;
        while (IntervalReader.isDigit(at(end))) {
            end++;
        }
        int count = end - first;
        if (at(end) == '.') {
            int point = end++;
            while (IntervalReader.isDigit(at(end))) {
                end++;
            }
            count += end - point - 1;
        }
        if (count == 0) {
            return Outcome.WRONG_FORMAT;
        }
        int exponent = at(end) == 'e' || at(end) == 'E' ? end + 1 : end;
        if (exponent > end) {
            int sign = at(exponent) == '-' || at(exponent) == '+' ? exponent + 1 : exponent;
            int last = sign;
            while (IntervalReader.isDigit(at(last))) {
                last++;
            }
            end = last > sign ? last : end;
        }
        double value = Double.parseDouble(text.substring(begin, end));
        position = end;
        if (!(Math.abs(value) <= MOST)) {
            return Double.isInfinite(value) ? Outcome.WRONG_FORMAT : Outcome.OVERFLOW;
        }
        whole = (long) value;
        fraction = value - whole;
        return Outcome.DONE;
    }
}
