package dev.fulmar.postgres.dialect;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * Holds a statement against bounds before any of its words is replaced. Its parentheses belong to each other, and it is
 * not too deep. What looks for the end of a parenthesis finds it, and soon.
 */
final class Parentheses {
    static final int MOST_LEVELS = 100;

    private Parentheses() {}

    static void check(String source, List<Lexeme> lexemes) {
        Deque<Lexeme> open = new ArrayDeque<>();
        for (Lexeme lexeme : lexemes) {
            if (lexeme.isSymbol("(") || lexeme.isSymbol("[")) {
                open.push(lexeme);
            } else if (lexeme.isSymbol(")") || lexeme.isSymbol("]")) {
                boolean isPair = !open.isEmpty() && open.pop().isSymbol("(") == lexeme.isSymbol(")");
                if (!isPair) {
                    throw Place.error(
                            ErrorCode.SYNTAX, source, lexeme.start(), "'" + lexeme.text() + "' closes nothing here");
                }
            }
            if (open.size() > MOST_LEVELS) {
                throw tooDeep(source, lexeme);
            }
        }
        if (!open.isEmpty()) {
            Lexeme last = open.pop();
            throw Place.error(ErrorCode.SYNTAX, source, last.start(), "'" + last.text() + "' is not closed");
        }
    }

    static FulmarException tooDeep(String source, Lexeme lexeme) {
        return Place.error(
                ErrorCode.STATEMENT_TOO_COMPLEX,
                source,
                lexeme.start(),
                "the statement nests deeper than " + MOST_LEVELS + " levels; simplify it, or compute in steps");
    }
}
