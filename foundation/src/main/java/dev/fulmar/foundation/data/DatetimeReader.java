package dev.fulmar.foundation.data;

import java.time.DateTimeException;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reader of the text of a date, a time, or both. Each part of the text may mean several things, of which the parts
 * before it decide. The rules are those of PostgreSQL (manual, appendix B.1), so that no text means another day here.
 */
final class DatetimeReader {
    private static final int ZONE = 1 << 6;
    private static final int SUMMER = 1 << 7;
    private static final int NAMED_MOMENT = 1 << 8;
    private static final int HALF_OF_DAY = 1 << 9;
    private static final int ERA = 1 << 10;
    private static final int WEEKDAY = 1 << 11;

    private static final int SECONDS_PER_HOUR = 3_600;
    private static final int MOST_OFFSET_HOURS = 15;
    private static final int SIXTY = 60;
    private static final double MICROS_PER_DAY = 86_400e6;

    private final List<DatetimeParts.Part> parts;
    private final boolean isTimeAlone;
    private final DatetimeNumbers numbers;

    /** Parts of the date and time that are known, as bits. */
    private int seen;

    /** The unit of the next number; 0 for none. */
    private char unit;

    private int half = -1;
    private boolean isBeforeChrist;
    private WrittenDatetime.Form form = WrittenDatetime.Form.DATE;
    private long daysFromToday;
    private @Nullable ZoneId zone;

    DatetimeReader(String text, DateOrder order, boolean isTimeAlone) {
        this.parts = DatetimeParts.of(text);
        this.isTimeAlone = isTimeAlone;
        this.numbers = new DatetimeNumbers(order);
    }

    WrittenDatetime read() {
        for (int i = 0; i < parts.size(); i++) {
            DatetimeParts.Part part = parts.get(i);
            int found = switch (part.kind()) {
                case DATE -> dateOrZone(i, part);
                case TIME -> time(part.text());
                case OFFSET -> offset(part.text());
                case NUMBER -> number(i, part.text());
                case WORD, SIGNED_WORD -> word(i, part.text());
            };
            if ((found & seen) != 0) {
                throw DatetimeTextException.form();
            }
            seen |= found;
        }
        numbers.checkDate(seen, isBeforeChrist);
        if (half >= 0) {
            numbers.toHalfOfDay(half);
        }
        return isTimeAlone ? timeOfDay() : moment();
    }

    private WrittenDatetime timeOfDay() {
        numbers.checkTime();
        boolean needsDate = zone != null && !zone.getRules().isFixedOffset() && !has(DatetimeNumbers.DATE);
        if (!has(DatetimeNumbers.TIME) || needsDate) {
            throw DatetimeTextException.form();
        }
        return new WrittenDatetime(form, 0, numbers.micros(), zone);
    }

    private WrittenDatetime moment() {
        boolean isDate = form == WrittenDatetime.Form.DATE || form == WrittenDatetime.Form.FROM_TODAY;
        if (!isDate) {
            return new WrittenDatetime(form, 0, 0, zone);
        }
        if (!has(DatetimeNumbers.DATE)) {
            throw DatetimeTextException.form();
        }
        long days = form == WrittenDatetime.Form.FROM_TODAY ? daysFromToday : numbers.days();
        return new WrittenDatetime(form, days, numbers.micros(), zone);
    }

    private boolean has(int mask) {
        return (seen & mask) == mask;
    }

    private int dateOrZone(int place, DatetimeParts.Part part) {
        if (isTimeAlone) {
            boolean isDate = place == 0
                    && parts.size() > 1
                    && (parts.getLast().kind() == DatetimeParts.Kind.DATE
                            || parts.get(1).kind() == DatetimeParts.Kind.TIME);
            return isDate ? numbers.date(part.text(), seen) : timeOrZone(part);
        }
        if (unit == DatetimeWord.JULIAN) {
            return julianDayInZone(part.text());
        }
        return unit != 0 || has(DatetimeNumbers.MONTH | DatetimeNumbers.DAY)
                ? timeOrZone(part)
                : numbers.date(part.text(), seen);
    }

    /** A whole Julian day with an offset behind it. */
    private int julianDayInZone(String text) {
        int sign = text.indexOf('-');
        if (sign < 0) {
            throw DatetimeTextException.form();
        }
        unit = 0;
        numbers.julianDay(DatetimeNumbers.number(text.substring(0, sign)));
        return DatetimeNumbers.DATE | DatetimeNumbers.TIME | offset(text.substring(sign));
    }

    /** A zone's name with signs in it, or digits of a time with an offset behind: {@code 040506-08}. */
    private int timeOrZone(DatetimeParts.Part part) {
        String text = part.text();
        if (!part.beginsWithDigit() && unit == 0) {
            zone = ZonedTime.givenZone(text).orElseThrow(() -> DatetimeTextException.zone(text));
            return ZONE;
        }
        boolean isTime = unit == 0 || unit == 't';
        unit = 0;
        int sign = text.indexOf('-');
        if (!isTime || has(DatetimeNumbers.TIME) || sign < 0) {
            throw DatetimeTextException.form();
        }
        int found = offset(text.substring(sign));
        return found | numbers.joined(text.substring(0, sign), isTimeAlone ? seen | DatetimeNumbers.DATE : seen);
    }

    private int time(String text) {
        if (unit != 0 && unit != 't') {
            throw DatetimeTextException.form();
        }
        unit = 0;
        numbers.time(text);
        if (!isTimeAlone) {
            numbers.checkTime();
        }
        return DatetimeNumbers.TIME;
    }

    /** {@code +2}, {@code +02}, {@code +0230}, {@code +02:30} or {@code +02:30:15}. */
    private int offset(String text) {
        String[] fields = text.substring(1).split(":", -1);
        if (fields.length > 3) {
            throw DatetimeTextException.form();
        }
        int hours = offsetNumber(fields[0]);
        int minutes = fields.length > 1 ? offsetNumber(fields[1]) : 0;
        int seconds = fields.length > 2 ? offsetNumber(fields[2]) : 0;
        if (fields.length == 1 && text.length() > 3) {
            minutes = hours % 100;
            hours /= 100;
        }
        if (hours > MOST_OFFSET_HOURS || minutes >= SIXTY || seconds >= SIXTY) {
            throw DatetimeTextException.range();
        }
        int total = (hours * SIXTY + minutes) * SIXTY + seconds;
        zone = ZoneOffset.ofTotalSeconds(text.charAt(0) == '-' ? -total : total);
        return ZONE;
    }

    /** No digits are 0, as in {@code +2:}. */
    private static int offsetNumber(String digits) {
        return digits.isEmpty() ? 0 : DatetimeNumbers.number(digits);
    }

    private int number(int place, String text) {
        if (unit != 0) {
            return labeled(text);
        }
        int point = text.indexOf('.');
        if (isTimeAlone) {
            return numberOfTime(place, text, point);
        }
        boolean hasDate = (seen & DatetimeNumbers.DATE) != 0;
        if (point >= 0 && !hasDate) {
            return numbers.date(text, seen);
        }
        boolean isJoined =
                point > 2 || (point < 0 && text.length() >= 6 && (!hasDate || (seen & DatetimeNumbers.TIME) == 0));
        return isJoined ? numbers.joined(text, seen) : numbers.number(text, seen);
    }

    private int numberOfTime(int place, String text, int point) {
        int known = seen | DatetimeNumbers.DATE;
        if (point < 0) {
            return text.length() > 4 ? numbers.joined(text, known) : numbers.number(text, known);
        }
        boolean isDate = place == 0 && parts.size() > 1 && parts.getLast().kind() == DatetimeParts.Kind.DATE;
        if (!isDate && point <= 2) {
            throw DatetimeTextException.form();
        }
        return isDate ? numbers.date(text, seen) : numbers.joined(text, known);
    }

    /** A number behind its unit: {@code y2001m02d04}. */
    private int labeled(String text) {
        char label = unit;
        unit = 0;
        int point = text.indexOf('.');
        boolean mayHavePoint = label == DatetimeWord.JULIAN || label == 't' || label == 's';
        if (point >= 0 && !mayHavePoint) {
            throw DatetimeTextException.form();
        }
        if (label == 't') {
            int found = numbers.joined(text, seen | DatetimeNumbers.DATE);
            if (found != DatetimeNumbers.TIME) {
                throw DatetimeTextException.form();
            }
            return found;
        }
        int whole = DatetimeNumbers.number(point < 0 ? text : text.substring(0, point));
        if (label != DatetimeWord.JULIAN) {
            return numbers.labeled(label, whole, point < 0 ? "" : text.substring(point), seen);
        }
        numbers.julianDay(whole);
        if (point < 0) {
            return DatetimeNumbers.DATE;
        }
        numbers.timeMicros((long) (DatetimeNumbers.fraction(text.substring(point)) * MICROS_PER_DAY));
        return DatetimeNumbers.DATE | DatetimeNumbers.TIME;
    }

    private int word(int place, String text) {
        Optional<ZoneId> abbreviation = ZoneAbbreviations.offset(text);
        if (abbreviation.isPresent()) {
            zone = abbreviation.get();
            return ZONE;
        }
        DatetimeWord word = DatetimeWord.of(text);
        if (word == null) {
            zone = ZonedTime.givenZone(text).orElseThrow(DatetimeTextException::form);
            return ZONE;
        }
        return isTimeAlone && !isOfTime(word) ? refused() : known(place, word);
    }

    private static int refused() {
        throw DatetimeTextException.form();
    }

    private static boolean isOfTime(DatetimeWord word) {
        return switch (word.kind()) {
            case MONTH, WEEKDAY, DAY_FROM_TODAY -> false;
            case MOMENT -> word.value() == WrittenDatetime.Form.NOW.ordinal();
            case HALF_OF_DAY, ERA, UNIT, TIME_MARK, SUMMER, MIDNIGHT, IGNORED -> true;
        };
    }

    private int known(int place, DatetimeWord word) {
        return switch (word.kind()) {
            case MONTH -> numbers.monthByName(word.value(), seen);
            case WEEKDAY -> WEEKDAY;
            case HALF_OF_DAY -> {
                half = word.value();
                yield HALF_OF_DAY;
            }
            case ERA -> {
                isBeforeChrist = word.value() == 1;
                yield ERA;
            }
            case UNIT -> {
                unit = (char) word.value();
                yield 0;
            }
            case TIME_MARK -> timeMark(place);
            case SUMMER -> summer();
            case MOMENT -> namedMoment(WrittenDatetime.Form.values()[word.value()]);
            case DAY_FROM_TODAY -> {
                form = WrittenDatetime.Form.FROM_TODAY;
                daysFromToday = word.value();
                yield numbers.anyDate();
            }
            case MIDNIGHT -> {
                zone = ZoneOffset.UTC;
                yield DatetimeNumbers.TIME | ZONE;
            }
            case IGNORED -> 0;
        };
    }

    private int timeMark(int place) {
        DatetimeParts.Kind next =
                place + 1 < parts.size() ? parts.get(place + 1).kind() : DatetimeParts.Kind.WORD;
        boolean isBeforeTime =
                next == DatetimeParts.Kind.NUMBER || next == DatetimeParts.Kind.TIME || next == DatetimeParts.Kind.DATE;
        if (!isBeforeTime || !(isTimeAlone || has(DatetimeNumbers.DATE))) {
            throw DatetimeTextException.form();
        }
        unit = 't';
        return 0;
    }

    /** An hour more than the offset before it, as in {@code MET DST}. */
    private int summer() {
        if (!(zone instanceof ZoneOffset standard)) {
            throw DatetimeTextException.form();
        }
        try {
            zone = ZoneOffset.ofTotalSeconds(standard.getTotalSeconds() + SECONDS_PER_HOUR);
        } catch (DateTimeException e) {
            throw DatetimeTextException.range();
        }
        return SUMMER;
    }

    private int namedMoment(WrittenDatetime.Form named) {
        form = named;
        if (named != WrittenDatetime.Form.NOW) {
            return NAMED_MOMENT;
        }
        return isTimeAlone ? DatetimeNumbers.TIME : numbers.anyDate() | DatetimeNumbers.TIME | ZONE;
    }
}
