package dev.fulmar.postgres.dialect;

import java.util.Locale;

/**
 * A word, symbol or value of a statement.
 *
 * @param text as it stands in the statement
 * @param start where it begins there
 * @param word a word in upper case, for many look for words; empty for anything else
 */
record Lexeme(Kind kind, String text, int start, String word) {
    /** The kinds of words. */
    enum Kind {
        /** A key word or a plain name. */
        WORD,
        /** A name in double quotes. */
        QUOTED,
        /** A text in single quotes. */
        STRING,
        /** A text with escapes: {@code E'...'}. */
        ESCAPED,
        /** A text with numbers of characters: {@code U&'...'}. */
        UNICODE,
        /** A text between dollar signs. */
        DOLLAR,
        /** A string of bits or hexadecimal digits. */
        BITS,
        NUMBER,
        /** A parameter: {@code $1}. */
        PARAMETER,
        SYMBOL,
        /** Words of the engine that stand for some of the client's. */
        MADE,
        /** Behind the last one. */
        END
    }

    Lexeme(Kind kind, String text, int start) {
        this(kind, text, start, kind == Kind.WORD ? text.toUpperCase(Locale.ROOT) : "");
    }

    int end() {
        return start + text.length();
    }

    boolean isWord(String word) {
        return (kind == Kind.WORD || kind == Kind.MADE) && text.equalsIgnoreCase(word);
    }

    boolean isSymbol(String symbol) {
        return (kind == Kind.SYMBOL || kind == Kind.MADE) && text.equals(symbol);
    }

    /** A name as PostgreSQL folds it: in lower case, unless it is quoted. Empty for anything else. */
    String name() {
        return switch (kind) {
            case WORD -> text.toLowerCase(Locale.ROOT);
            case QUOTED -> text.substring(1, text.length() - 1).replace("\"\"", "\"");
            default -> "";
        };
    }

    boolean isName() {
        return kind == Kind.WORD || kind == Kind.QUOTED;
    }
}
