package dev.fulmar.postgres.dialect;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;

/**
 * Words that the engine's grammar keeps for itself, and that PostgreSQL's takes for names of columns: {@code time} and
 * others. Where one can be a name only, because of the words on both of its sides, it gets the quotes that it lacks.
 */
final class WordsAsNames {
    private static final Set<String> NAMES = Set.of(
            "BY",
            "CURRENT",
            "CURSOR",
            "DEC",
            "DECIMAL",
            "FINAL",
            "GROUPING",
            "INITIAL",
            "INTERVAL",
            "NEW",
            "NEXT",
            "NUMERIC",
            "OVER",
            "PARTITION",
            "RANGE",
            "ROLLUP",
            "ROW",
            "ROWS",
            "SKIP",
            "SNAPSHOT",
            "TIME",
            "TIMESTAMP",
            "VOLATILE");

    /** Words that begin a statement or a part of one: names where a comma, an operator or a parenthesis follows. */
    private static final Set<String> VERBS =
            Set.of("CALL", "DELETE", "DROP", "EXISTS", "EXPLAIN", "INSERT", "MERGE", "SET", "UPDATE", "VALUES");

    /** Words behind which a value or a column begins. */
    private static final Set<String> BEFORE = Set.of(
            "SELECT",
            "DISTINCT",
            "ALL",
            "FROM",
            "WHERE",
            "ON",
            "AND",
            "OR",
            "NOT",
            "BY",
            "HAVING",
            "CASE",
            "WHEN",
            "THEN",
            "ELSE",
            "BETWEEN",
            "LIKE",
            "ILIKE",
            "SET",
            "RETURNING");

    /** Words that stand behind a value or a column. */
    private static final Set<String> BEHIND = Set.of(
            "AS",
            "FROM",
            "WHERE",
            "GROUP",
            "ORDER",
            "HAVING",
            "LIMIT",
            "OFFSET",
            "FETCH",
            "FOR",
            "UNION",
            "INTERSECT",
            "EXCEPT",
            "WINDOW",
            "RETURNING",
            "AND",
            "OR",
            "IS",
            "ISNULL",
            "NOTNULL",
            "IN",
            "NOT",
            "BETWEEN",
            "LIKE",
            "ILIKE",
            "SIMILAR",
            "ASC",
            "DESC",
            "NULLS",
            "WHEN",
            "THEN",
            "ELSE",
            "END",
            "AT",
            "COLLATE",
            "ROWS",
            "RANGE",
            "GROUPS");

    /** Words that begin the frame of a window. */
    private static final Set<String> FRAMES = Set.of("ROWS", "RANGE", "GROUPS");

    /** Statements that list types, or texts of another language. */
    private static final Set<String> WITHOUT_NAMES =
            Set.of("PREPARE", "SHOW", "SET", "RESET", "DO", "CALL", "EXECUTE", "GRANT", "REVOKE");

    private final Words words;

    /** For each parenthesis that is open, whether it is that of a CAST. */
    private final Deque<Boolean> casts = new ArrayDeque<>();

    private WordsAsNames(Words words) {
        this.words = words;
    }

    static void replace(Words words) {
        boolean hasNames = words.areAt(0, "CREATE")
                ? words.areAt(1, "TABLE") || words.outside(1, "AS") < words.count() || words.areAt(1, "INDEX")
                : !WITHOUT_NAMES.contains(words.at(0).word());
        if (hasNames) {
            new WordsAsNames(words).replace();
        }
    }

    private void replace() {
        for (int i = 0; i < words.count(); i++) {
            Lexeme lexeme = words.at(i);
            if (lexeme.isSymbol("(")) {
                casts.push(words.at(i - 1).isWord("CAST"));
            } else if (lexeme.isSymbol(")")) {
                casts.poll();
            } else if (i > 0 && isName(i, NAMES.contains(lexeme.word()), VERBS.contains(lexeme.word()))) {
                words.replace(i, i + 1, '"' + NameFolding.mirrored(lexeme.name()) + '"');
            }
        }
    }

    private boolean isName(int place, boolean mayBeName, boolean isVerb) {
        Lexeme before = words.at(place - 1);
        Lexeme behind = words.at(place + 1);
        if (!mayBeName && !isVerb) {
            return false;
        }
        if (before.isSymbol(".")) {
            return words.at(place - 2).isName();
        }
        boolean isFrame = before.isSymbol("(")
                && words.at(place - 2).isWord("OVER")
                && FRAMES.contains(words.at(place).word());
        if (isFrame) {
            return false;
        }
        boolean areFunctions = words.areAt(place, "ROWS", "FROM", "(");
        boolean isPlace = place > 1 && words.areAt(place - 2, "PARTITION", "ON", "ROW") && words.areAt(0, "CREATE");
        if (areFunctions || isPlace) {
            return false;
        }
        if (before.isWord("INTO") && mayBeName) {
            return true;
        }
        boolean ends = isVerb ? separates(behind) : ends(behind);
        if (before.isWord("AS")) {
            boolean isType = Boolean.TRUE.equals(casts.peek());
            return !isType && ends;
        }
        return begins(before) && (ends || (behind.isSymbol(".") && mayBeName));
    }

    private static boolean begins(Lexeme before) {
        return before.isSymbol("(") || before.isSymbol(",") || isOperator(before) || BEFORE.contains(before.word());
    }

    private static boolean ends(Lexeme behind) {
        boolean isCast =
                behind.kind() == Lexeme.Kind.MADE && behind.text().strip().equals("AS");
        return behind.kind() == Lexeme.Kind.END || isCast || separates(behind) || BEHIND.contains(behind.word());
    }

    private static boolean separates(Lexeme behind) {
        return behind.isSymbol(")") || behind.isSymbol(",") || isOperator(behind);
    }

    private static boolean isOperator(Lexeme lexeme) {
        return lexeme.kind() == Lexeme.Kind.SYMBOL
                && switch (lexeme.text()) {
                    case "(", ")", "[", "]", ",", ".", ";", ":", "::" -> false;
                    default -> true;
                };
    }
}
