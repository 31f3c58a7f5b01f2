package dev.fulmar.wire.postgres.type;

/**
 * Reader of the form in which drivers send dates and timestamps, that of ISO 8601. The year has four digits, a second
 * has at most microseconds, and an offset has hours and minutes. No objects are made from the text. Invariant: it reads
 * no text otherwise than {@link WrittenForm}, which reads all that it leaves, and tells what is wrong in them.
 */
final class PlainDatetime {
    private static final int DATE_LENGTH = 10;
    private static final int TIME_LENGTH = 8;
    private static final int MICRO_DIGITS = 6;
    private static final int HOURS = 24;
    private static final int SIXTY = 60;
    private static final int MOST_OFFSET_HOURS = 15;
    private static final int MONTHS = 12;

    private final byte[] text;
    private final int to;
    private int position;

    /** Days since 1970. */
    private long days;

    private long timeMicros;
    private boolean hasOffset;
    private int offsetSeconds;

    PlainDatetime(byte[] text, int from, int to) {
        this.text = text;
        this.to = to;
        position = from;
    }

    /** Reads the text; false if it is in another form, or no date. */
    boolean read() {
        if (!readDate()) {
            return false;
        }
        if (position == to) {
            return true;
        }
        return (isAt(' ') || isAt('T')) && readTime() && (position == to || readOffset());
    }

    long days() {
        return days;
    }

    /** Microseconds since 1970 as they are written. */
    long localMicros() {
        return days * DatetimeForm.MICROS_PER_DAY + timeMicros;
    }

    /** Whether the text says its offset, without which a moment is in the zone of the session. */
    boolean hasOffset() {
        return hasOffset;
    }

    /** Microseconds since 1970 in UTC, by the offset. */
    long instantMicros() {
        return localMicros() - offsetSeconds * DatetimeForm.MICROS_PER_SECOND;
    }

    private boolean readDate() {
        if (to - position < DATE_LENGTH || text[position + 4] != '-' || text[position + 7] != '-') {
            return false;
        }
        int year = pair(position) * 100 + pair(position + 2);
        int month = pair(position + 5);
        int day = pair(position + 8);
        if (pair(position) < 0 || pair(position + 2) < 0 || year == 0) {
            return false;
        }
        position += DATE_LENGTH;
        if (month < 1 || month > MONTHS || day < 1 || day > CivilDate.monthDays(year, month)) {
            return false;
        }
        days = CivilDate.toDays(year, month, day);
        return true;
    }

    private boolean readTime() {
        int start = position + 1;
        if (to - start < TIME_LENGTH || text[start + 2] != ':' || text[start + 5] != ':') {
            return false;
        }
        int hour = pair(start);
        int minute = pair(start + 3);
        int second = pair(start + 6);
        position = start + TIME_LENGTH;
        if (hour < 0 || hour >= HOURS || minute < 0 || minute >= SIXTY || second < 0 || second >= SIXTY) {
            return false;
        }
        timeMicros = ((hour * SIXTY + minute) * SIXTY + second) * DatetimeForm.MICROS_PER_SECOND;
        return !isAt('.') || readFraction();
    }

    private boolean readFraction() {
        int end = AsciiText.digitsEnd(text, position + 1, to);
        int digits = end - position - 1;
        if (digits < 1 || digits > MICRO_DIGITS) {
            return false;
        }
        long micros = 0;
        for (int i = 1; i <= MICRO_DIGITS; i++) {
            micros = micros * 10 + (i <= digits ? text[position + i] - '0' : 0);
        }
        timeMicros += micros;
        position = end;
        return true;
    }

    /** {@code +02} or {@code +02:30}. */
    private boolean readOffset() {
        int length = to - position;
        boolean hasMinutes = length == 6 && text[position + 3] == ':';
        if ((!isAt('+') && !isAt('-')) || (length != 3 && !hasMinutes)) {
            return false;
        }
        int hours = pair(position + 1);
        int minutes = hasMinutes ? pair(position + 4) : 0;
        if (hours < 0 || hours > MOST_OFFSET_HOURS || minutes < 0 || minutes >= SIXTY) {
            return false;
        }
        int seconds = (hours * SIXTY + minutes) * SIXTY;
        offsetSeconds = isAt('-') ? -seconds : seconds;
        hasOffset = true;
        position = to;
        return true;
    }

    private boolean isAt(char character) {
        return position < to && text[position] == character;
    }

    /** The number of two digits; negative if they are none. */
    private int pair(int place) {
        return AsciiText.isDigit(text[place]) && AsciiText.isDigit(text[place + 1])
                ? (text[place] - '0') * 10 + text[place + 1] - '0'
                : -1;
    }
}
