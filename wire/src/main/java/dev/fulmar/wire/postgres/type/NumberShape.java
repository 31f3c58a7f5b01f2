package dev.fulmar.wire.postgres.type;

import org.jspecify.annotations.Nullable;

/**
 * Parts of a decimal number in text: a sign, digits with at most one point, and an exponent.
 *
 * @param integerDigits digits before the point, without zeros at the start
 * @param fractionDigits digits after the point
 * @param isZero whether all digits are 0
 * @param mantissaEnd where the exponent begins, or the end
 * @param exponent no farther from 0 than {@link #MOST_EXPONENT}
 */
record NumberShape(int integerDigits, int fractionDigits, boolean isZero, int mantissaEnd, int exponent) {
    /** Stands for every exponent that is greater. */
    static final int MOST_EXPONENT = 1 << 28;

    private static final int RADIX = 10;

    /** The parts of the range, or null if it is no number. */
    static @Nullable NumberShape of(byte[] text, int start, int end) {
        int position = start;
        if (position < end && (text[position] == '-' || text[position] == '+')) {
            position++;
        }
        int integerEnd = AsciiText.digitsEnd(text, position, end);
        int significant = position;
        while (significant < integerEnd && text[significant] == '0') {
            significant++;
        }
        boolean hasPoint = integerEnd < end && text[integerEnd] == '.';
        int fractionStart = hasPoint ? integerEnd + 1 : integerEnd;
        int mantissaEnd = hasPoint ? AsciiText.digitsEnd(text, fractionStart, end) : integerEnd;
        if (integerEnd - position + mantissaEnd - fractionStart == 0) {
            return null;
        }
        boolean isZero = significant == integerEnd;
        for (int i = fractionStart; i < mantissaEnd && isZero; i++) {
            isZero = text[i] == '0';
        }
        int exponent = mantissaEnd == end ? 0 : exponent(text, mantissaEnd, end);
        return exponent == Integer.MIN_VALUE
                ? null
                : new NumberShape(integerEnd - significant, mantissaEnd - fractionStart, isZero, mantissaEnd, exponent);
    }

    /** The exponent, or the least integer if there is something else. */
    private static int exponent(byte[] text, int start, int end) {
        if (text[start] != 'e' && text[start] != 'E') {
            return Integer.MIN_VALUE;
        }
        int position = start + 1;
        boolean isNegative = position < end && text[position] == '-';
        if (isNegative || (position < end && text[position] == '+')) {
            position++;
        }
        if (position == end || AsciiText.digitsEnd(text, position, end) != end) {
            return Integer.MIN_VALUE;
        }
        int value = 0;
        for (; position < end; position++) {
            value = (int) Math.min(MOST_EXPONENT, (long) value * RADIX + text[position] - '0');
        }
        return isNegative ? -value : value;
    }
}
