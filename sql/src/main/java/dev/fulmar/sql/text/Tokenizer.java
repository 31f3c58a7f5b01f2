package dev.fulmar.sql.text;

import dev.fulmar.foundation.error.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Cuts SQL text into tokens; comments and white space separate and vanish. */
public final class Tokenizer {
    private final String text;
    private int offset;
    private int line = 1;
    private int lineStart;

    private Tokenizer(String text) {
        this.text = text;
    }

    /** The tokens of the text and an {@link Token.Kind#END}. */
    public static List<Token> tokens(String text) {
        return tokens(text, token -> {});
    }

    /**
     * The same.
     *
     * @param check hears of each token before the next one is looked for, and ends the search by throwing
     */
    static List<Token> tokens(String text, Consumer<Token> check) {
        Tokenizer tokenizer = new Tokenizer(text);
        List<Token> tokens = new ArrayList<>();
        Token token;
        do {
            token = tokenizer.next();
            tokens.add(token);
            check.accept(token);
        } while (token.kind() != Token.Kind.END);
        return tokens;
    }

    private Token next() {
        skipBlank();
        Position position = position();
        int start = offset;
        if (start >= text.length()) {
            return new Token(Token.Kind.END, "", start, start, position);
        }
        char first = text.charAt(start);
        Token.Kind kind;
        if (first == '\'') {
            quoted('\'', position);
            kind = Token.Kind.STRING;
        } else if (first == '"') {
            quoted('"', position);
            kind = Token.Kind.QUOTED_NAME;
        } else if (isDigit(first) || (first == '.' && isDigit(charAt(start + 1)))) {
            number();
            kind = Token.Kind.NUMBER;
        } else if (Character.isLetter(first) || first == '_') {
            word();
            kind = Token.Kind.WORD;
        } else {
            symbol();
            kind = Token.Kind.SYMBOL;
        }
        return new Token(kind, text.substring(start, offset), start, offset, position);
    }

    private Position position() {
        return new Position(line, offset - lineStart + 1);
    }

    /** The character, or NUL behind the end. */
    private char charAt(int index) {
        return index < text.length() ? text.charAt(index) : 0;
    }

    private static boolean isDigit(char character) {
        return character >= '0' && character <= '9';
    }

    private void skipBlank() {
        while (offset < text.length()) {
            char character = text.charAt(offset);
            if (character <= ' ' || Character.isWhitespace(character)) {
                advance();
            } else if (character == '-' && charAt(offset + 1) == '-') {
                skipLine();
            } else if (character == '/' && charAt(offset + 1) == '*') {
                skipBlockComment();
            } else {
                return;
            }
        }
    }

    private void advance() {
        if (text.charAt(offset) == '\n') {
            line++;
            lineStart = offset + 1;
        }
        offset++;
    }

    private void skipLine() {
        while (offset < text.length() && text.charAt(offset) != '\n') {
            offset++;
        }
    }

    private void skipBlockComment() {
        Position position = position();
        offset += 2;
        while (!(charAt(offset) == '*' && charAt(offset + 1) == '/')) {
            if (offset >= text.length()) {
                throw SqlErrors.at(ErrorCode.SYNTAX, position, "this comment does not end; close it with */");
            }
            advance();
        }
        offset += 2;
    }

    private void quoted(char quote, Position position) {
        offset++;
        while (true) {
            if (offset >= text.length()) {
                String what = quote == '"' ? "name" : "text";
                throw SqlErrors.syntax(position, "this quoted " + what + " does not end; close it with " + quote);
            }
            if (text.charAt(offset) == quote) {
                if (charAt(offset + 1) != quote) {
                    offset++;
                    return;
                }
                offset++;
            }
            advance();
        }
    }

    private void number() {
        while (isDigit(charAt(offset)) || charAt(offset) == '.') {
            offset++;
        }
        if (charAt(offset) == 'e' || charAt(offset) == 'E') {
            int exponent = offset + 1;
            if (charAt(exponent) == '+' || charAt(exponent) == '-') {
                exponent++;
            }
            if (isDigit(charAt(exponent))) {
                offset = exponent;
                while (isDigit(charAt(offset))) {
                    offset++;
                }
            }
        }
    }

    private void word() {
        while (Character.isLetterOrDigit(charAt(offset)) || charAt(offset) == '_' || charAt(offset) == '$') {
            offset++;
        }
    }

    private void symbol() {
        String two = text.substring(offset, Math.min(offset + 2, text.length()));
        offset += switch (two) {
            case "<=", ">=", "<>", "!=", "||", "==" -> 2;
            default -> 1;
        };
    }
}
