package dev.fulmar.foundation.data;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Reader of one interval in the forms that PostgreSQL reads: numbers with units, times, years and months, and those of
 * ISO 8601. As PostgreSQL it reads the fields from the last to the first, so that a unit is known before its number.
 */
final class IntervalReader {
    private static final int MOST_FIELDS = 25;
    private static final int MOST_CHARACTERS = 254;
    private static final int MOST_SHOWN = 60;

    /** A unit's name counts to here. */
    private static final int LETTERS_OF_UNIT = 10;

    private static final int SIXTY = 60;

    /** Bits of the units that were read, of which each may come once. */
    private static final int MICROSECOND = 1;

    private static final int MILLISECOND = 1 << 1;
    private static final int SECOND = 1 << 2;
    private static final int ALL_SECONDS = MICROSECOND | MILLISECOND | SECOND;
    private static final int MINUTE = 1 << 3;
    private static final int HOUR = 1 << 4;
    private static final int TIME = HOUR | MINUTE | ALL_SECONDS;
    private static final int DAY = 1 << 5;
    private static final int WEEK = 1 << 6;
    private static final int MONTH = 1 << 7;
    private static final int YEAR = 1 << 8;
    private static final int DECADE = 1 << 9;
    private static final int CENTURY = 1 << 10;
    private static final int MILLENNIUM = 1 << 11;

    /** Not a unit: there is none yet, so that of the type counts. */
    private static final int NO_UNIT = 0;

    /** Not a unit: a word that is none, or one that no number has. */
    private static final int WRONG_UNIT = -1;

    private static final int AGO = -2;

    /** A unit that stands alone only, and says nothing then. */
    private static final int QUARTER = -3;

    private enum Kind {
        NUMBER,
        SIGNED,
        TIME,
        WORD
    }

    private record Field(Kind kind, String text) {}

    /** The end of reading a text, or a part of it. */
    enum Outcome {
        DONE,
        WRONG_FORMAT,
        OVERFLOW
    }

    private final String text;
    private final IntervalShape shape;
    private final boolean hasLeadingSign;
    private final IntervalParts parts = new IntervalParts();

    /** Units that were read. */
    private int taken;

    private boolean isNegated;

    private IntervalReader(String text, IntervalShape shape, boolean hasLeadingSign) {
        this.text = text;
        this.shape = shape;
        this.hasLeadingSign = hasLeadingSign;
    }

    /**
     * The interval of the text.
     *
     * @param shape of the type, which says the unit of a number that has none
     * @param hasLeadingSign whether a minus before the first number counts for all if no other has a sign
     * @throws FulmarException {@link ErrorCode#INVALID_DATETIME} for another text,
     *     {@link ErrorCode#INTERVAL_OUT_OF_RANGE} or {@link ErrorCode#DATETIME_OUT_OF_RANGE} for one that is too long
     */
    static Interval read(String text, IntervalShape shape, boolean hasLeadingSign) {
        IntervalReader reader = new IntervalReader(text, shape, hasLeadingSign);
        Outcome outcome = reader.readFields();
        IntervalParts parts = reader.parts;
        if (outcome == Outcome.WRONG_FORMAT) {
            parts = new IntervalParts();
            outcome = new IsoIntervalReader(text, parts).read();
        }
        return switch (outcome) {
            case DONE -> shape.fitted(parts.interval(reader::tooLong));
            case WRONG_FORMAT -> throw reader.wrong();
            case OVERFLOW -> throw reader.outOfRange();
        };
    }

    private FulmarException wrong() {
        return new FulmarException(
                ErrorCode.INVALID_DATETIME,
                "invalid input syntax for type interval: \"" + shown() + "\"; write it as 1 day 02:03:04");
    }

    private FulmarException outOfRange() {
        return new FulmarException(
                ErrorCode.INTERVAL_OUT_OF_RANGE,
                "interval field value out of range: \"" + shown() + "\"; use a greater unit");
    }

    private FulmarException tooLong() {
        return new FulmarException(
                ErrorCode.DATETIME_OUT_OF_RANGE,
                "interval out of range: \"" + shown() + "\"; choose one of less than 178,956,971 years");
    }

    private String shown() {
        return text.length() > MOST_SHOWN ? text.substring(0, MOST_SHOWN) + "..." : text;
    }

    private Outcome readFields() {
        List<Field> fields = new ArrayList<>();
        if (!split(fields)) {
            return Outcome.WRONG_FORMAT;
        }
        if (hasLeadingSign) {
            signAll(fields);
        }
        int unit = NO_UNIT;
        for (Field field : fields.reversed()) {
            switch (field.kind) {
                case WORD -> {
                    unit = unit(field.text);
                    isNegated |= unit == AGO;
                    if (unit == WRONG_UNIT) {
                        return Outcome.WRONG_FORMAT;
                    }
                }
                case TIME -> {
                    Outcome outcome = readTime(field.text, false);
                    if (outcome != Outcome.DONE) {
                        return outcome;
                    }
                    unit = DAY;
                }
                case NUMBER, SIGNED -> {
                    boolean isTime = field.kind == Kind.SIGNED
                            && field.text.indexOf(':') > 0
                            && readTime(field.text.substring(1), field.text.charAt(0) == '-') == Outcome.DONE;
                    Outcome outcome = isTime ? Outcome.DONE : readNumber(field.text, unit);
                    if (outcome != Outcome.DONE) {
                        return outcome;
                    }
                    unit = isTime ? DAY : unitBefore(field.text, unit);
                }
            }
        }
        if (taken == 0) {
            return Outcome.WRONG_FORMAT;
        }
        return isNegated && !parts.negate() ? Outcome.OVERFLOW : Outcome.DONE;
    }

    /** Gives all numbers the minus of the first one, if no other has a sign. */
    private static void signAll(List<Field> fields) {
        if (fields.isEmpty() || !fields.getFirst().text.startsWith("-")) {
            return;
        }
        for (Field field : fields.subList(1, fields.size())) {
            if (field.text.startsWith("-") || field.text.startsWith("+")) {
                return;
            }
        }
        fields.replaceAll(field -> field.kind == Kind.NUMBER || field.kind == Kind.TIME
                ? new Field(Kind.SIGNED, "-" + field.text)
                : field);
    }

    /** The unit of a number before this one if it has none: hours have days before them. */
    private int unitBefore(String number, int unit) {
        int own = ownUnit(number, unit);
        return own == HOUR ? DAY : own;
    }

    private int ownUnit(String number, int unit) {
        if (isYearsAndMonths(number)) {
            return MONTH;
        }
        if (unit != NO_UNIT) {
            return unit;
        }
        return switch (shape.fields().last()) {
            case YEAR -> YEAR;
            case MONTH -> MONTH;
            case DAY -> DAY;
            case HOUR -> HOUR;
            case MINUTE -> MINUTE;
            case SECOND -> SECOND;
        };
    }

    private boolean take(int units) {
        boolean isFree = (taken & units) == 0;
        taken |= units;
        return isFree;
    }

    /** Cuts the text into fields; false if it has what no field has. Punctuation stands between fields. */
    private boolean split(List<Field> fields) {
        int position = 0;
        int length = 0;
        while (position < text.length()) {
            char first = text.charAt(position);
            int end = position + 1;
            Kind kind = null;
            if (isDigit(first)) {
                end = digits(position);
                kind = at(end) == ':' ? Kind.TIME : Kind.NUMBER;
                end = kind == Kind.TIME ? run(end, ":.") : endOfNumber(end);
            } else if (first == '.') {
                end = digits(end);
                kind = Kind.NUMBER;
            } else if (isLetter(first)) {
                int letters = letters(position);
                end = endOfWord(position, letters);
                kind = end == letters ? Kind.WORD : Kind.NUMBER; // which is wrong
            } else if (first == '+' || first == '-') {
                while (isBlank(at(end))) {
                    end++;
                }
                if (!isDigit(at(end)) && !isLetter(at(end))) {
                    return false;
                }
                kind = isLetter(at(end)) ? Kind.WORD : Kind.SIGNED;
                end = kind == Kind.WORD ? letters(end) : run(end, ":.-");
            } else if (!isBlank(first) && !isPunctuation(first)) {
                return false;
            }
            if (kind != null) {
                String written = text.substring(position, end);
                fields.add(new Field(
                        kind, kind == Kind.SIGNED ? first + written.substring(1).strip() : written));
                length += written.length() + 1;
            }
            position = end;
            if (fields.size() > MOST_FIELDS || length > MOST_CHARACTERS) {
                return false;
            }
        }
        return true;
    }

    /** The end of a number with a fraction, or of years and months, or of what looks like a date and is wrong. */
    private int endOfNumber(int digitsEnd) {
        char mark = at(digitsEnd);
        if (mark != '-' && mark != '/' && mark != '.') {
            return digitsEnd;
        }
        int end = digitsEnd + 1;
        if (isDigit(at(end))) {
            end = digits(end);
            return at(end) == mark ? run(end, String.valueOf(mark)) : end;
        }
        while (isLetter(at(end)) || isDigit(at(end)) || at(end) == mark) {
            end++;
        }
        return end;
    }

    /** A word with digits or signs in it is no unit; one with a number or sign behind it may be. */
    private int endOfWord(int begin, int lettersEnd) {
        char mark = at(lettersEnd);
        boolean isDate = mark == '-' || mark == '/' || mark == '.' || mark == '+' || isDigit(mark);
        if (!isDate) {
            return lettersEnd;
        }
        boolean mayEnd = (mark == '+' || isDigit(mark)) && isOfDates(text.substring(begin, lettersEnd));
        int end = lettersEnd;
        while (!mayEnd && (isLetter(at(end)) || isDigit(at(end)) || ("+-/_.:".indexOf(at(end)) >= 0 && at(end) != 0))) {
            end++;
        }
        return end;
    }

    /** Whether the word is one that dates have too, which a number may follow. */
    private static boolean isOfDates(String word) {
        return switch (word.toLowerCase(Locale.ROOT)) {
            case "d", "h", "m", "mm", "s", "y", "mon", "dec", "t", "j" -> true;
            default -> false;
        };
    }

    private char at(int place) {
        return place < text.length() ? text.charAt(place) : 0;
    }

    /** The end of the letters from there. */
    private int letters(int begin) {
        int end = begin;
        while (isLetter(at(end))) {
            end++;
        }
        return end;
    }

    private int digits(int begin) {
        return run(begin, "");
    }

    /** The end of the digits and marks from there. */
    private int run(int begin, String marks) {
        int end = begin;
        while (end < text.length() && (isDigit(text.charAt(end)) || marks.indexOf(text.charAt(end)) >= 0)) {
            end++;
        }
        return end;
    }

    static boolean isDigit(char character) {
        return character >= '0' && character <= '9';
    }

    private static boolean isLetter(char character) {
        return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z');
    }

    private static boolean isBlank(char character) {
        return character == ' ' || (character >= '\t' && character <= '\r');
    }

    private static boolean isPunctuation(char character) {
        return character > ' ' && character < 0x7f && !isDigit(character) && !isLetter(character);
    }

    private static int unit(String word) {
        String name = word.toLowerCase(Locale.ROOT);
        return switch (name.length() > LETTERS_OF_UNIT ? name.substring(0, LETTERS_OF_UNIT) : name) {
            case "us", "usec", "usecs", "usecond", "useconds", "microsecon" -> MICROSECOND;
            case "ms", "msec", "msecs", "msecond", "mseconds", "millisecon" -> MILLISECOND;
            case "s", "sec", "secs", "second", "seconds" -> SECOND;
            case "m", "min", "mins", "minute", "minutes" -> MINUTE;
            case "h", "hr", "hrs", "hour", "hours" -> HOUR;
            case "d", "day", "days" -> DAY;
            case "w", "week", "weeks" -> WEEK;
            case "mon", "mons", "month", "months" -> MONTH;
            case "y", "yr", "yrs", "year", "years" -> YEAR;
            case "dec", "decs", "decade", "decades" -> DECADE;
            case "c", "cent", "century", "centuries" -> CENTURY;
            case "mil", "mils", "millennium", "millennia" -> MILLENNIUM;
            case "qtr", "quarter" -> QUARTER;
            case "ago" -> AGO;
            default -> WRONG_UNIT;
        };
    }

    private static boolean isYearsAndMonths(String number) {
        return number.indexOf('-', 1) > 0;
    }

    /** Hours, minutes and perhaps seconds; minutes and seconds if these have a fraction and no hours are said. */
    private Outcome readTime(String time, boolean isNegative) {
        WrittenNumber hours = WrittenNumber.of(time, 0);
        if (hours.end() >= time.length() || time.charAt(hours.end()) != ':') {
            return Outcome.WRONG_FORMAT;
        }
        WrittenNumber minutes = WrittenNumber.of(time, hours.end() + 1);
        if (hours.isTooLarge() || minutes.isBeyondInt()) {
            return Outcome.OVERFLOW;
        }
        long hour = hours.value();
        long minute = minutes.value();
        long second = 0;
        double fraction = 0;
        int end = minutes.end();
        char mark = end < time.length() ? time.charAt(end) : 0;
        if (mark == ':') {
            WrittenNumber seconds = WrittenNumber.of(time, end + 1);
            if (seconds.isBeyondInt()) {
                return Outcome.OVERFLOW;
            }
            second = seconds.value();
            end = seconds.end();
        }
        if (end < time.length()) {
            if (time.charAt(end) != '.') {
                return Outcome.WRONG_FORMAT;
            }
            fraction = WrittenNumber.fraction(time, end);
            if (Double.isNaN(fraction)) {
                return Outcome.WRONG_FORMAT;
            }
        }
        boolean lacksHours = mark == '.' || (mark == 0 && shape.fields() == IntervalShape.Fields.MINUTE_TO_SECOND);
        if (lacksHours) {
            second = minute;
            minute = hour;
            hour = 0;
        }
        if (minute < 0 || minute >= SIXTY || second < 0 || second > SIXTY) {
            return Outcome.OVERFLOW;
        }
        if (!parts.setTime(hour, minute, second, (long) Math.rint(fraction * Interval.MICROS_PER_SECOND))
                || (isNegative && !parts.negateTime())) {
            return Outcome.OVERFLOW;
        }
        return take(TIME) ? Outcome.DONE : Outcome.WRONG_FORMAT;
    }

    /** A number of the unit, or years and months. */
    private Outcome readNumber(String number, int unit) {
        WrittenNumber whole = WrittenNumber.of(number, 0);
        if (whole.isTooLarge()) {
            return Outcome.OVERFLOW;
        }
        boolean isNegative = number.startsWith("-");
        char mark = whole.end() < number.length() ? number.charAt(whole.end()) : 0;
        if (mark == '-') {
            WrittenNumber months = WrittenNumber.of(number, whole.end() + 1);
            if (months.isBeyondInt() || months.value() < 0 || months.value() >= Interval.MONTHS_PER_YEAR) {
                return Outcome.OVERFLOW;
            }
            if (months.end() < number.length()) {
                return Outcome.WRONG_FORMAT;
            }
            boolean fits = parts.addYearsAndMonths(whole.value(), isNegative ? -months.value() : months.value());
            return outcome(fits, MONTH);
        }
        double fraction = 0;
        if (mark == '.') {
            fraction = WrittenNumber.fraction(number, whole.end());
            if (Double.isNaN(fraction)) {
                return Outcome.WRONG_FORMAT;
            }
        } else if (mark != 0) {
            return Outcome.WRONG_FORMAT;
        }
        return add(ownUnit(number, unit), whole.value(), isNegative ? -fraction : fraction);
    }

    private Outcome outcome(boolean fits, int units) {
        if (!fits) {
            return Outcome.OVERFLOW;
        }
        return take(units) ? Outcome.DONE : Outcome.WRONG_FORMAT;
    }

    private Outcome add(int unit, long whole, double fraction) {
        return switch (unit) {
            case MICROSECOND -> outcome(parts.addMicros(whole, fraction, 1), unit);
            case MILLISECOND -> outcome(parts.addMicros(whole, fraction, 1_000), unit);
            case SECOND ->
                outcome(
                        parts.addMicros(whole, fraction, Interval.MICROS_PER_SECOND),
                        fraction == 0 ? SECOND : ALL_SECONDS);
            case MINUTE -> outcome(parts.addMicros(whole, fraction, Interval.MICROS_PER_MINUTE), unit);
            case HOUR -> outcome(parts.addMicros(whole, fraction, Interval.MICROS_PER_HOUR), unit);
            case DAY -> outcome(parts.addDays(whole, fraction), unit);
            case WEEK -> outcome(parts.addWeeks(whole, fraction), unit);
            case MONTH -> outcome(parts.addMonths(whole, fraction), unit);
            case YEAR -> outcome(parts.addYears(whole, fraction, 1), unit);
            case DECADE -> outcome(parts.addYears(whole, fraction, 10), unit);
            case CENTURY -> outcome(parts.addYears(whole, fraction, 100), unit);
            case MILLENNIUM -> outcome(parts.addYears(whole, fraction, 1_000), unit);
            default -> Outcome.WRONG_FORMAT;
        };
    }
}
