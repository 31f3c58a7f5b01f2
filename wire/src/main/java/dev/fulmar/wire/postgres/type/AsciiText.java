package dev.fulmar.wire.postgres.type;

/** Looks at text in bytes as the readers of values do. Ranges are from the first byte to before the last. */
final class AsciiText {
    private static final int CASE_BIT = 0x20;

    private AsciiText() {}

    /** Whether C's {@code isspace} says so, which PostgreSQL goes by. */
    static boolean isBlank(byte character) {
        return character == ' ' || (character >= '\t' && character <= '\r');
    }

    static boolean isDigit(byte character) {
        return character >= '0' && character <= '9';
    }

    /** Where the blanks at the start end. */
    static int trimmedStart(byte[] text, int from, int to) {
        int start = from;
        while (start < to && isBlank(text[start])) {
            start++;
        }
        return start;
    }

    /** Where the blanks at the end start. */
    static int trimmedEnd(byte[] text, int from, int to) {
        int end = to;
        while (end > from && isBlank(text[end - 1])) {
            end--;
        }
        return end;
    }

    /** Where the digits end. */
    static int digitsEnd(byte[] text, int from, int to) {
        int end = from;
        while (end < to && isDigit(text[end])) {
            end++;
        }
        return end;
    }

    /** Whether the range is the word, which is in lower case, in letters of any case. */
    static boolean isWord(byte[] text, int from, int to, String word) {
        return to - from == word.length() && startsWord(text, from, to, word);
    }

    /** Whether the range is the start of the word, or the word: at least one letter of it. */
    static boolean startsWord(byte[] text, int from, int to, String word) {
        int length = to - from;
        if (length < 1 || length > word.length()) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if (lower(text[from + i]) != word.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    private static int lower(byte character) {
        return character >= 'A' && character <= 'Z' ? character | CASE_BIT : character;
    }
}
