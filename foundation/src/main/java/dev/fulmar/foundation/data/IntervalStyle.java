package dev.fulmar.foundation.data;

/** The styles in which PostgreSQL writes intervals as text (manual §8.5.5). */
public enum IntervalStyle {
    /** {@code 1 year 2 mons -3 days +04:05:06.7}. */
    POSTGRES,
    /** {@code @ 1 year 2 mons 3 days ago}. */
    POSTGRES_VERBOSE,
    /** {@code 1-2}, {@code 3 4:05:06} or {@code +1-2 -3 +4:05:06}. */
    SQL_STANDARD,
    /** {@code P1Y2M3DT4H5M6.7S}. */
    ISO_8601;

    private static final int MONTHS_PER_YEAR = Interval.MONTHS_PER_YEAR;

    /** The interval as text. */
    public String text(Interval interval) {
        return switch (this) {
            case POSTGRES -> interval.toString();
            case POSTGRES_VERBOSE -> new Verbose().text(new Fields(interval));
            case SQL_STANDARD -> standard(new Fields(interval));
            case ISO_8601 -> iso(new Fields(interval));
        };
    }

    /** Whether the sign of the first number of a text without others counts for all of its numbers. */
    public boolean hasLeadingSign() {
        return this == SQL_STANDARD;
    }

    /** The numbers of an interval, each of which has a sign of its own. */
    private record Fields(int years, int months, int days, long hours, long minutes, long seconds, long micros) {
        Fields(Interval interval) {
            this(
                    interval.months() / MONTHS_PER_YEAR,
                    interval.months() % MONTHS_PER_YEAR,
                    interval.days(),
                    interval.micros() / Interval.MICROS_PER_HOUR,
                    interval.micros() % Interval.MICROS_PER_HOUR / Interval.MICROS_PER_MINUTE,
                    interval.micros() % Interval.MICROS_PER_MINUTE / Interval.MICROS_PER_SECOND,
                    interval.micros() % Interval.MICROS_PER_SECOND);
        }

        boolean hasMonths() {
            return years != 0 || months != 0;
        }

        boolean hasTime() {
            return hours != 0 || minutes != 0 || seconds != 0 || micros != 0;
        }

        boolean areMonthsNegative() {
            return years < 0 || months < 0;
        }

        boolean isTimeNegative() {
            return hours < 0 || minutes < 0 || seconds < 0 || micros < 0;
        }

        /** The seconds without their sign. */
        String shownSeconds(boolean hasTwoDigits) {
            String whole = Long.toString(Math.abs(seconds));
            String filled = hasTwoDigits && whole.length() < 2 ? "0" + whole : whole;
            if (micros == 0) {
                return filled;
            }
            String digits =
                    Long.toString(Interval.MICROS_PER_SECOND + Math.abs(micros)).substring(1);
            int end = digits.length();
            while (digits.charAt(end - 1) == '0') {
                end--;
            }
            return filled + "." + digits.substring(0, end);
        }

        /** Hours, minutes and seconds without their sign. */
        String shownTime() {
            String minute = Long.toString(Math.abs(minutes));
            return Math.abs(hours) + ":" + (minute.length() < 2 ? "0" : "") + minute + ":" + shownSeconds(true);
        }
    }

    private static String standard(Fields fields) {
        boolean hasNegative = fields.areMonthsNegative() || fields.days < 0 || fields.isTimeNegative();
        boolean hasPositive = (fields.hasMonths() && !fields.areMonthsNegative())
                || fields.days > 0
                || (fields.hasTime() && !fields.isTimeNegative());
        boolean hasDays = fields.days != 0 || fields.hasTime();
        if (!hasNegative && !hasPositive) {
            return "0";
        }
        String months = Math.abs(fields.years) + "-" + Math.abs(fields.months);
        long days = Math.abs((long) fields.days);
        if ((hasNegative && hasPositive) || (fields.hasMonths() && hasDays)) {
            return (fields.areMonthsNegative() ? "-" : "+")
                    + months
                    + (fields.days < 0 ? " -" : " +")
                    + days
                    + (fields.isTimeNegative() ? " -" : " +")
                    + fields.shownTime();
        }
        String sign = hasNegative ? "-" : "";
        if (fields.hasMonths()) {
            return sign + months;
        }
        return sign + (days == 0 ? "" : days + " ") + fields.shownTime();
    }

    private static String iso(Fields fields) {
        if (!fields.hasMonths() && fields.days == 0 && !fields.hasTime()) {
            return "PT0S";
        }
        String date = isoPart(fields.years, 'Y') + isoPart(fields.months, 'M') + isoPart(fields.days, 'D');
        if (!fields.hasTime()) {
            return "P" + date;
        }
        boolean hasSeconds = fields.seconds != 0 || fields.micros != 0;
        String seconds = hasSeconds
                ? (fields.seconds < 0 || fields.micros < 0 ? "-" : "") + fields.shownSeconds(false) + "S"
                : "";
        return "P" + date + "T" + isoPart(fields.hours, 'H') + isoPart(fields.minutes, 'M') + seconds;
    }

    private static String isoPart(long value, char unit) {
        return value == 0 ? "" : value + String.valueOf(unit);
    }

    /** The verbose style: the sign of the first part is written behind all, and turns the others. */
    private static final class Verbose {
        private final StringBuilder text = new StringBuilder("@");
        private boolean isEmpty = true;
        private boolean isBefore;

        String text(Fields fields) {
            add(fields.years, "year");
            add(fields.months, "mon");
            add(fields.days, "day");
            add(fields.hours, "hour");
            add(fields.minutes, "min");
            if (fields.seconds != 0 || fields.micros != 0) {
                seconds(fields);
            }
            return (isEmpty ? text.append(" 0") : text)
                    .append(isBefore ? " ago" : "")
                    .toString();
        }

        private void add(long value, String unit) {
            if (value == 0) {
                return;
            }
            if (isEmpty) {
                isBefore = value < 0;
            }
            long shown = isBefore ? -value : value;
            text.append(' ').append(shown).append(' ').append(unit).append(shown == 1 ? "" : "s");
            isEmpty = false;
        }

        private void seconds(Fields fields) {
            boolean isNegative = fields.seconds < 0 || fields.micros < 0;
            if (isEmpty) {
                isBefore = isNegative;
            }
            boolean isOne = Math.abs(fields.seconds) == 1 && fields.micros == 0;
            text.append(isNegative == isBefore ? " " : " -")
                    .append(fields.shownSeconds(false))
                    .append(isOne ? " sec" : " secs");
            isEmpty = false;
        }
    }
}
