package dev.fulmar.postgres.dialect;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;

/** Reads texts with numbers of characters: {@code U&'d\0061t\+000061'}, perhaps with another escape character. */
final class UnicodeTexts {
    private static final int HEXADECIMAL = 16;
    private static final int SHORT_DIGITS = 4;
    private static final int LONG_DIGITS = 6;

    private final String source;
    private final Lexeme lexeme;
    private final char escape;
    private final StringBuilder value = new StringBuilder();

    private UnicodeTexts(String source, Lexeme lexeme, char escape) {
        this.source = source;
        this.lexeme = lexeme;
        this.escape = escape;
    }

    static void replace(String source, Words words) {
        for (int i = 0; i < words.count(); i++) {
            if (words.at(i).kind() == Lexeme.Kind.UNICODE) {
                boolean isGiven =
                        words.at(i + 1).isWord("UESCAPE") && words.at(i + 2).kind() == Lexeme.Kind.STRING;
                String given = isGiven ? TextLiteral.value(source, words.at(i + 2)) : "\\";
                UnicodeTexts text = new UnicodeTexts(source, words.at(i), given.length() == 1 ? given.charAt(0) : '+');
                words.replace(i, isGiven ? i + 3 : i + 1, "'" + text.read().replace("'", "''") + "'");
            }
        }
    }

    private String read() {
        if (Character.digit(escape, HEXADECIMAL) >= 0 || "+'\" \t\n".indexOf(escape) >= 0) {
            throw error("this character cannot be the escape character");
        }
        String text = lexeme.text().substring(3, lexeme.text().length() - 1).replace("''", "'");
        int place = 0;
        while (place < text.length()) {
            char character = text.charAt(place++);
            if (character != escape) {
                append(character);
            } else if (place < text.length() && text.charAt(place) == escape) {
                append(escape);
                place++;
            } else {
                boolean isLong = place < text.length() && text.charAt(place) == '+';
                place += isLong ? 1 : 0;
                int digits = isLong ? LONG_DIGITS : SHORT_DIGITS;
                code(text, place, digits);
                place += digits;
            }
        }
        if (endsInHalf()) {
            throw error("a half of a pair stands alone in this text");
        }
        return value.toString();
    }

    private boolean endsInHalf() {
        return !value.isEmpty() && Character.isHighSurrogate(value.charAt(value.length() - 1));
    }

    private void append(char character) {
        if (endsInHalf() && !Character.isLowSurrogate(character)) {
            throw error("a half of a pair stands alone in this text");
        }
        value.append(character);
    }

    private void code(String text, int place, int digits) {
        int code = 0;
        for (int i = place; i < place + digits; i++) {
            int digit = i < text.length() ? Character.digit(text.charAt(i), HEXADECIMAL) : -1;
            if (digit < 0) {
                throw error("a number of a character has four hexadecimal digits, or six behind +");
            }
            code = code * HEXADECIMAL + digit;
        }
        if (code == 0 || !Character.isValidCodePoint(code)) {
            throw error("no character has a number in this text");
        }
        if (Character.isBmpCodePoint(code)) {
            boolean isLoneEnd = Character.isLowSurrogate((char) code) && !endsInHalf();
            if (isLoneEnd) {
                throw error("a half of a pair stands alone in this text");
            }
            append((char) code);
        } else {
            append(Character.highSurrogate(code));
            append(Character.lowSurrogate(code));
        }
    }

    private FulmarException error(String problem) {
        return Place.error(ErrorCode.SYNTAX, source, lexeme.start(), problem + "; write the character itself");
    }
}
