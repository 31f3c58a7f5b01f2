package dev.fulmar.sql.text;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.Table;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Reader of the outermost FROM of a query: finds the names by which the query's other clauses call what stands there.
 */
final class FromTables {
    private static final Set<String> ENDS = Set.of(
            "WHERE",
            "GROUP",
            "HAVING",
            "WINDOW",
            "QUALIFY",
            "ORDER",
            "LIMIT",
            "OFFSET",
            "FETCH",
            "FOR",
            "UNION",
            "INTERSECT",
            "EXCEPT",
            "MINUS");
    private static final Set<String> BEHIND_ITEMS =
            Set.of("JOIN", "INNER", "LEFT", "RIGHT", "FULL", "CROSS", "NATURAL", "ON", "USING", "TABLESAMPLE", "OUTER");
    private static final Set<String> BEFORE_ITEMS = Set.of("LATERAL", "ONLY");
    private static final Set<String> QUERIES = Set.of("SELECT", "WITH", "VALUES", "TABLE");

    private final List<Token> tokens;
    private final Catalog catalog;
    private final Map<String, Optional<Table>> found = new TreeMap<>();

    private FromTables(List<Token> tokens, Catalog catalog) {
        this.tokens = tokens;
        this.catalog = catalog;
    }

    /** The tables by their names in the query; no table for a view, a query or a function. */
    static Map<String, Optional<Table>> of(List<Token> tokens, Catalog catalog) {
        FromTables reader = new FromTables(tokens, catalog);
        reader.read();
        return reader.found;
    }

    private void read() {
        boolean isInFrom = false;
        boolean isItem = false;
        int place = 0;
        while (place < tokens.size()) {
            Token token = tokens.get(place);
            String word = token.kind() == Token.Kind.WORD ? token.name() : "";
            if (isInFrom && isItem && isJoin(place)) {
                place++; // what is in the parentheses stands there as if they were not
            } else if (isInFrom && isItem && !BEFORE_ITEMS.contains(word)) {
                place = item(place);
                isItem = false;
            } else if (token.isSymbol("(")) {
                place = behindParentheses(place);
            } else {
                boolean begins = word.equals("FROM")
                        && (place == 0 || !tokens.get(place - 1).isWord("DISTINCT"));
                isItem = begins || (isInFrom && (isItem || token.isSymbol(",") || word.equals("JOIN")));
                isInFrom = begins || (isInFrom && !ENDS.contains(word));
                place++;
            }
        }
    }

    /** Whether parentheses begin here that have a join, or a table. */
    private boolean isJoin(int place) {
        if (!tokens.get(place).isSymbol("(") || place + 1 >= tokens.size()) {
            return false;
        }
        Token next = tokens.get(place + 1);
        return next.isSymbol("(")
                ? isJoin(place + 1)
                : next.kind() != Token.Kind.WORD || !QUERIES.contains(next.name());
    }

    /** Reads a table, a query or a function, and its other name; returns the place behind. */
    private int item(int start) {
        boolean isQuery = tokens.get(start).isSymbol("(");
        int end = isQuery ? behindParentheses(start) : start + QualifiedName.length(tokens, start);
        boolean isFunction = !isQuery && end < tokens.size() && tokens.get(end).isSymbol("(");
        Optional<Table> table = isQuery || isFunction
                ? Optional.empty()
                : Optional.ofNullable(
                        catalog.tables().get(QualifiedName.at(tokens, start).name()));
        String name = isQuery ? "" : tokens.get(end - 1).name();
        int place = isFunction ? behindParentheses(end) : end;
        if (place < tokens.size() && tokens.get(place).isWord("AS")) {
            place++;
        }
        if (place < tokens.size() && isOtherName(tokens.get(place))) {
            name = tokens.get(place).name();
            place++;
        }
        found.put(name, table);
        return place;
    }

    private static boolean isOtherName(Token token) {
        return token.kind() == Token.Kind.QUOTED_NAME
                || (token.kind() == Token.Kind.WORD
                        && !ENDS.contains(token.name())
                        && !BEHIND_ITEMS.contains(token.name()));
    }

    private int behindParentheses(int start) {
        int depth = 0;
        int place = start;
        while (place < tokens.size()) {
            depth += tokens.get(place).nesting();
            place++;
            if (depth == 0) {
                return place;
            }
        }
        return place;
    }
}
