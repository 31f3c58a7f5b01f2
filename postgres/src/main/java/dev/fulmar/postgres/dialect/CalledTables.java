package dev.fulmar.postgres.dialect;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Set;

/** Functions that are called where a table may stand, and the names that their rows have. */
final class CalledTables {
    private static final Set<String> BEFORE_TABLES = Set.of("FROM", "JOIN", "USING");
    private static final Set<String> OTHER_PARTS =
            Set.of("SELECT", "WHERE", "GROUP", "HAVING", "ORDER", "LIMIT", "VALUES", "ON", "SET", "RETURNING");
    /** Words behind a table that are not its other name. */
    private static final Set<String> BEHIND_TABLE = Set.of(
            "ON",
            "JOIN",
            "LEFT",
            "RIGHT",
            "FULL",
            "INNER",
            "CROSS",
            "NATURAL",
            "USING",
            "WHERE",
            "GROUP",
            "ORDER",
            "HAVING",
            "LIMIT",
            "OFFSET",
            "FETCH",
            "UNION",
            "INTERSECT",
            "EXCEPT",
            "FOR",
            "AS",
            "WINDOW",
            "FROM",
            "AND",
            "OR",
            "RETURNING",
            "SET",
            "TABLESAMPLE",
            "WHEN",
            "WITH");

    private CalledTables() {}

    /** Of each word, whether it stands where a table may. */
    static boolean[] places(Words words) {
        boolean[] places = new boolean[words.count()];
        Deque<Boolean> parts = new ArrayDeque<>(List.of(false));
        for (int i = 0; i < places.length; i++) {
            Lexeme lexeme = words.at(i);
            places[i] = parts.element();
            if (lexeme.isSymbol("(")) {
                parts.push(false);
            } else if (lexeme.isSymbol(")") && parts.size() > 1) {
                parts.pop();
            } else if (BEFORE_TABLES.contains(lexeme.word()) || OTHER_PARTS.contains(lexeme.word())) {
                parts.pop();
                parts.push(BEFORE_TABLES.contains(lexeme.word()));
            }
        }
        return places;
    }

    /** Whether the word behind a table, or behind its AS, is another name of the table. */
    static boolean isOtherName(Lexeme behind) {
        return behind.isName() && !BEHIND_TABLE.contains(behind.word());
    }

    /** The column has the name of the table, unless it has one of its own; the table's is behind the place. */
    static void name(Words words, int place, String function) {
        int alias = words.at(place).isWord("AS") ? place + 1 : place;
        Lexeme lexeme = words.at(alias);
        if (!isOtherName(lexeme)) {
            words.insert(place, "AS " + function + " (" + function + ")");
        } else if (!words.areAt(alias + 1, "(")) {
            words.replace(
                    alias + 1,
                    alias + 1,
                    List.of(
                            new Lexeme(Lexeme.Kind.SYMBOL, "(", lexeme.start()),
                            lexeme,
                            new Lexeme(Lexeme.Kind.SYMBOL, ")", lexeme.start())));
        }
    }
}
