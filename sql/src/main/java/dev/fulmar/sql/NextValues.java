package dev.fulmar.sql;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.sql.text.QualifiedName;
import dev.fulmar.sql.text.SqlErrors;
import dev.fulmar.sql.text.Token;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Replaces NEXT VALUE FOR in a statement's text by a function call of equal length, before Calcite parses it. The call
 * names the sequence by its id. Every word keeps its place, so that errors name the right one.
 */
final class NextValues {
    private static final int WORDS = 4;
    private static final String NUMBER = "#";
    private static final Set<String> STATEMENTS = Set.of("INSERT", "UPSERT", "SELECT", "VALUES");

    /** Words that would make it unclear how often, or in which order, numbers are drawn. */
    private static final Set<String> REFUSED = Set.of(
            "FROM",
            "WHERE",
            "GROUP",
            "HAVING",
            "ORDER",
            "LIMIT",
            "OFFSET",
            "FETCH",
            "UNION",
            "INTERSECT",
            "EXCEPT",
            "WITH",
            "DISTINCT",
            "OVER",
            "UPDATE");

    private NextValues() {}

    /** The statement with each sequence by its number. */
    static String numbered(String sql, List<Token> tokens, Catalog catalog) {
        StringBuilder text = null;
        for (int i = 0; i + WORDS <= tokens.size(); i++) {
            if (!tokens.get(i).isWord("NEXT")
                    || !tokens.get(i + 1).isWord("VALUE")
                    || !tokens.get(i + 2).isWord("FOR")) {
                continue;
            }
            Token name = QualifiedName.at(tokens, i + WORDS - 1);
            boolean isNumber = name.name().startsWith(NUMBER);
            Table sequence =
                    isNumber ? byNumber(name.name(), catalog) : catalog.tables().get(name.name());
            if (sequence == null || sequence.sequence().isEmpty()) {
                throw SqlErrors.at(
                        ErrorCode.UNKNOWN_OBJECT,
                        name.position(),
                        "there is no sequence " + name.name() + "; CREATE SEQUENCE makes one");
            }
            if (sequence.sequence().get().owned() && !isNumber) {
                throw SqlErrors.at(
                        ErrorCode.NOT_SUPPORTED,
                        name.position(),
                        "the sequence " + name.name()
                                + " belongs to an IDENTITY column; leave the column out of the INSERT");
            }
            checkPlace(tokens, tokens.get(i));
            text = text == null ? new StringBuilder(sql) : text;
            int start = tokens.get(i).start();
            String call = "\"#N\"(" + sequence.id() + ")";
            String gap = sql.substring(start + call.length(), name.end()).replaceAll("[^\n]", " ");
            text.replace(start, name.end(), call + gap);
        }
        return text == null ? sql : text.toString();
    }

    /** The sequence of an id, which also one of an IDENTITY column has; so nodes draw numbers ahead. */
    private static @Nullable Table byNumber(String name, Catalog catalog) {
        return catalog.tables().values().stream()
                .filter(table -> name.equals(NUMBER + table.id()))
                .findFirst()
                .orElse(null);
    }

    private static void checkPlace(List<Token> tokens, Token next) {
        boolean isKnown = STATEMENTS.stream().anyMatch(tokens.getFirst()::isWord);
        int depth = 0;
        boolean isRefused = !isKnown;
        for (Token token : tokens) {
            depth += token.isSymbol("(") ? 1 : token.isSymbol(")") ? -1 : 0;
            isRefused |= token.kind() == Token.Kind.WORD && REFUSED.contains(token.name());
            isRefused |= token.isWord("SELECT") && depth > 0;
        }
        if (isRefused) {
            throw SqlErrors.at(
                    ErrorCode.NOT_SUPPORTED,
                    next.position(),
                    "NEXT VALUE FOR draws a number for each row of INSERT ... VALUES, and in SELECT and VALUES without FROM,"
                            + " conditions and subqueries; draw the numbers there first");
        }
    }
}
