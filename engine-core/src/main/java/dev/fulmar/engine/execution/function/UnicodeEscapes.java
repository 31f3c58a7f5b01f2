package dev.fulmar.engine.execution.function;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;

/** Reads a text in which characters are written by their numbers, as UNISTR does. */
final class UnicodeEscapes {
    private static final int HEXADECIMAL = 16;

    private final String text;
    private final StringBuilder value = new StringBuilder();
    private int place;

    UnicodeEscapes(String text) {
        this.text = text;
    }

    /** The text, in which digits behind a backslash, or behind its letter, are a character. */
    String read() {
        while (place < text.length()) {
            char character = text.charAt(place);
            if (character != '\\') {
                append(character);
                place++;
            } else if (place + 1 < text.length() && text.charAt(place + 1) == '\\') {
                append('\\');
                place += 2;
            } else {
                place++;
                code();
            }
        }
        if (endsInHalf()) {
            throw pair();
        }
        return value.toString();
    }

    private void code() {
        int prefix = place < text.length() && "+uU".indexOf(text.charAt(place)) >= 0 ? 1 : 0;
        int digits = prefix == 0
                ? 4
                : switch (text.charAt(place)) {
                    case '+' -> 6;
                    case 'u' -> 4;
                    default -> 8;
                };
        int first = place + prefix;
        long code = 0;
        for (int i = first; i < first + digits; i++) {
            int digit = i < text.length() ? Character.digit(text.charAt(i), HEXADECIMAL) : -1;
            if (digit < 0) {
                throw syntax(
                        "invalid Unicode escape; Unicode escapes must be \\XXXX, \\+XXXXXX, \\uXXXX, or \\UXXXXXXXX");
            }
            code = code * HEXADECIMAL + digit;
        }
        place = first + digits;
        if (code == 0 || code > Character.MAX_CODE_POINT) {
            throw TextValues.wrong("invalid Unicode code point: " + Long.toHexString(code));
        }
        if (Character.isBmpCodePoint((int) code)) {
            if (Character.isLowSurrogate((char) code) && !endsInHalf()) {
                throw pair();
            }
            append((char) code);
        } else {
            append(Character.highSurrogate((int) code));
            append(Character.lowSurrogate((int) code));
        }
    }

    private boolean endsInHalf() {
        return !value.isEmpty() && Character.isHighSurrogate(value.charAt(value.length() - 1));
    }

    private void append(char character) {
        if (endsInHalf() && !Character.isLowSurrogate(character)) {
            throw pair();
        }
        value.append(character);
    }

    private static FulmarException pair() {
        return syntax("invalid Unicode surrogate pair; write both halves of a character");
    }

    private static FulmarException syntax(String message) {
        return new FulmarException(ErrorCode.SYNTAX, message);
    }
}
