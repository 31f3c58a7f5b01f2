package dev.fulmar.postgres.dialect;

import java.util.Map;
import java.util.Set;

/** Calls of functions that leave NULLs out, which the engine's own of these names do not. */
final class FunctionWords {
    /** The engine's functions, under names that no client writes. */
    private static final Map<String, String> NAMES =
            Map.of("CONCAT", "\"#CONCAT\"", "GREATEST", "\"#GREATEST\"", "LEAST", "\"#LEAST\"");

    /** Words before the name of a table, view, alias or procedure, which columns or arguments may follow. */
    private static final Set<String> BEFORE_NAMES = Set.of(
            "INTO",
            "TABLE",
            "EXISTS",
            "REFERENCES",
            "VIEW",
            "AS",
            "WITH",
            "RECURSIVE",
            "COPY",
            "ANALYZE",
            "CALL",
            "PREPARE",
            "EXECUTE");

    private FunctionWords() {}

    static void replace(Words words) {
        for (int i = 0; i < words.count(); i++) {
            String function = NAMES.get(words.at(i).word());
            if (function != null && words.areAt(i + 1, "(") && isCall(words, i)) {
                words.replace(words.areAt(i - 2, "PG_CATALOG", ".") ? i - 2 : i, i + 1, function);
            }
        }
    }

    private static boolean isCall(Words words, int place) {
        Lexeme before = words.at(place - 1);
        return (!before.isSymbol(".") || words.areAt(place - 2, "PG_CATALOG"))
                && !BEFORE_NAMES.contains(before.word())
                && !(before.isSymbol(",") && isQueryBehind(words, place))
                && !(before.isWord("ON") && words.areAt(0, "CREATE"));
    }

    /** Whether the name is one of WITH: {@code , name (columns) AS (SELECT ...)}. */
    private static boolean isQueryBehind(Words words, int place) {
        int behind = words.closing(place + 1) + 1;
        return words.areAt(behind, "AS", "(")
                || words.areAt(behind, "AS", "MATERIALIZED")
                || words.areAt(behind, "AS", "NOT", "MATERIALIZED");
    }
}
