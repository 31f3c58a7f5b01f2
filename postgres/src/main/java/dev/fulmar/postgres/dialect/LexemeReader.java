package dev.fulmar.postgres.dialect;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayList;
import java.util.List;

/** Takes the words of a statement one after another. An error names the place in it. Not thread-safe. */
final class LexemeReader {
    private final String statement;
    private final List<Lexeme> lexemes;
    private int place;

    LexemeReader(String statement) {
        this.statement = statement;
        this.lexemes = Lexer.lexemes(statement);
    }

    /** The next word, which is taken; behind the last one the end again and again. */
    Lexeme next() {
        Lexeme next = peek();
        place++;
        return next;
    }

    Lexeme peek() {
        return lexemes.get(Math.min(place, lexemes.size() - 1));
    }

    boolean takes(String word) {
        boolean isNext = peek().isWord(word);
        place += isNext ? 1 : 0;
        return isNext;
    }

    boolean takesSymbol(String symbol) {
        boolean isNext = peek().isSymbol(symbol);
        place += isNext ? 1 : 0;
        return isNext;
    }

    void expect(String word) {
        if (!takes(word)) {
            throw unexpected(peek());
        }
    }

    void expectSymbol(String symbol) {
        if (!takesSymbol(symbol)) {
            throw unexpected(peek());
        }
    }

    void expectEnd() {
        if (peek().kind() != Lexeme.Kind.END) {
            throw unexpected(peek());
        }
    }

    /** A name as PostgreSQL folds it. */
    String name() {
        Lexeme name = next();
        if (!name.isName()) {
            throw unexpected(name);
        }
        return name.name();
    }

    /** Names with commas between them, in parentheses. */
    List<String> names() {
        expectSymbol("(");
        List<String> names = new ArrayList<>();
        do {
            names.add(name());
        } while (takesSymbol(","));
        expectSymbol(")");
        return names;
    }

    boolean isText() {
        return switch (peek().kind()) {
            case STRING, ESCAPED, DOLLAR -> true;
            default -> false;
        };
    }

    /** The value of a text in quotes. */
    String text() {
        if (!isText()) {
            throw unexpected(peek());
        }
        return TextLiteral.value(statement, next());
    }

    /** The end of the group that a parenthesis has begun before: the closing one, which is taken. */
    Lexeme closing() {
        int depth = 1;
        while (true) {
            Lexeme next = next();
            if (next.isSymbol("(")) {
                depth++;
            } else if (next.isSymbol(")") && --depth == 0) {
                return next;
            } else if (next.kind() == Lexeme.Kind.END) {
                throw unexpected(next);
            }
        }
    }

    FulmarException unexpected(Lexeme lexeme) {
        String what = lexeme.kind() == Lexeme.Kind.END ? "end of input" : "\"" + lexeme.text() + "\"";
        return error(ErrorCode.SYNTAX, lexeme, "syntax error at or near " + what);
    }

    FulmarException error(ErrorCode code, Lexeme lexeme, String message) {
        return Place.error(code, statement, lexeme.start(), message);
    }
}
