package dev.fulmar.postgres.dialect;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.nio.charset.StandardCharsets;

/** The value of a text as PostgreSQL writes it (manual §4.1.2), and the same text in single quotes alone. */
final class TextLiteral {
    private static final int HEXADECIMAL = 16;
    private static final int OCTAL = 8;
    private static final int LAST_ASCII = 0x7f;

    private final String statement;
    private final Lexeme lexeme;
    private final StringBuilder value = new StringBuilder();
    private int place;
    private int end;

    private TextLiteral(String statement, Lexeme lexeme) {
        this.statement = statement;
        this.lexeme = lexeme;
    }

    /** The text in single quotes, which are doubled inside. */
    static String plain(String statement, Lexeme lexeme) {
        return "'" + value(statement, lexeme).replace("'", "''") + "'";
    }

    static String value(String statement, Lexeme lexeme) {
        String text = lexeme.text();
        return switch (lexeme.kind()) {
            case STRING ->
                text.substring(text.indexOf('\'') + 1, text.length() - 1).replace("''", "'");
            case DOLLAR -> {
                int tag = text.indexOf('$', 1) + 1;
                yield text.substring(tag, text.length() - tag);
            }
            case ESCAPED -> new TextLiteral(statement, lexeme).unescaped();
            default -> throw new IllegalArgumentException("not a text: " + lexeme);
        };
    }

    private String unescaped() {
        String text = lexeme.text();
        place = 2;
        end = text.length() - 1;
        while (place < end) {
            char character = text.charAt(place++);
            if (character == '\'') {
                place++;
                value.append('\'');
            } else if (character == '\\') {
                escape(text.charAt(place++));
            } else {
                value.append(character);
            }
        }
        String whole = value.toString();
        boolean isText = StandardCharsets.UTF_8.newEncoder().canEncode(whole);
        if (!isText) { // half of a pair
            throw noCharacter(ErrorCode.SYNTAX);
        }
        return whole;
    }

    private FulmarException noCharacter(ErrorCode code) {
        return Place.error(
                code,
                statement,
                lexeme.start(),
                "a number behind a backslash in this text is no character; write the character itself");
    }

    private void escape(char letter) {
        switch (letter) {
            case 'b' -> value.append('\b');
            case 'f' -> value.append('\f');
            case 'n' -> value.append('\n');
            case 'r' -> value.append('\r');
            case 't' -> value.append('\t');
            case 'x' -> code(HEXADECIMAL, 1, 2);
            case 'u' -> code(HEXADECIMAL, 4, 4);
            case 'U' -> code(HEXADECIMAL, 8, 8);
            case '0', '1', '2', '3', '4', '5', '6', '7' -> {
                place--;
                code(OCTAL, 1, 3);
            }
            default -> value.append(letter);
        }
    }

    private void code(int radix, int least, int most) {
        int code = 0;
        int digits = 0;
        while (digits < most && place < end && Character.digit(lexeme.text().charAt(place), radix) >= 0) {
            code = code * radix + Character.digit(lexeme.text().charAt(place++), radix);
            digits++;
        }
        // A number of at most three digits is a byte, which is a character by itself in ASCII only.
        boolean isCharacter =
                digits >= least && code > 0 && (most > 3 ? Character.isValidCodePoint(code) : code <= LAST_ASCII);
        if (!isCharacter) {
            throw noCharacter(
                    most <= 3 ? ErrorCode.INVALID_TEXT : digits < least ? ErrorCode.INVALID_ESCAPE : ErrorCode.SYNTAX);
        }
        value.appendCodePoint(code);
    }
}
