package dev.fulmar.sql;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.SequenceRule;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.sql.text.NameText;
import dev.fulmar.sql.text.QualifiedName;
import dev.fulmar.sql.text.SqlErrors;
import dev.fulmar.sql.text.Token;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Replaces NEXT VALUE FOR, nextval, currval and lastval in a statement's text by function calls of equal length, before
 * Calcite parses it. A call names the sequence by its id. Every word keeps its place, so errors name the right one.
 */
final class NextValues {
    private static final int WORDS = 4;
    private static final String NUMBER = "#";
    private static final String NEXT = "\"#N\"";
    private static final String CURRENT = "\"#C\"";
    private static final String LAST = "\"#L\"";
    private static final Set<String> STATEMENTS = Set.of("INSERT", "UPSERT", "SELECT", "VALUES");

    /** Words that would make it unclear how often, or in which order, numbers are drawn. */
    private static final Set<String> REFUSED = Set.of(
            "GENERATE_SERIES",
            "UNNEST",
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

    /**
     * A place where a number of a sequence stands.
     *
     * @param function that stands for it
     * @param name of the sequence; null for the last number of any
     * @param first its first token
     * @param end behind it in the text
     */
    private record Use(String function, @Nullable Token name, Token first, int end) {}

    /** The statement with each sequence by its number. */
    static String numbered(String sql, List<Token> tokens, Catalog catalog) {
        StringBuilder text = null;
        for (int i = 0; i < tokens.size(); i++) {
            Use use = use(tokens, i);
            if (use == null) {
                continue;
            }
            String call = use.function() + "(" + argument(use, catalog) + ")";
            checkPlace(tokens, use.first());
            int start = use.first().start();
            if (start + call.length() > use.end()) {
                throw SqlErrors.at(
                        ErrorCode.NOT_SUPPORTED,
                        use.first().position(),
                        "there is no room for the sequence's number; write NEXT VALUE FOR, or blanks between the parentheses");
            }
            text = text == null ? new StringBuilder(sql) : text;
            String gap = sql.substring(start + call.length(), use.end()).replaceAll("[^\n]", " ");
            text.replace(start, use.end(), call + gap);
        }
        return text == null ? sql : text.toString();
    }

    private static @Nullable Use use(List<Token> tokens, int place) {
        Token first = tokens.get(place);
        if (first.isWord("NEXT")
                && place + WORDS <= tokens.size()
                && tokens.get(place + 1).isWord("VALUE")
                && tokens.get(place + 2).isWord("FOR")) {
            Token name = QualifiedName.at(tokens, place + WORDS - 1);
            return new Use(NEXT, name, first, name.end());
        }
        if (first.isWord("LASTVAL") && isSymbol(tokens, place + 1, "(") && isSymbol(tokens, place + 2, ")")) {
            return new Use(LAST, null, first, tokens.get(place + 2).end());
        }
        if (!first.isWord("NEXTVAL") && !first.isWord("CURRVAL")) {
            return null;
        }
        NameText.Argument name = NameText.argument(tokens, place + 1);
        if (name == null || !isSymbol(tokens, name.end(), ")")) {
            return null;
        }
        return new Use(
                first.isWord("NEXTVAL") ? NEXT : CURRENT,
                name.name(),
                first,
                tokens.get(name.end()).end());
    }

    private static boolean isSymbol(List<Token> tokens, int place, String symbol) {
        return place < tokens.size() && tokens.get(place).isSymbol(symbol);
    }

    private static String argument(Use use, Catalog catalog) {
        Token name = use.name();
        if (name == null) {
            return "";
        }
        boolean isNumber = name.name().startsWith(NUMBER);
        Table sequence = isNumber ? byNumber(name.name(), catalog) : SequenceNames.find(name.name(), catalog);
        if (sequence == null || sequence.sequence().isEmpty()) {
            throw SqlErrors.at(
                    ErrorCode.UNKNOWN_OBJECT,
                    name.position(),
                    "there is no sequence " + name.name() + "; CREATE SEQUENCE makes one");
        }
        SequenceRule rule = sequence.sequence().get();
        if (rule.owned() && !rule.isDense() && !isNumber && use.function().equals(NEXT)) {
            throw SqlErrors.at(
                    ErrorCode.NOT_SUPPORTED,
                    name.position(),
                    "the sequence " + name.name()
                            + " belongs to an IDENTITY column without CACHE; leave the column out of the INSERT");
        }
        return Integer.toString(sequence.id());
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
            depth += token.nesting();
            isRefused |= token.kind() == Token.Kind.WORD && REFUSED.contains(token.name());
            isRefused |= token.isWord("SELECT") && depth > 0;
        }
        if (isRefused) {
            throw SqlErrors.at(
                    ErrorCode.NOT_SUPPORTED,
                    next.position(),
                    "a number of a sequence is for each row of INSERT ... VALUES, and for SELECT and VALUES without FROM,"
                            + " conditions and subqueries; draw the numbers there first");
        }
    }
}
