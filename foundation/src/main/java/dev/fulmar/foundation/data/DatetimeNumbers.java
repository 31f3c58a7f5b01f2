package dev.fulmar.foundation.data;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;

/** The numbers of a date and a time while their text is read. A number finds its place by those that are known. */
final class DatetimeNumbers {
    static final int YEAR = 1;
    static final int MONTH = 1 << 1;
    static final int DAY = 1 << 2;
    static final int HOUR = 1 << 3;
    static final int MINUTE = 1 << 4;
    static final int SECOND = 1 << 5;
    static final int DATE = YEAR | MONTH | DAY;
    static final int TIME = HOUR | MINUTE | SECOND;

    private static final long EPOCH_JULIAN_DAY = 2_440_588;
    private static final int DAY_OF_YEAR = 1 << 20;
    private static final int DAY_OF_YEAR_DIGITS = 3;
    private static final int DAYS_OF_YEAR = 366;
    private static final int MONTHS = 12;
    private static final int LONGEST_MONTH = 31;
    private static final int DAY_HOURS = 24;
    private static final int SIXTY = 60;
    private static final int CENTURY = 100;
    private static final int FIRST_SHORT_YEAR = 70;
    private static final int MOST_DIGITS = 10;
    private static final long MICROS_PER_SECOND = 1_000_000;
    private static final long MICROS_PER_DAY = 86_400 * MICROS_PER_SECOND;

    private final DateOrder order;
    private int year;
    private int month;
    private int day;
    private int dayOfYear;
    private int hour;
    private int minute;
    private int second;
    private long micros;
    private boolean hasNamedMonth;

    /** Whether the year has two digits, so that it is one of 1970 to 2069. */
    private boolean isShortYear;

    private boolean isJulian;
    private boolean isAny;

    DatetimeNumbers(DateOrder order) {
        this.order = order;
    }

    /** A number that an integer holds. */
    static int number(String digits) {
        if (digits.isEmpty() || !digits.chars().allMatch(c -> c >= '0' && c <= '9')) {
            throw DatetimeTextException.form();
        }
        String bare = digits.length() > MOST_DIGITS ? digits.replaceFirst("^0+(?=.)", "") : digits;
        if (bare.length() > MOST_DIGITS || Long.parseLong(bare) > Integer.MAX_VALUE) {
            throw DatetimeTextException.range();
        }
        return (int) Long.parseLong(bare);
    }

    /** The fraction behind a point, which may have no digits. */
    static double fraction(String pointAndDigits) {
        String digits = pointAndDigits.substring(1);
        if (!digits.chars().allMatch(c -> c >= '0' && c <= '9')) {
            throw DatetimeTextException.form();
        }
        return digits.isEmpty() ? 0 : Double.parseDouble("0." + digits);
    }

    private static long fractionMicros(String pointAndDigits) {
        return (long) Math.rint(fraction(pointAndDigits) * MICROS_PER_SECOND);
    }

    /** Reads {@code hours:minutes}, {@code hours:minutes:seconds.fraction} or {@code minutes:seconds.fraction}. */
    void time(String text) {
        String[] fields = text.split(":", -1);
        String last = fields[fields.length - 1];
        int point = last.indexOf('.');
        if (point >= 0) {
            fields[fields.length - 1] = last.substring(0, point);
        }
        boolean isWithoutHours = fields.length == 2 && point >= 0;
        if (fields.length > 3 || fields.length < 2) {
            throw DatetimeTextException.form();
        }
        hour = isWithoutHours ? 0 : number(fields[0]);
        minute = number(isWithoutHours ? fields[0] : fields[1]);
        second = isWithoutHours ? number(fields[1]) : fields.length == 3 ? number(fields[2]) : 0;
        micros = point >= 0 ? fractionMicros(last.substring(point)) : 0;
        if (minute >= SIXTY || second > SIXTY) {
            throw DatetimeTextException.range();
        }
    }

    /** Fails if the time is behind the end of the day, which 24:00:00 is. */
    void checkTime() {
        boolean isPossible = hour <= DAY_HOURS && minute < SIXTY && second <= SIXTY && micros <= MICROS_PER_SECOND;
        if (!isPossible || micros() > MICROS_PER_DAY) {
            throw DatetimeTextException.range();
        }
    }

    /** Microseconds since midnight. */
    long micros() {
        return ((hour * 60L + minute) * 60 + second) * MICROS_PER_SECOND + micros;
    }

    void timeMicros(long sinceMidnight) {
        hour = 0;
        minute = 0;
        second = (int) (sinceMidnight / MICROS_PER_SECOND);
        micros = sinceMidnight % MICROS_PER_SECOND;
        hour = second / (SIXTY * SIXTY);
        minute = second / SIXTY % SIXTY;
        second %= SIXTY;
    }

    /** Reads the hour as one before noon, or behind it. */
    void toHalfOfDay(int half) {
        int noon = DAY_HOURS / 2;
        if (hour > noon) {
            throw DatetimeTextException.range();
        }
        if (half == 0 && hour == noon) {
            hour = 0;
        } else if (half == 1 && hour != noon) {
            hour += noon;
        }
    }

    void julianDay(int number) {
        LocalDate date = LocalDate.ofEpochDay(number - EPOCH_JULIAN_DAY);
        year = date.getYear();
        month = date.getMonthValue();
        day = date.getDayOfMonth();
        isJulian = true;
    }

    /** Any date, for it is counted from today. */
    int anyDate() {
        isAny = true;
        return DATE;
    }

    /** Days since 1970. */
    long days() {
        return LocalDate.of(year, month, day).toEpochDay();
    }

    /** A month by its name; a number before it that seemed to be the month is the day then. */
    int monthByName(int named, int seen) {
        boolean wasDay =
                (seen & MONTH) != 0 && !hasNamedMonth && (seen & DAY) == 0 && month >= 1 && month <= LONGEST_MONTH;
        if (wasDay) {
            day = month;
        }
        hasNamedMonth = true;
        month = named;
        return wasDay ? DAY : MONTH;
    }

    /** A number behind the letter of its unit. */
    int labeled(char unit, int number, String fraction, int seen) {
        return switch (unit) {
            case 'y' -> {
                year = number;
                yield YEAR;
            }
            case 'M' -> {
                boolean isMinute = (seen & MONTH) != 0 && (seen & HOUR) != 0;
                minute = isMinute ? number : minute;
                month = isMinute ? month : number;
                yield isMinute ? MINUTE : MONTH;
            }
            case 'd' -> {
                day = number;
                yield DAY;
            }
            case 'h' -> {
                hour = number;
                yield HOUR;
            }
            case 'm' -> {
                minute = number;
                yield MINUTE;
            }
            case 's' -> {
                second = number;
                micros = fraction.isEmpty() ? 0 : fractionMicros(fraction);
                yield SECOND;
            }
            default -> throw DatetimeTextException.form();
        };
    }

    /** Reads a date of numbers, perhaps with a named month, and signs between; what is known before counts. */
    int date(String text, int before) {
        List<String> fields = new ArrayList<>();
        int known = before;
        int found = 0;
        boolean isNamed = false;
        for (String field : text.split("(?<=[0-9])(?=[a-z])|(?<=[a-z])(?=[0-9])|[^a-z0-9]", -1)) {
            DatetimeWord word =
                    field.isEmpty() || DatetimeParts.isDigit(field.charAt(0)) ? null : DatetimeWord.of(field);
            if (word == null) {
                fields.add(field);
                continue;
            }
            if (word.kind() != DatetimeWord.Kind.MONTH || (known & MONTH) != 0) {
                throw DatetimeTextException.form();
            }
            month = word.value();
            isNamed = true;
            known |= MONTH;
            found |= MONTH;
        }
        boolean hadNamedMonth = hasNamedMonth;
        hasNamedMonth = isNamed;
        for (String field : fields) {
            int one = number(field, known);
            if ((known & one) != 0) {
                throw DatetimeTextException.form();
            }
            known |= one;
            found |= one;
        }
        hasNamedMonth = hadNamedMonth;
        if ((known & ~DAY_OF_YEAR & ~(1 << 6)) != DATE) {
            throw DatetimeTextException.form();
        }
        return found;
    }

    /** A number by itself; the bits of what it is. */
    int number(String text, int seen) {
        int point = text.indexOf('.');
        if (point > 2) {
            return joined(text, seen | DATE);
        }
        int number = number(text); // no number of a date has a fraction
        int length = text.length();
        if (length == DAY_OF_YEAR_DIGITS && (seen & DATE) == YEAR && number >= 1 && number <= DAYS_OF_YEAR) {
            dayOfYear = number;
            return DAY_OF_YEAR | MONTH | DAY;
        }
        int found = switch (seen & DATE) {
            case 0 -> length > 2 || order == DateOrder.YMD ? YEAR : order == DateOrder.DMY ? DAY : MONTH;
            case YEAR, DAY -> MONTH;
            case MONTH -> hasNamedMonth && (length > 2 || order == DateOrder.YMD) ? YEAR : DAY;
            case YEAR | MONTH -> {
                if (hasNamedMonth && length > 2 && isShortYear) { // the number before is the day
                    day = year;
                    year = number;
                    isShortYear = false;
                    yield -1;
                }
                yield DAY;
            }
            case MONTH | DAY -> YEAR;
            case DATE -> 0;
            default -> throw DatetimeTextException.form();
        };
        return switch (found) {
            case YEAR -> {
                year = number;
                isShortYear = length <= 2;
                yield YEAR;
            }
            case MONTH -> {
                month = number;
                yield MONTH;
            }
            case DAY -> {
                day = number;
                yield DAY;
            }
            case 0 -> joined(text, seen);
            default -> DAY;
        };
    }

    /** Digits of a date or a time without signs between: {@code 19990108} or {@code 040506.789}. */
    int joined(String text, int seen) {
        int point = text.indexOf('.');
        String digits = point < 0 ? text : text.substring(0, point);
        int length = digits.length();
        if (point >= 0) {
            micros = fractionMicros(text.substring(point));
        } else if ((seen & DATE) != DATE && length >= 6) {
            day = number(digits.substring(length - 2));
            month = number(digits.substring(length - 4, length - 2));
            year = number(digits.substring(0, length - 4));
            isShortYear = length == 6;
            return DATE;
        }
        if ((seen & TIME) != TIME && (length == 6 || length == 4)) {
            hour = number(digits.substring(0, 2));
            minute = number(digits.substring(2, 4));
            second = length == 6 ? number(digits.substring(4)) : 0;
            return TIME;
        }
        throw DatetimeTextException.form();
    }

    /** Settles the year, and fails if there is no such day. */
    void checkDate(int seen, boolean isBeforeChrist) {
        if (isAny) {
            return;
        }
        if ((seen & YEAR) != 0 && !isJulian) {
            settleYear(isBeforeChrist);
        }
        if ((seen & DAY_OF_YEAR) != 0) {
            LocalDate date = ofYear().plusDays(dayOfYear - 1L);
            year = date.getYear();
            month = date.getMonthValue();
            day = date.getDayOfMonth();
        }
        boolean isImpossible = ((seen & MONTH) != 0 && (month < 1 || month > MONTHS))
                || ((seen & DAY) != 0 && (day < 1 || day > LONGEST_MONTH));
        if (isImpossible || ((seen & DATE) == DATE && !isDay())) {
            throw DatetimeTextException.range();
        }
    }

    private LocalDate ofYear() {
        try {
            return LocalDate.of(year, 1, 1);
        } catch (DateTimeException e) {
            throw DatetimeTextException.range();
        }
    }

    private boolean isDay() {
        return day <= ofYear().withMonth(month).lengthOfMonth();
    }

    /** The year 0 is 1 BC. */
    private void settleYear(boolean isBeforeChrist) {
        if (year == 0 && (isBeforeChrist || !isShortYear)) {
            throw DatetimeTextException.range();
        }
        if (isBeforeChrist) {
            year = 1 - year;
        } else if (isShortYear) {
            year += year < FIRST_SHORT_YEAR ? 20 * CENTURY : year < CENTURY ? 19 * CENTURY : 0;
        }
    }
}
