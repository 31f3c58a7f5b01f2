package dev.fulmar.sql.text;

import java.util.Locale;

/**
 * A piece of SQL text.
 *
 * @param text as it stands in the source, with quotes
 * @param start offset of its first character
 * @param end offset behind its last character
 */
public record Token(Kind kind, String text, int start, int end, Position position) {
    /** The kind of a token. */
    public enum Kind {
        /** Keyword or unquoted name. */
        WORD,
        /** Name in double quotes. */
        QUOTED_NAME,
        /** Text in single quotes. */
        STRING,
        NUMBER,
        /** One character that is none of the others, or an operator of two. */
        SYMBOL,
        /** Behind the last character. */
        END
    }

    /** Whether this is the keyword, in any case. */
    public boolean isWord(String keyword) {
        return kind == Kind.WORD && text.equalsIgnoreCase(keyword);
    }

    public boolean isSymbol(String symbol) {
        return kind == Kind.SYMBOL && text.equals(symbol);
    }

    /** How much deeper in parentheses and brackets the text behind the token is: 1, 0 or -1. */
    public int nesting() {
        if (isSymbol("(") || isSymbol("[")) {
            return 1;
        }
        return isSymbol(")") || isSymbol("]") ? -1 : 0;
    }

    /** The name that a WORD or QUOTED_NAME stands for: upper case unless quoted. */
    public String name() {
        if (kind == Kind.QUOTED_NAME) {
            return text.substring(1, text.length() - 1).replace("\"\"", "\"");
        }
        return text.toUpperCase(Locale.ROOT);
    }

    /** The token as an error message shows it. */
    public String shown() {
        return kind == Kind.END ? "the end of the statement" : "'" + text + "'";
    }
}
