package dev.fulmar.foundation.data;

/**
 * Value of SQL's INTERVAL, as PostgreSQL has it. Its three parts are not converted into each other: months have
 * different numbers of days, and days different numbers of hours. Its 128 bits are two longs: months and days, and the
 * microseconds.
 */
public record Interval(int months, int days, long micros) {
    public static final Interval ZERO = new Interval(0, 0, 0);

    /** Days of a month where intervals are compared. */
    public static final int DAYS_PER_MONTH = 30;

    public static final int MONTHS_PER_YEAR = 12;
    public static final long MICROS_PER_SECOND = 1_000_000;
    public static final long MICROS_PER_MINUTE = 60 * MICROS_PER_SECOND;
    public static final long MICROS_PER_HOUR = 60 * MICROS_PER_MINUTE;
    public static final long MICROS_PER_DAY = 24 * MICROS_PER_HOUR;

    /** The interval of the two halves of its bits. */
    public static Interval ofBits(long high, long low) {
        return new Interval(months(high), days(high), low);
    }

    /** The first half of the bits. */
    public static long high(int months, int days) {
        return ((long) months << Integer.SIZE) | (days & 0xffff_ffffL);
    }

    /** The months in the first half of the bits. */
    public static int months(long high) {
        return (int) (high >> Integer.SIZE);
    }

    /** The days in the first half of the bits. */
    public static int days(long high) {
        return (int) high;
    }

    /** The first half of the bits: months and days. */
    public long high() {
        return high(months, days);
    }

    /** The second half of the bits: microseconds. */
    public long low() {
        return micros;
    }

    /** The interval as a text says it, in one of PostgreSQL's forms or that of ISO 8601. */
    public static Interval parse(String text) {
        return IntervalReader.read(text, IntervalShape.ANY, false);
    }

    /**
     * The interval in the style of PostgreSQL: {@code 1 year 2 mons -3 days +04:05:06.7}. A plus stands where the part
     * before is negative.
     */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        boolean isNegative = addPart(text, false, months / MONTHS_PER_YEAR, "year");
        isNegative = addPart(text, isNegative, months % MONTHS_PER_YEAR, "mon");
        isNegative = addPart(text, isNegative, days, "day");
        if (micros == 0 && !text.isEmpty()) {
            return text.toString();
        }
        if (!text.isEmpty()) {
            text.append(' ');
        }
        if (micros < 0) {
            text.append('-');
        } else if (isNegative) {
            text.append('+');
        }
        addTwoDigits(text, Math.abs(micros / MICROS_PER_HOUR));
        addTwoDigits(text.append(':'), Math.abs(micros % MICROS_PER_HOUR / MICROS_PER_MINUTE));
        addTwoDigits(text.append(':'), Math.abs(micros % MICROS_PER_MINUTE / MICROS_PER_SECOND));
        addFraction(text, Math.abs(micros % MICROS_PER_SECOND));
        return text.toString();
    }

    /** Appends a part that is not 0; whether the last part that was written is negative. */
    private static boolean addPart(StringBuilder text, boolean isNegative, int value, String unit) {
        if (value == 0) {
            return isNegative;
        }
        if (!text.isEmpty()) {
            text.append(' ');
        }
        if (isNegative && value > 0) {
            text.append('+');
        }
        text.append(value).append(' ').append(unit);
        if (value != 1) {
            text.append('s');
        }
        return value < 0;
    }

    private static void addTwoDigits(StringBuilder text, long value) {
        if (value < 10) {
            text.append('0');
        }
        text.append(value);
    }

    private static void addFraction(StringBuilder text, long micros) {
        if (micros == 0) {
            return;
        }
        int end = text.append('.').append(MICROS_PER_SECOND + micros).length();
        text.deleteCharAt(end - 7); // the 1 that kept the zeros
        while (text.charAt(text.length() - 1) == '0') {
            text.setLength(text.length() - 1);
        }
    }
}
