package dev.fulmar.postgres.dialect;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayList;
import java.util.List;

/**
 * Cuts text of PostgreSQL's dialect into words. Comments, which nest, and blanks vanish (PostgreSQL manual §4.1). An
 * error names the place in the text.
 */
final class Lexer {
    /** Words of one statement with its end: as many as the engine takes. */
    static final int MOST_WORDS = 150_000;

    private static final String OPERATOR_CHARACTERS = "+-*/<>=~!@#%^&|`?";

    /** Only an operator with one of these may end in a sign (PostgreSQL manual §4.1.3). */
    private static final String ENDING_IN_SIGNS = "~!@#%^&|`?";

    private final String text;
    private int offset;

    // Operators in a row, which are looked at once however many they are.

    /** The end of the row. */
    private int rowEnd;

    /** The last of its characters that lets an operator end in a sign; negative for none. */
    private int lastSpecial;

    /** The last one that is no sign; negative for none. */
    private int lastOther;

    Lexer(String text) {
        this.text = text;
    }

    /**
     * The words of a statement, and an {@link Lexeme.Kind#END}.
     *
     * @throws FulmarException {@link ErrorCode#STATEMENT_TOO_COMPLEX} for more of them than a statement may have
     */
    static List<Lexeme> lexemes(String statement) {
        Lexer lexer = new Lexer(statement);
        List<Lexeme> lexemes = new ArrayList<>();
        Lexeme next;
        do {
            next = lexer.next();
            checkCount(statement, next, lexemes.size());
            lexemes.add(next);
        } while (next.kind() != Lexeme.Kind.END);
        return lexemes;
    }

    /** Fails if a statement has too many words, of which so many are before the next one. */
    static void checkCount(String text, Lexeme next, int before) {
        if (before >= MOST_WORDS) {
            throw Place.error(
                    ErrorCode.STATEMENT_TOO_COMPLEX,
                    text,
                    next.start(),
                    "the statement has more than " + MOST_WORDS
                            + " words and symbols; split it, or send values as parameters of several calls");
        }
    }

    /** The first word of the text alone. */
    static Lexeme first(String text) {
        return new Lexer(text).next();
    }

    /** The next word; behind the last one the end. */
    Lexeme next() {
        skipBlanks();
        int start = offset;
        Lexeme.Kind kind = start < text.length() ? read(text.charAt(start)) : Lexeme.Kind.END;
        return new Lexeme(kind, text.substring(start, offset), start);
    }

    /** Moves behind the next word, which begins with that character. */
    private Lexeme.Kind read(char first) {
        int start = offset;
        char second = at(offset + 1);
        if (first == '\'') {
            quoted(1, false);
            return Lexeme.Kind.STRING;
        }
        if (second == '\'' && (first == 'e' || first == 'E')) {
            quoted(2, true);
            return Lexeme.Kind.ESCAPED;
        }
        if (second == '\'' && (first == 'n' || first == 'N')) {
            quoted(2, false);
            return Lexeme.Kind.STRING;
        }
        if (second == '&' && (first == 'u' || first == 'U') && (at(offset + 2) == '\'' || at(offset + 2) == '"')) {
            return unicode(start);
        }
        if (second == '\'' && "bBxX".indexOf(first) >= 0) {
            quoted(2, false);
            return Lexeme.Kind.BITS;
        }
        if (first == '"') {
            name();
            return Lexeme.Kind.QUOTED;
        }
        if (first == '$') {
            return dollar();
        }
        if (isDigit(first) || (first == '.' && isDigit(second))) {
            number();
            return Lexeme.Kind.NUMBER;
        }
        if (isNameStart(first)) {
            while (isNamePart(at(offset))) {
                offset++;
            }
            return Lexeme.Kind.WORD;
        }
        symbol(first);
        return Lexeme.Kind.SYMBOL;
    }

    private Lexeme.Kind unicode(int start) {
        if (at(offset + 2) == '"') {
            throw Place.error(
                    ErrorCode.NOT_SUPPORTED,
                    text,
                    start,
                    "names with numbers of characters are not supported; write the characters themselves");
        }
        quoted(3, false);
        return Lexeme.Kind.UNICODE;
    }

    /** The character, or NUL behind the end; PostgreSQL's texts have none inside. */
    private char at(int index) {
        return index < text.length() ? text.charAt(index) : 0;
    }

    private static boolean isDigit(char character) {
        return character >= '0' && character <= '9';
    }

    private static boolean isNameStart(char character) {
        return Character.isLetter(character) || character == '_' || character > 0x7f;
    }

    private static boolean isNamePart(char character) {
        return isNameStart(character) || isDigit(character) || character == '$';
    }

    private void skipBlanks() {
        while (offset < text.length()) {
            char character = text.charAt(offset);
            if (character <= ' ') {
                offset++;
            } else if (character == '-' && at(offset + 1) == '-') {
                while (offset < text.length() && at(offset) != '\n') {
                    offset++;
                }
            } else if (character == '/' && at(offset + 1) == '*') {
                comment();
            } else {
                return;
            }
        }
    }

    private void comment() {
        int start = offset;
        int depth = 0;
        do {
            if (offset >= text.length()) {
                throw unterminated(start, "comment", "*/");
            }
            if (at(offset) == '/' && at(offset + 1) == '*') {
                depth++;
                offset += 2;
            } else if (at(offset) == '*' && at(offset + 1) == '/') {
                depth--;
                offset += 2;
            } else {
                offset++;
            }
        } while (depth > 0);
    }

    private void quoted(int prefix, boolean isEscaped) {
        int start = offset;
        offset += prefix;
        while (true) {
            char character = at(offset);
            if (offset >= text.length()) {
                throw unterminated(start, "text", "'");
            }
            if (isEscaped && character == '\\') {
                offset += 2;
            } else if (character == '\'' && at(offset + 1) == '\'') {
                offset += 2;
            } else {
                offset++;
                if (character == '\'') {
                    return;
                }
            }
        }
    }

    private void name() {
        int start = offset;
        offset++;
        while (at(offset) != '"' || at(offset + 1) == '"') {
            if (offset >= text.length()) {
                throw unterminated(start, "name", "\"");
            }
            offset += at(offset) == '"' ? 2 : 1;
        }
        offset++;
        if (offset - start == 2) {
            throw Place.error(ErrorCode.SYNTAX, text, start, "a name in quotes has a letter at least");
        }
    }

    private Lexeme.Kind dollar() {
        int start = offset;
        offset++;
        if (isDigit(at(offset))) {
            while (isDigit(at(offset))) {
                offset++;
            }
            return Lexeme.Kind.PARAMETER;
        }
        while (isNamePart(at(offset)) && at(offset) != '$') {
            offset++;
        }
        if (at(offset) != '$') {
            offset = start + 1;
            return Lexeme.Kind.SYMBOL;
        }
        offset++;
        String tag = text.substring(start, offset);
        int end = text.indexOf(tag, offset);
        if (end < 0) {
            throw unterminated(start, "text", tag);
        }
        offset = end + tag.length();
        return Lexeme.Kind.DOLLAR;
    }

    private void number() {
        while (isDigit(at(offset)) || (at(offset) == '.' && at(offset + 1) != '.')) {
            offset++;
        }
        int exponent = offset + 1;
        if ((at(offset) == 'e' || at(offset) == 'E') && (at(exponent) == '+' || at(exponent) == '-')) {
            exponent++;
        }
        if ((at(offset) == 'e' || at(offset) == 'E') && isDigit(at(exponent))) {
            offset = exponent;
            while (isDigit(at(offset))) {
                offset++;
            }
        }
    }

    /** An operator is as long as possible, but for a comment inside; anything else is one character. */
    private void symbol(char first) {
        if (text.startsWith("::", offset) || text.startsWith(":=", offset)) {
            offset += 2;
            return;
        }
        int start = offset;
        offset++;
        if (OPERATOR_CHARACTERS.indexOf(first) < 0) {
            return;
        }
        if (start >= rowEnd) {
            findRow(start);
        }
        boolean mayEndInSign = lastSpecial >= start;
        offset = mayEndInSign ? rowEnd : Math.max(offset, lastOther + 1);
    }

    /** Finds the operators that follow each other from there on; a comment ends them. */
    private void findRow(int start) {
        lastSpecial = -1;
        lastOther = -1;
        rowEnd = start;
        do {
            char character = text.charAt(rowEnd);
            lastSpecial = ENDING_IN_SIGNS.indexOf(character) >= 0 ? rowEnd : lastSpecial;
            lastOther = character == '+' || character == '-' ? lastOther : rowEnd;
            rowEnd++;
        } while (rowEnd < text.length()
                && OPERATOR_CHARACTERS.indexOf(text.charAt(rowEnd)) >= 0
                && !text.startsWith("--", rowEnd)
                && !text.startsWith("/*", rowEnd));
    }

    private FulmarException unterminated(int start, String what, String end) {
        return Place.error(ErrorCode.SYNTAX, text, start, "this " + what + " does not end; close it with " + end);
    }
}
