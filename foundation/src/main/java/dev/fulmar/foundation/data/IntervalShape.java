package dev.fulmar.foundation.data;

import java.util.Locale;
import java.util.Optional;

/**
 * The parts that values of a type INTERVAL keep: fields to the last one that the type names, and digits of the seconds.
 *
 * @param digits behind the point of the seconds; {@link #ALL_DIGITS} if the type does not say
 */
public record IntervalShape(Fields fields, int digits) {
    /** The number of digits where the type says none. */
    public static final int ALL_DIGITS = -1;

    public static final int MOST_DIGITS = 6;

    /** The shape of a type that says nothing. */
    public static final IntervalShape ANY = new IntervalShape(Fields.ALL, ALL_DIGITS);

    private static final int CODES_PER_FIELDS = 8;
    private static final int MASK_SHIFT = 16;
    private static final int EVERY_FIELD = 0x7fff;
    private static final int EVERY_DIGIT = 0xffff;
    private static final int NO_MODIFIER = -1;

    /** The units of the fields, from the greatest. */
    enum Unit {
        YEAR(2),
        MONTH(1),
        DAY(3),
        HOUR(10),
        MINUTE(11),
        SECOND(12);

        private final int bit;

        Unit(int bit) {
            this.bit = bit;
        }
    }

    /** The fields that SQL has words for. Their order stands on disks. */
    public enum Fields {
        ALL(Unit.YEAR, Unit.SECOND),
        YEAR(Unit.YEAR, Unit.YEAR),
        MONTH(Unit.MONTH, Unit.MONTH),
        DAY(Unit.DAY, Unit.DAY),
        HOUR(Unit.HOUR, Unit.HOUR),
        MINUTE(Unit.MINUTE, Unit.MINUTE),
        SECOND(Unit.SECOND, Unit.SECOND),
        YEAR_TO_MONTH(Unit.YEAR, Unit.MONTH),
        DAY_TO_HOUR(Unit.DAY, Unit.HOUR),
        DAY_TO_MINUTE(Unit.DAY, Unit.MINUTE),
        DAY_TO_SECOND(Unit.DAY, Unit.SECOND),
        HOUR_TO_MINUTE(Unit.HOUR, Unit.MINUTE),
        HOUR_TO_SECOND(Unit.HOUR, Unit.SECOND),
        MINUTE_TO_SECOND(Unit.MINUTE, Unit.SECOND);

        private final Unit first;
        private final Unit last;

        Fields(Unit first, Unit last) {
            this.first = first;
            this.last = last;
        }

        /** The unit of a number that has none. */
        Unit last() {
            return last;
        }

        /** Whether the last field is the seconds, so that there may be digits of them. */
        public boolean haveSeconds() {
            return last == Unit.SECOND;
        }

        /** The words of SQL; empty for all fields. */
        @Override
        public String toString() {
            return this == ALL ? "" : name().replace('_', ' ');
        }

        private int mask() {
            int mask = 0;
            for (Unit unit : Unit.values()) {
                boolean isBetween = unit.compareTo(first) >= 0 && unit.compareTo(last) <= 0;
                mask |= isBetween ? 1 << unit.bit : 0;
            }
            return mask;
        }
    }

    /** Whether a column may have a type with the code. */
    static boolean isCode(int code) {
        return code >= 0
                && code < CODES_PER_FIELDS * Fields.values().length
                && (code % CODES_PER_FIELDS == 0 || Fields.values()[code / CODES_PER_FIELDS].haveSeconds());
    }

    /** The shape of the type. */
    public static IntervalShape of(ColumnType type) {
        int code = type.precision();
        return new IntervalShape(Fields.values()[code / CODES_PER_FIELDS], code % CODES_PER_FIELDS - 1);
    }

    /** The type of values of the shape. */
    public ColumnType type() {
        return new ColumnType(TypeKind.INTERVAL, fields.ordinal() * CODES_PER_FIELDS + digits + 1, 0);
    }

    /** The shape that the words behind INTERVAL say, as {@code DAY TO SECOND(3)}; empty if they say none. */
    public static Optional<IntervalShape> ofWords(String words) {
        String upper = words.strip().toUpperCase(Locale.ROOT);
        int digits = ALL_DIGITS;
        if (upper.endsWith(")")) {
            int open = upper.indexOf('(');
            String number = open < 0
                    ? ""
                    : upper.substring(open + 1, upper.length() - 1).strip();
            if (number.isEmpty() || number.length() > 9 || !number.chars().allMatch(c -> c >= '0' && c <= '9')) {
                return Optional.empty();
            }
            digits = Math.min(MOST_DIGITS, Integer.parseInt(number));
            upper = upper.substring(0, open).strip();
        }
        String name = String.join(" ", upper.split("\\s+"));
        for (Fields fields : Fields.values()) {
            if (fields.toString().equals(name) && (digits == ALL_DIGITS || fields.haveSeconds())) {
                return Optional.of(new IntervalShape(fields, digits));
            }
        }
        return Optional.empty();
    }

    /** The modifier that PostgreSQL gives columns of the shape. */
    public int modifier() {
        if (equals(ANY)) {
            return NO_MODIFIER;
        }
        int mask = fields == Fields.ALL ? EVERY_FIELD : fields.mask();
        return mask << MASK_SHIFT | (digits == ALL_DIGITS ? EVERY_DIGIT : digits);
    }

    /**
     * The interval as a text says it, in one of PostgreSQL's forms or that of ISO 8601. A number without a unit is of
     * the last field.
     */
    public Interval parse(String text) {
        return IntervalReader.read(text, this, false);
    }

    /** The same as the style reads it. */
    public Interval parse(String text, IntervalStyle style) {
        return IntervalReader.read(text, this, style.hasLeadingSign());
    }

    /** The interval without what is behind the last field, its seconds rounded to the digits. */
    public Interval fitted(Interval interval) {
        return switch (fields) {
            case YEAR -> new Interval(interval.months() / Interval.MONTHS_PER_YEAR * Interval.MONTHS_PER_YEAR, 0, 0);
            case MONTH, YEAR_TO_MONTH -> new Interval(interval.months(), 0, 0);
            case DAY -> new Interval(interval.months(), interval.days(), 0);
            case HOUR, DAY_TO_HOUR -> cut(interval, Interval.MICROS_PER_HOUR);
            case MINUTE, DAY_TO_MINUTE, HOUR_TO_MINUTE -> cut(interval, Interval.MICROS_PER_MINUTE);
            case ALL, SECOND, DAY_TO_SECOND, HOUR_TO_SECOND, MINUTE_TO_SECOND -> rounded(interval);
        };
    }

    private static Interval cut(Interval interval, long unit) {
        return new Interval(interval.months(), interval.days(), interval.micros() / unit * unit);
    }

    private Interval rounded(Interval interval) {
        if (digits == ALL_DIGITS || digits == MOST_DIGITS) {
            return interval;
        }
        long unit = 1;
        for (int i = digits; i < MOST_DIGITS; i++) {
            unit *= 10;
        }
        long micros = interval.micros();
        long magnitude = (Math.abs(micros) + unit / 2) / unit * unit;
        return new Interval(interval.months(), interval.days(), micros < 0 ? -magnitude : magnitude);
    }

    /** The type as SQL writes it. */
    @Override
    public String toString() {
        String text = fields == Fields.ALL ? "INTERVAL" : "INTERVAL " + fields;
        return digits == ALL_DIGITS ? text : text + "(" + digits + ")";
    }
}
