package dev.fulmar.foundation.data;

/**
 * An integer as the C library reads it from a text: a sign and digits, and 0 where there are none.
 *
 * @param isTooLarge whether it does not fit 64 bits
 * @param end where it ends; where it begins if it has no digits
 */
record WrittenNumber(long value, boolean isTooLarge, int end) {
    private static final int MOST_CHARACTERS = 18;

    static WrittenNumber of(String text, int begin) {
        int start = begin;
        boolean isNegative = start < text.length() && text.charAt(start) == '-';
        if (isNegative || (start < text.length() && text.charAt(start) == '+')) {
            start++;
        }
        int end = start;
        while (end < text.length() && IntervalReader.isDigit(text.charAt(end))) {
            end++;
        }
        if (end == start) {
            return new WrittenNumber(0, false, Math.min(begin, text.length()));
        }
        String digits = (isNegative ? "-" : "") + text.substring(start, end);
        if (digits.length() <= MOST_CHARACTERS) {
            return new WrittenNumber(Long.parseLong(digits), false, end);
        }
        try {
            return new WrittenNumber(Long.parseLong(digits), false, end);
        } catch (NumberFormatException tooLarge) {
            return new WrittenNumber(0, true, end);
        }
    }

    boolean isBeyondInt() {
        return isTooLarge || value != (int) value;
    }

    /** The fraction from the point to the end of the text; NaN if more than digits follows. */
    static double fraction(String text, int point) {
        for (int i = point + 1; i < text.length(); i++) {
            if (!IntervalReader.isDigit(text.charAt(i))) {
                return Double.NaN;
            }
        }
        return Double.parseDouble("0" + text.substring(point) + "0");
    }
}
