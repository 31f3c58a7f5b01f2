package dev.fulmar.wire.postgres.type;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** Reader of one interval in the forms that PostgreSQL writes, and that of ISO 8601 with letters. */
final class IntervalReader {
    private static final int MONTHS_PER_YEAR = 12;
    private static final int DAYS_PER_MONTH = 30;
    private static final int DAYS_PER_WEEK = 7;
    private static final long SECOND = DatetimeForm.MICROS_PER_SECOND;
    private static final long MINUTE = 60 * SECOND;
    private static final long HOUR = 60 * MINUTE;
    private static final int SIXTY = 60;
    private static final int MOST_DIGITS = 18;

    private static final int MICROSECONDS = 1;
    private static final int MILLISECONDS = 1 << 1;
    private static final int SECONDS = 1 << 2;
    private static final int MINUTES = 1 << 3;
    private static final int HOURS = 1 << 4;
    private static final int DAYS = 1 << 5;
    private static final int WEEKS = 1 << 6;
    private static final int MONTHS = 1 << 7;
    private static final int YEARS = 1 << 8;
    private static final int DECADES = 1 << 9;
    private static final int CENTURIES = 1 << 10;
    private static final int MILLENNIA = 1 << 11;

    private final byte[] text;
    private final int from;
    private final int to;
    private final int end;
    private int position;

    private long months;
    private long days;
    private long micros;

    /** The number that was read last, and its fraction; both have its sign. */
    private long whole;

    private double fraction;

    /** Whether the last number had no unit, so that it is of days if a time follows. */
    private boolean mustBeTime;

    private int taken;

    IntervalReader(byte[] text, int from, int to) {
        this.text = text;
        this.from = from;
        this.to = to;
        position = AsciiText.trimmedStart(text, from, to);
        end = AsciiText.trimmedEnd(text, position, to);
    }

    Interval read() {
        if (position == end) {
            throw syntax();
        }
        try {
            if (isAt('P')) {
                readIso();
            } else {
                readParts();
            }
            return new Interval(Math.toIntExact(months), Math.toIntExact(days), micros);
        } catch (ArithmeticException e) {
            throw outOfRange();
        }
    }

    private void readParts() {
        if (isAt('@')) {
            position++;
            skipBlanks();
        }
        boolean isEmpty = true;
        while (position < end) {
            if (!isEmpty && !mustBeTime && isWordAt("ago")) {
                position += "ago".length();
                months = Math.negateExact(months);
                days = Math.negateExact(days);
                micros = Math.negateExact(micros);
                break;
            }
            readPart();
            isEmpty = false;
            skipBlanks();
        }
        if (position != end || isEmpty) {
            throw syntax();
        }
    }

    /** Reads a number with its unit, a time, or years and months. */
    private void readPart() {
        boolean isNegative = isAt('-');
        readNumber();
        if (isAt(':')) {
            mustBeTime = false;
            readTime(isNegative);
            return;
        }
        if (mustBeTime) {
            throw syntax();
        }
        if (isAt('-')) {
            position++;
            long written = digits();
            if (written >= MONTHS_PER_YEAR || fraction != 0) {
                throw outOfRange();
            }
            take(YEARS | MONTHS);
            addMonths(whole, MONTHS_PER_YEAR);
            addMonths(isNegative ? -written : written, 1);
            return;
        }
        skipBlanks();
        int unitEnd = position;
        while (unitEnd < end && AsciiText.isLetter(text[unitEnd])) {
            unitEnd++;
        }
        if (unitEnd == position) { // a number alone is of seconds, before a time of days
            mustBeTime = position < end;
            addUnit(mustBeTime ? "d" : "s");
            return;
        }
        String unit =
                new String(text, position, unitEnd - position, StandardCharsets.US_ASCII).toLowerCase(Locale.ROOT);
        position = unitEnd;
        if (position < end && !AsciiText.isBlank(text[position])) {
            throw syntax();
        }
        addUnit(unit);
    }

    /** Each unit comes at most once; a time has three of them. */
    private void take(int units) {
        if ((taken & units) != 0) {
            throw syntax();
        }
        taken |= units;
    }

    private void readTime(boolean isNegative) {
        if (fraction != 0) {
            throw syntax();
        }
        take(HOURS | MINUTES | SECONDS);
        long time = Math.multiplyExact(Math.abs(whole), HOUR);
        position++;
        long minute = digits();
        long second = 0;
        double part = 0;
        if (isAt(':')) {
            position++;
            second = digits();
            part = fractionDigits();
        }
        if (minute >= SIXTY || second > SIXTY) {
            throw outOfRange();
        }
        time = Math.addExact(time, minute * MINUTE + second * SECOND + (long) Math.rint(part * SECOND));
        micros = isNegative ? Math.subtractExact(micros, time) : Math.addExact(micros, time);
    }

    private void addUnit(String unit) {
        switch (unit) {
            case "us", "usec", "usecs", "usecond", "useconds", "microsecond", "microseconds", "microsec", "microsecs" ->
                addMicros(MICROSECONDS, 1);
            case "ms", "msec", "msecs", "msecond", "mseconds", "millisecond", "milliseconds", "millisec", "millisecs" ->
                addMicros(MILLISECONDS, SECOND / 1000);
            case "s", "sec", "secs", "second", "seconds" -> addMicros(SECONDS, SECOND);
            case "m", "min", "mins", "minute", "minutes" -> addMicros(MINUTES, MINUTE);
            case "h", "hr", "hrs", "hour", "hours" -> addMicros(HOURS, HOUR);
            case "d", "day", "days" -> addDays(DAYS, 1);
            case "w", "week", "weeks" -> addDays(WEEKS, DAYS_PER_WEEK);
            case "mon", "mons", "month", "months" -> {
                take(MONTHS);
                addMonths(whole, 1);
                addFractionOfDays(fraction * DAYS_PER_MONTH);
            }
            case "y", "yr", "yrs", "year", "years" -> addYears(YEARS, 1);
            case "dec", "decs", "decade", "decades" -> addYears(DECADES, 10);
            case "c", "cent", "century", "centuries" -> addYears(CENTURIES, 100);
            case "mil", "mils", "millennium", "millennia" -> addYears(MILLENNIA, 1000);
            default -> throw syntax();
        }
    }

    private void addYears(int unit, int each) {
        take(unit);
        addMonths(whole, MONTHS_PER_YEAR * (long) each);
        addMonths((long) Math.rint(fraction * each * MONTHS_PER_YEAR), 1);
    }

    private void addMonths(long count, long each) {
        months = Math.addExact(months, Math.multiplyExact(count, each));
    }

    private void addDays(int unit, int each) {
        take(unit);
        days = Math.addExact(days, Math.multiplyExact(whole, (long) each));
        addFractionOfDays(fraction * each);
    }

    private void addFractionOfDays(double part) {
        long wholeDays = (long) part;
        days = Math.addExact(days, wholeDays);
        micros = Math.addExact(micros, (long) Math.rint((part - wholeDays) * DatetimeForm.MICROS_PER_DAY));
    }

    private void addMicros(int unit, long each) {
        take(unit);
        micros = Math.addExact(micros, Math.multiplyExact(whole, each));
        micros = Math.addExact(micros, (long) Math.rint(fraction * each));
    }

    private void readIso() {
        position++;
        boolean isTime = false;
        boolean isEmpty = true;
        while (position < end) {
            if (isAt('T')) {
                if (isTime) {
                    throw syntax();
                }
                isTime = true;
                position++;
                continue;
            }
            readNumber();
            if (position == end) {
                throw syntax();
            }
            byte letter = text[position++];
            addUnit(
                    switch (letter) {
                        case 'Y' -> isTime ? "" : "y";
                        case 'M' -> isTime ? "m" : "mon";
                        case 'W' -> isTime ? "" : "w";
                        case 'D' -> isTime ? "" : "d";
                        case 'H' -> isTime ? "h" : "";
                        case 'S' -> isTime ? "s" : "";
                        default -> "";
                    });
            isEmpty = false;
        }
        if (isEmpty) {
            throw syntax();
        }
    }

    private void readNumber() {
        boolean isNegative = isAt('-');
        if (isNegative || isAt('+')) {
            position++;
        }
        boolean hasWhole = position < end && AsciiText.isDigit(text[position]);
        whole = hasWhole ? digits() : 0;
        int before = position;
        fraction = fractionDigits();
        if (!hasWhole && position - before < 2) {
            throw syntax();
        }
        if (isNegative) {
            whole = -whole;
            fraction = -fraction;
        }
    }

    private long digits() {
        int digitsEnd = AsciiText.digitsEnd(text, position, end);
        if (digitsEnd == position) {
            throw syntax();
        }
        if (digitsEnd - position > MOST_DIGITS) {
            throw outOfRange();
        }
        long value = 0;
        for (; position < digitsEnd; position++) {
            value = value * 10 + text[position] - '0';
        }
        return value;
    }

    private double fractionDigits() {
        if (!isAt('.')) {
            return 0;
        }
        int digitsEnd = AsciiText.digitsEnd(text, position + 1, end);
        String digits = InvalidValue.shown(text, position + 1, Math.min(digitsEnd, position + MOST_DIGITS));
        position = digitsEnd;
        return Double.parseDouble("0." + digits + "0");
    }

    private boolean isWordAt(String word) {
        return AsciiText.isWord(text, position, Math.min(end, position + word.length()), word);
    }

    private boolean isAt(char character) {
        return position < end && text[position] == character;
    }

    private void skipBlanks() {
        position = AsciiText.trimmedStart(text, position, end);
    }

    private FulmarException syntax() {
        return new FulmarException(
                ErrorCode.INVALID_DATETIME,
                "invalid input syntax for type interval: \"" + InvalidValue.shown(text, from, to)
                        + "\"; write it as 1 day 02:03:04");
    }

    private FulmarException outOfRange() {
        return new FulmarException(
                ErrorCode.DATETIME_OUT_OF_RANGE,
                "interval field value out of range: \"" + InvalidValue.shown(text, from, to)
                        + "\"; use a greater unit");
    }
}
