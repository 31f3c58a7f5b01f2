package dev.fulmar.wire.postgres.type;

import dev.fulmar.foundation.data.ZonedTime;
import dev.fulmar.foundation.error.FulmarException;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;

/**
 * Reader of one date, time, or both, in the forms that PostgreSQL writes, those of ISO 8601, and with the names of
 * months. Forms in which the order of day and month depends on a setting are those of {@code MDY}.
 */
final class DatetimeReader {
    /** No infinity, and not the epoch. */
    static final long NOT_SPECIAL = -1;

    private static final String[] MONTHS = {
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december"
    };
    private static final int LEAST_YEAR_DIGITS = 3;
    private static final int MOST_YEAR_DIGITS = 7;
    private static final int COMPACT_DATE_DIGITS = 8;
    private static final int COMPACT_TIME_DIGITS = 6;
    private static final int HALF_DAY_HOURS = 12;
    private static final int DAY_HOURS = 24;
    private static final int MOST_OFFSET_HOURS = 15;
    private static final int SIXTY = 60;
    private static final int LEAST_MONTH_LETTERS = 3;

    private final PostgresType type;
    private final byte[] text;
    private final int from;
    private final int to;
    private final int start;
    private final int end;
    private int position;

    private boolean hasDate;
    private long year;
    private int month;
    private int day;
    private boolean hasTime;
    private long timeMicros;
    private @Nullable ZoneId zone;

    DatetimeReader(PostgresType type, byte[] text, int from, int to) {
        this.type = type;
        this.text = text;
        this.from = from;
        this.to = to;
        start = AsciiText.trimmedStart(text, from, to);
        end = AsciiText.trimmedEnd(text, start, to);
        position = start;
    }

    /**
     * An infinity, the epoch as 0, or {@link #NOT_SPECIAL}, after which the text is read.
     */
    long special() {
        if (AsciiText.isWord(text, start, end, "infinity")) {
            return DatetimeForm.INFINITY;
        }
        if (AsciiText.isWord(text, start, end, "-infinity")) {
            return DatetimeForm.NEGATIVE_INFINITY;
        }
        if (AsciiText.isWord(text, start, end, "epoch")) {
            return 0;
        }
        read();
        if (!hasDate) {
            throw syntax();
        }
        return NOT_SPECIAL;
    }

    /** Days since 1970 of the date that was read. */
    long days() {
        return CivilDate.toDays(year, month, day);
    }

    /** Microseconds since 1970 of date and time as they are written. */
    long localMicros() {
        try {
            return Math.addExact(Math.multiplyExact(days(), DatetimeForm.MICROS_PER_DAY), timeMicros);
        } catch (ArithmeticException e) {
            throw InvalidValue.datetimeRange(type, InvalidValue.shown(text, from, to));
        }
    }

    /** Microseconds since 1970 in UTC. */
    long momentMicros(ZoneId session) {
        ZoneId written = zone;
        long local = localMicros();
        int offset = ZonedTime.localOffsetSeconds(local, written == null ? session : written);
        try {
            return Math.subtractExact(local, offset * DatetimeForm.MICROS_PER_SECOND);
        } catch (ArithmeticException e) {
            throw InvalidValue.datetimeRange(type, InvalidValue.shown(text, from, to));
        }
    }

    /** Reads a time of day. */
    long timeOfDay() {
        read();
        if (!hasTime) {
            throw syntax();
        }
        return timeMicros;
    }

    private void read() {
        if (beginsDate()) {
            readDate();
            skipBlanks();
            if ((isAt('T') || isAt('t')) && position + 1 < end && AsciiText.isDigit(text[position + 1])) {
                position++;
            }
        }
        if (position < end && AsciiText.isDigit(text[position])) {
            readTime();
            skipBlanks();
        }
        // A date may have an offset too, as JDBC's dates do; it counts for nothing.
        boolean mayHaveZone = hasTime || (hasDate && (isAt('+') || isAt('-')));
        if (mayHaveZone && position < end && !isEra()) {
            readZone();
            skipBlanks();
        }
        boolean isBeforeChrist = readEra();
        if (position != end) {
            throw syntax();
        }
        if (hasDate) {
            checkDate(isBeforeChrist);
        } else if (isBeforeChrist) {
            throw syntax();
        }
    }

    private boolean beginsDate() {
        int digits = AsciiText.digitsEnd(text, position, end);
        if (digits == position) {
            return position < end && AsciiText.isLetter(text[position]);
        }
        if (digits - position == COMPACT_DATE_DIGITS && (digits == end || text[digits] != ':')) {
            return true;
        }
        if (digits == end) {
            return false;
        }
        return switch (text[digits]) {
            case '-', '/' -> true;
            case ' ' -> digits + 1 < end && monthAt(digits + 1) > 0;
            default -> false;
        };
    }

    private void readDate() {
        hasDate = true;
        int digits = AsciiText.digitsEnd(text, position, end);
        if (digits - position == COMPACT_DATE_DIGITS) {
            year = number(position, position + 4);
            month = (int) number(position + 4, position + 6);
            day = (int) number(position + 6, digits);
            position = digits;
            return;
        }
        int named = monthAt(position);
        if (named > 0) { // January 8, 1999
            month = named;
            skipLetters();
            skipSeparators();
            day = (int) smallNumber();
            skipSeparators();
            readYear();
        } else if (digits - position >= LEAST_YEAR_DIGITS) { // 1999-01-08, 1999-Jan-08
            readYear();
            skipSeparator();
            readMonth();
            skipSeparator();
            day = (int) smallNumber();
        } else {
            readDateFromTheDay();
        }
    }

    /** Reads {@code 8-Jan-1999} or {@code 1/8/1999}. */
    private void readDateFromTheDay() {
        int first = (int) smallNumber();
        skipSeparators();
        if (monthAt(position) > 0) {
            day = first;
            readMonth();
        } else {
            month = first;
            day = (int) smallNumber();
        }
        skipSeparators();
        readYear();
    }

    private void readYear() {
        int digits = AsciiText.digitsEnd(text, position, end);
        if (digits - position < LEAST_YEAR_DIGITS) {
            throw syntax();
        }
        if (digits - position > MOST_YEAR_DIGITS) {
            throw InvalidValue.datetimeRange(text, from, to);
        }
        year = number(position, digits);
        position = digits;
    }

    private void readMonth() {
        int named = monthAt(position);
        if (named > 0) {
            month = named;
            skipLetters();
        } else {
            month = (int) smallNumber();
        }
    }

    /** A number of one or two digits. */
    private long smallNumber() {
        int digits = AsciiText.digitsEnd(text, position, end);
        if (digits == position || digits - position > 2) {
            throw syntax();
        }
        long value = number(position, digits);
        position = digits;
        return value;
    }

    /** The month that the letters at the place name, or 0. */
    private int monthAt(int place) {
        int letters = place;
        while (letters < end && AsciiText.isLetter(text[letters])) {
            letters++;
        }
        if (letters - place < LEAST_MONTH_LETTERS) {
            return 0;
        }
        for (int i = 0; i < MONTHS.length; i++) {
            boolean isShort = letters - place == LEAST_MONTH_LETTERS;
            if (isShort
                    ? AsciiText.startsWord(text, place, letters, MONTHS[i])
                    : AsciiText.isWord(text, place, letters, MONTHS[i])) {
                return i + 1;
            }
        }
        return 0;
    }

    private void readTime() {
        hasTime = true;
        int digits = AsciiText.digitsEnd(text, position, end);
        long hour;
        long minute;
        long second = 0;
        boolean mayHaveFraction = true;
        if (digits - position == COMPACT_TIME_DIGITS) {
            hour = number(position, position + 2);
            minute = number(position + 2, position + 4);
            second = number(position + 4, digits);
            position = digits;
            mayHaveFraction = position + 1 < end && AsciiText.isDigit(text[position + 1]);
        } else {
            hour = smallNumber();
            expect(':');
            minute = smallNumber();
            mayHaveFraction = isAt(':');
            if (mayHaveFraction) {
                position++;
                second = smallNumber();
            }
        }
        long micros = mayHaveFraction ? readFraction() : 0;
        hour = readHalfOfDay(hour);
        boolean isMidnight = hour == DAY_HOURS && minute == 0 && second == 0 && micros == 0;
        if ((hour >= DAY_HOURS && !isMidnight)
                || minute >= SIXTY
                || second > SIXTY
                || (second == SIXTY && micros > 0)) {
            throw InvalidValue.datetimeRange(text, from, to);
        }
        timeMicros = ((hour * SIXTY + minute) * SIXTY + second) * DatetimeForm.MICROS_PER_SECOND + micros;
    }

    /** Microseconds; more digits are rounded as PostgreSQL does, by a binary fraction. */
    private long readFraction() {
        if (!isAt('.')) {
            return 0;
        }
        int digits = AsciiText.digitsEnd(text, position + 1, end);
        String fraction = "0." + InvalidValue.shown(text, position + 1, Math.min(digits, position + 18)) + "0";
        position = digits;
        return (long) Math.rint(Double.parseDouble(fraction) * DatetimeForm.MICROS_PER_SECOND);
    }

    private long readHalfOfDay(long hour) {
        int place = AsciiText.trimmedStart(text, position, end);
        boolean isMorning = isLettersAt(place, "am");
        if (!isMorning && !isLettersAt(place, "pm")) {
            return hour;
        }
        position = place + 2;
        if (hour > HALF_DAY_HOURS) {
            throw InvalidValue.datetimeRange(text, from, to);
        }
        long withinHalf = hour % HALF_DAY_HOURS;
        return isMorning ? withinHalf : withinHalf + HALF_DAY_HOURS;
    }

    private void readZone() {
        if (isAt('+') || isAt('-')) {
            zone = ZoneOffset.ofTotalSeconds(offsetSeconds());
            return;
        }
        int nameEnd = position;
        while (nameEnd < end && !AsciiText.isBlank(text[nameEnd])) {
            nameEnd++;
        }
        zone = ZonedTime.writtenZone(InvalidValue.shown(text, position, nameEnd))
                .orElseThrow(this::syntax);
        position = nameEnd;
    }

    /** Reads {@code +2}, {@code +02}, {@code +0230}, {@code +02:30} or {@code +02:30:15}. */
    private int offsetSeconds() {
        boolean isNegative = isAt('-');
        position++;
        int digits = AsciiText.digitsEnd(text, position, end);
        long hours;
        long minutes = 0;
        long seconds = 0;
        if (digits - position == 4) {
            hours = number(position, position + 2);
            minutes = number(position + 2, digits);
            position = digits;
        } else {
            hours = smallNumber();
            if (isAt(':')) {
                position++;
                minutes = smallNumber();
                if (isAt(':')) {
                    position++;
                    seconds = smallNumber();
                }
            }
        }
        if (hours > MOST_OFFSET_HOURS || minutes >= SIXTY || seconds >= SIXTY) {
            throw InvalidValue.datetimeRange(text, from, to);
        }
        int offset = (int) ((hours * SIXTY + minutes) * SIXTY + seconds);
        return isNegative ? -offset : offset;
    }

    private boolean isEra() {
        return isLettersAt(position, "bc") || isLettersAt(position, "ad");
    }

    private boolean readEra() {
        boolean isBeforeChrist = isLettersAt(position, "bc");
        if (isBeforeChrist || isLettersAt(position, "ad")) {
            position += 2;
        }
        return isBeforeChrist;
    }

    private void checkDate(boolean isBeforeChrist) {
        if (year == 0) {
            throw InvalidValue.datetimeRange(text, from, to);
        }
        if (isBeforeChrist) {
            year = 1 - year;
        }
        if (month < 1 || month > MONTHS.length || day < 1 || day > CivilDate.monthDays(year, month)) {
            throw InvalidValue.datetimeRange(text, from, to);
        }
    }

    /** Whether these letters, and no more, stand at the place. */
    private boolean isLettersAt(int place, String letters) {
        int after = place + letters.length();
        return after <= end
                && AsciiText.isWord(text, place, after, letters)
                && (after == end || !AsciiText.isLetter(text[after]));
    }

    private boolean isAt(char character) {
        return position < end && text[position] == character;
    }

    private void expect(char character) {
        if (!isAt(character)) {
            throw syntax();
        }
        position++;
    }

    private void skipBlanks() {
        position = AsciiText.trimmedStart(text, position, end);
    }

    private void skipLetters() {
        while (position < end && AsciiText.isLetter(text[position])) {
            position++;
        }
    }

    private void skipSeparator() {
        if (!isAt('-') && !isAt('/')) {
            throw syntax();
        }
        position++;
    }

    private void skipSeparators() {
        int before = position;
        while (isAt('-') || isAt('/') || isAt(',') || isAt(' ')) {
            position++;
        }
        if (position == before) {
            throw syntax();
        }
    }

    private long number(int first, int last) {
        long value = 0;
        for (int i = first; i < last; i++) {
            value = value * 10 + text[i] - '0';
        }
        return value;
    }

    private FulmarException syntax() {
        return InvalidValue.datetime(type, text, from, to);
    }
}
