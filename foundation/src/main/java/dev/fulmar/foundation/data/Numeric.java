package dev.fulmar.foundation.data;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.math.BigDecimal;
import java.math.RoundingMode;

/**
 * A value of SQL's NUMERIC: a number with digits of its own behind the point, an infinity or NaN. The order is that of
 * the values, whatever zeros are behind the point; NaN is above all and equal to itself.
 *
 * <p>Invariant: a number has at most {@link #MOST_WHOLE_DIGITS} digits before the point, and 0 to {@link #MOST_SCALE}
 * behind it.
 *
 * @param number 0 of the values that are no numbers
 */
public record Numeric(Kind kind, BigDecimal number) implements Comparable<Numeric> {
    /** The most digits before the point. */
    public static final int MOST_WHOLE_DIGITS = 16_384;

    /** The most digits behind the point. */
    public static final int MOST_SCALE = 16_383;

    /** The digits that a DOUBLE has for certain. */
    public static final int DOUBLE_DIGITS = 15;

    /** The digits that a REAL has for certain. */
    public static final int REAL_DIGITS = 6;

    /** Kinds of values, in their order. */
    public enum Kind {
        NEGATIVE_INFINITY,
        NUMBER,
        INFINITY,
        NAN
    }

    public static final Numeric ZERO = new Numeric(Kind.NUMBER, BigDecimal.ZERO);
    public static final Numeric ONE = new Numeric(Kind.NUMBER, BigDecimal.ONE);
    public static final Numeric NAN = new Numeric(Kind.NAN, BigDecimal.ZERO);
    public static final Numeric INFINITY = new Numeric(Kind.INFINITY, BigDecimal.ZERO);
    public static final Numeric NEGATIVE_INFINITY = new Numeric(Kind.NEGATIVE_INFINITY, BigDecimal.ZERO);

    /** The number, with its digits behind the point; one of more than the most is rounded. */
    public static Numeric of(BigDecimal number) {
        if (number.signum() != 0 && (long) number.precision() - number.scale() > MOST_WHOLE_DIGITS) {
            throw overflow();
        }
        BigDecimal shown = number.scale() < 0
                ? number.signum() == 0 ? BigDecimal.ZERO : number.setScale(0)
                : number.scale() > MOST_SCALE ? rounded(number, MOST_SCALE) : number;
        return new Numeric(Kind.NUMBER, shown);
    }

    public static Numeric of(long number) {
        return new Numeric(Kind.NUMBER, BigDecimal.valueOf(number));
    }

    /** The number that the floating-point one stands for, with so many digits. */
    public static Numeric of(double number, int digits) {
        if (Double.isNaN(number)) {
            return NAN;
        }
        if (Double.isInfinite(number)) {
            return number > 0 ? INFINITY : NEGATIVE_INFINITY;
        }
        BigDecimal exact = new BigDecimal(number);
        int scale = digits - exact.precision() + exact.scale();
        BigDecimal shown = exact.signum() == 0
                ? BigDecimal.ZERO
                : exact.setScale(scale, RoundingMode.HALF_EVEN).stripTrailingZeros();
        return of(shown);
    }

    /** The value of the text: a number, perhaps with an exponent, or a word for one of the others. */
    public static Numeric parse(String text) {
        String word = text.strip();
        if (word.isEmpty() || word.length() > MOST_WHOLE_DIGITS + MOST_SCALE + 32) {
            throw malformed(text);
        }
        return switch (word.charAt(word.length() - 1)) {
            case 'n', 'N', 'f', 'F', 'y', 'Y' -> special(word, text);
            default -> number(word, text);
        };
    }

    private static Numeric special(String word, String text) {
        return switch (word.toLowerCase(java.util.Locale.ROOT)) {
            case "nan" -> NAN;
            case "inf", "+inf", "infinity", "+infinity" -> INFINITY;
            case "-inf", "-infinity" -> NEGATIVE_INFINITY;
            default -> throw malformed(text);
        };
    }

    private static Numeric number(String word, String text) {
        int exponentAt = Math.max(word.indexOf('e'), word.indexOf('E'));
        String digits = exponentAt < 0 ? word : word.substring(0, exponentAt);
        int start = digits.startsWith("+") || digits.startsWith("-") ? 1 : 0;
        int count = 0;
        int points = 0;
        for (int i = start; i < digits.length(); i++) {
            char next = digits.charAt(i);
            count += next >= '0' && next <= '9' ? 1 : 0;
            points += next == '.' ? 1 : 0;
        }
        if (count == 0 || points > 1 || count + points + start != digits.length()) {
            throw malformed(text);
        }
        BigDecimal number = new BigDecimal(digits);
        return exponentAt < 0 ? of(number) : of(scaled(number, exponent(word.substring(exponentAt + 1), text)));
    }

    private static int exponent(String word, String text) {
        try {
            int exponent = Integer.parseInt(word);
            if (Math.abs((long) exponent) >= Integer.MAX_VALUE / 2) {
                throw overflow();
            }
            return exponent;
        } catch (NumberFormatException e) {
            throw word.matches("[+-]?[0-9]+") ? overflow() : malformed(text);
        }
    }

    /** The number times a power of ten; digits that would be too many before the point are refused, not computed. */
    private static BigDecimal scaled(BigDecimal number, int exponent) {
        if (number.signum() != 0 && (long) number.precision() - number.scale() + exponent > MOST_WHOLE_DIGITS) {
            throw overflow();
        }
        long scale = (long) number.scale() - exponent;
        if (scale > MOST_SCALE) {
            return rounded(
                    new BigDecimal(number.unscaledValue(), (int) Math.min(scale, Integer.MAX_VALUE)), MOST_SCALE);
        }
        return number.signum() == 0
                ? BigDecimal.ZERO.setScale((int) Math.max(0, scale))
                : new BigDecimal(number.unscaledValue(), (int) scale);
    }

    /** The number with so many digits behind the point, or so many zeros before it if they are negative. */
    public static BigDecimal rounded(BigDecimal number, int scale) {
        boolean isNothing = (long) number.precision() - number.scale() < -(long) scale;
        return isNothing ? BigDecimal.ZERO.setScale(scale) : number.setScale(scale, RoundingMode.HALF_UP);
    }

    public boolean isNumber() {
        return kind == Kind.NUMBER;
    }

    public boolean isNan() {
        return kind == Kind.NAN;
    }

    public boolean isInfinite() {
        return kind == Kind.INFINITY || kind == Kind.NEGATIVE_INFINITY;
    }

    /** -1, 0 or 1; 0 of NaN. */
    public int signum() {
        return switch (kind) {
            case NEGATIVE_INFINITY -> -1;
            case NUMBER -> number.signum();
            case INFINITY -> 1;
            case NAN -> 0;
        };
    }

    /** The digits behind the point. */
    public int scale() {
        return number.scale();
    }

    /** The value as a column of the type holds it: rounded to its scale, or an error if it has too many digits. */
    public Numeric fitted(ColumnType type) {
        if (type.precision() == 0 || kind == Kind.NAN) {
            return this;
        }
        if (!isNumber()) {
            throw tooLarge("an infinity", type);
        }
        int scale = type.numericScale();
        BigDecimal shown = rounded(number, scale);
        if (shown.signum() != 0 && (long) shown.precision() - shown.scale() > type.numericDigits() - (long) scale) {
            throw tooLarge("a number of " + ((long) number.precision() - number.scale()) + " digits", type);
        }
        return of(shown);
    }

    private static FulmarException tooLarge(String what, ColumnType type) {
        return new FulmarException(
                ErrorCode.VALUE_OUT_OF_RANGE, what + " does not fit in " + type + "; use a type with more digits");
    }

    public double toDouble() {
        return switch (kind) {
            case NEGATIVE_INFINITY -> Double.NEGATIVE_INFINITY;
            case NUMBER -> number.doubleValue();
            case INFINITY -> Double.POSITIVE_INFINITY;
            case NAN -> Double.NaN;
        };
    }

    @Override
    public int compareTo(Numeric other) {
        return kind == Kind.NUMBER && other.kind == Kind.NUMBER
                ? number.compareTo(other.number)
                : kind.compareTo(other.kind);
    }

    /** The value as PostgreSQL writes it, without an exponent. */
    @Override
    public String toString() {
        return switch (kind) {
            case NEGATIVE_INFINITY -> "-Infinity";
            case NUMBER -> number.toPlainString();
            case INFINITY -> "Infinity";
            case NAN -> "NaN";
        };
    }

    /** The error for a result of too many digits. */
    public static FulmarException overflow() {
        return new FulmarException(
                ErrorCode.VALUE_OUT_OF_RANGE,
                "a numeric has at most " + MOST_WHOLE_DIGITS + " digits before the point; the value overflows it");
    }

    private static FulmarException malformed(String text) {
        return new FulmarException(
                ErrorCode.INVALID_TEXT,
                "\"" + (text.length() > 80 ? text.substring(0, 80) + "..." : text)
                        + "\" is no number; write one as 12.5, 1e10, NaN or Infinity");
    }
}
