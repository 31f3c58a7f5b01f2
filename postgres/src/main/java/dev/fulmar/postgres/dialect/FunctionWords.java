package dev.fulmar.postgres.dialect;

import java.util.Set;

/** Calls of functions that the engine has under these names too, but with another meaning. */
final class FunctionWords {
    /** The engine's functions, under names that no client writes. */
    private static final Set<String> NAMES = Set.of("CONCAT", "GREATEST", "LEAST", "LEFT", "RIGHT", "ENCODE", "DECODE");

    /** Those of numbers, which yield numerics here, and aggregates. */
    private static final Set<String> OF_NUMERICS = Set.of(
            "SQRT",
            "EXP",
            "LN",
            "LOG",
            "LOG10",
            "POWER",
            "POW",
            "ROUND",
            "TRUNC",
            "SIGN",
            "GCD",
            "LCM",
            "DIV",
            "FACTORIAL",
            "WIDTH_BUCKET",
            "TO_NUMBER");

    private static final Set<String> AGGREGATES =
            Set.of("SUM", "AVG", "STDDEV", "STDDEV_SAMP", "STDDEV_POP", "VARIANCE", "VAR_SAMP", "VAR_POP");

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
        boolean isOfUsers = NumericWords.isOfUsers(words);
        boolean isKept = words.areAt(0, "CREATE", "MATERIALIZED"); // whose sums and averages are kept as they are
        for (int i = 0; i < words.count(); i++) {
            String function = words.at(i).word();
            boolean isKnown = NAMES.contains(function)
                    || (!isOfUsers && OF_NUMERICS.contains(function))
                    || (!isOfUsers && !isKept && AGGREGATES.contains(function));
            if (isKnown && words.areAt(i + 1, "(") && isCall(words, i) && !isPlainEnd(words, i)) {
                String name = nameOf(function);
                words.replace(words.areAt(i - 2, "PG_CATALOG", ".") ? i - 2 : i, i + 1, "\"#" + name + "\"");
            }
        }
    }

    /** The name behind the mark. #TRUNC is of moments, and #ROUND was of earlier builds, which rounded halves up. */
    private static String nameOf(String function) {
        return switch (function) {
            case "TRUNC" -> "CUT";
            case "ROUND" -> "ROUND EVEN";
            default -> function;
        };
    }

    /** Whether this is LEFT or RIGHT by a plain number, of which the engine's own means the same. */
    private static boolean isPlainEnd(Words words, int place) {
        int end = words.closing(place + 1);
        boolean isEnd = words.at(place).isWord("LEFT") || words.at(place).isWord("RIGHT");
        return isEnd
                && words.at(end - 1).kind() == Lexeme.Kind.NUMBER
                && words.at(end - 2).isSymbol(",");
    }

    static boolean isCall(Words words, int place) {
        Lexeme before = words.at(place - 1);
        return (!before.isSymbol(".") || words.areAt(place - 2, "PG_CATALOG"))
                && !BEFORE_NAMES.contains(before.word())
                && !(before.isSymbol(",") && isQueryBehind(words, place))
                && !(before.isWord("ON") && isIndex(words));
    }

    /** Whether the word behind ON is the name of an index's table; elsewhere a condition of a join follows. */
    private static boolean isIndex(Words words) {
        return words.areAt(0, "CREATE", "INDEX") || words.areAt(0, "CREATE", "UNIQUE", "INDEX");
    }

    /** Whether the name is one of WITH: {@code , name (columns) AS (SELECT ...)}. */
    private static boolean isQueryBehind(Words words, int place) {
        int behind = words.closing(place + 1) + 1;
        return words.areAt(behind, "AS", "(")
                || words.areAt(behind, "AS", "MATERIALIZED")
                || words.areAt(behind, "AS", "NOT", "MATERIALIZED");
    }
}
