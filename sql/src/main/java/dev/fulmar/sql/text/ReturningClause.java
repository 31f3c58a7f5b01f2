package dev.fulmar.sql.text;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A write and what it is to return.
 *
 * @param change the statement without the clause
 * @param query SELECT with the clause's list, without FROM, every word at its place in the statement; empty if there is
 *     no clause
 */
public record ReturningClause(String change, Optional<String> query) {
    private static final String SELECT = "SELECT";
    private static final List<String> WRITES = List.of("INSERT", "UPSERT", "UPDATE", "DELETE", "MERGE");

    /** Finds the clause, which is the last of its statement. */
    public static ReturningClause of(String sql, List<Token> tokens) {
        Token first = tokens.getFirst();
        Token returning = WRITES.stream().anyMatch(first::isWord) ? find(tokens) : null;
        if (returning == null) {
            return new ReturningClause(sql, Optional.empty());
        }
        String before = sql.substring(0, returning.start());
        String gap = " ".repeat(returning.end() - returning.start() - SELECT.length());
        return new ReturningClause(
                before, Optional.of(before.replaceAll("[^\n]", " ") + SELECT + gap + sql.substring(returning.end())));
    }

    /** The token before which the change ends: the clause's first one, or the end of the statement. */
    static Token end(List<Token> tokens) {
        Token returning = find(tokens);
        return returning == null ? tokens.getLast() : returning;
    }

    private static @Nullable Token find(List<Token> tokens) {
        Token found = null;
        int depth = 0;
        for (Token token : tokens) {
            if (token.isSymbol("(")) {
                depth++;
            } else if (token.isSymbol(")")) {
                depth--;
            } else if (depth == 0 && token.isWord("RETURNING")) {
                found = token;
            }
        }
        return found;
    }
}
