package dev.fulmar.postgres.dialect;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Set;

/** Finds where a statement names tables, and the plain names that it reads as such, without those that it changes. */
final class TableNames {
    /** Words that begin a query or a change. In other parentheses, as of EXTRACT, FROM names no tables. */
    private static final Set<String> BEGINNINGS = Set.of("SELECT", "UPDATE", "DELETE", "MERGE");

    /** Words that begin a part which names no tables. */
    private static final Set<String> ELSEWHERE = Set.of(
            "WHERE", "BY", "HAVING", "WINDOW", "SET", "VALUES", "RETURNING", "LIMIT", "OFFSET", "FETCH", "FOR", "WHEN");

    private static final Set<String> QUERIES = Set.of("SELECT", "WITH", "VALUES", "TABLE");

    private final Words words;
    private final List<Integer> places = new ArrayList<>();

    // By depth of parentheses.

    /** Whether there is a query or a change. */
    private final BitSet queries = new BitSet();

    /** Whether tables are named. */
    private final BitSet tables = new BitSet();

    /** Whether tables are named behind the word, for each place. */
    private final BitSet behind = new BitSet();

    private int depth;

    /** Whether the last USING was that of a JOIN, with columns behind it. */
    private boolean namesColumns;

    private TableNames(Words words) {
        this.words = words;
    }

    /** The places of the names, ascending. */
    static List<Integer> of(Words words) {
        return seen(words).places;
    }

    /** Whether tables are named behind the word, for each place. */
    static BitSet behind(Words words) {
        return seen(words).behind;
    }

    private static TableNames seen(Words words) {
        TableNames names = new TableNames(words);
        for (int i = 0; i < words.count(); i++) {
            names.look(i);
            names.behind.set(i, names.tables.get(names.depth));
        }
        return names;
    }

    private void look(int i) {
        Lexeme lexeme = words.at(i);
        if (lexeme.isSymbol("(") || lexeme.isSymbol("[")) {
            boolean isJoin = isItem(i) && !QUERIES.contains(words.at(i + 1).word());
            depth++;
            queries.set(depth, isJoin);
            tables.set(depth, isJoin);
        } else if (lexeme.isSymbol(")") || lexeme.isSymbol("]")) {
            depth = Math.max(0, depth - 1);
        } else if (BEGINNINGS.contains(lexeme.word()) && !words.areAt(i - 1, "FOR")) {
            queries.set(depth);
            tables.clear(depth);
        } else if (ELSEWHERE.contains(lexeme.word())) {
            tables.clear(depth);
        } else if (lexeme.isWord("USING")) {
            namesColumns = tables.get(depth); // it is of a JOIN
            tables.set(depth, queries.get(depth));
        } else if (lexeme.isWord("FROM") && !words.areAt(i - 1, "DISTINCT") && !words.areAt(i - 1, "DELETE")) {
            tables.set(depth, queries.get(depth));
        } else if (lexeme.isName()
                && (isItem(i) || beginOfTable(words, i) < i)
                && !words.areAt(i + 1, ".")
                && !words.areAt(i + 1, "(")) {
            places.add(i);
        }
    }

    /** Where the query {@code TABLE name} begins whose name stands at the place; the place itself if none does. */
    static int beginOfTable(Words words, int place) {
        int before = words.areAt(place - 1, "ONLY") ? place - 2 : place - 1;
        boolean isName = words.areAt(before - 1, "AS") || words.areAt(before - 1, ".");
        return words.areAt(before, "TABLE") && !isName ? before : place;
    }

    /** Whether a table, a query or a function stands there. */
    private boolean isItem(int place) {
        int before = place - 1;
        if (words.areAt(before, "LATERAL") || words.areAt(before, "ONLY")) {
            before--;
        }
        if (words.areAt(before, "JOIN")) {
            return true;
        }
        boolean isBehind = words.areAt(before, ",")
                || words.areAt(before, "FROM")
                || (words.areAt(before, "USING") && !namesColumns)
                || words.areAt(before, "(");
        return isBehind && tables.get(depth);
    }
}
