package dev.fulmar.postgres.dialect;

import java.util.Locale;
import java.util.Set;

/** Casts to types of text of values, whose text is PostgreSQL's: {@code true} and not {@code TRUE}. */
final class TextCasts {
    /** The engine's function, under a name that no client writes. */
    private static final String FUNCTION = "\"#TEXT\"";

    private static final Set<String> TYPES = Set.of("TEXT", "VARCHAR", "CHARACTER", "CHAR", "BPCHAR");

    private TextCasts() {}

    static void replace(Words words) {
        for (int i = 0; i < words.count(); i++) {
            if (words.areAt(i, "CAST", "(")) {
                int end = words.closing(i + 1);
                int as = words.outside(i + 2, end, "AS");
                if (as < end && isText(words, as + 1, end) && !isUntyped(words, i + 2, as)) {
                    replace(words, i, as, end);
                }
            }
        }
    }

    /** A type without a length needs the function alone; the others cut what it yields. */
    private static void replace(Words words, int cast, int as, int end) {
        boolean isWhole = end - as == 2
                && (words.at(as + 1).isWord("TEXT") || words.at(as + 1).isWord("VARCHAR"));
        if (isWhole) {
            words.replace(as, end, "");
            words.replace(cast, cast + 1, FUNCTION);
        } else {
            words.insert(as, ")");
            words.insert(cast + 2, "(");
            words.insert(cast + 2, FUNCTION);
        }
    }

    private static boolean isText(Words words, int type, int end) {
        String name = words.at(type).text().toUpperCase(Locale.ROOT);
        boolean isText = TYPES.contains(name) || name.startsWith("VARCHAR(");
        return isText && !words.at(end - 1).isSymbol("]");
    }

    /** Whether the operand takes its type from the cast. */
    private static boolean isUntyped(Words words, int from, int to) {
        return to - from == 1
                && switch (words.at(from).kind()) {
                    case STRING, ESCAPED, DOLLAR, PARAMETER -> true;
                    case WORD -> words.at(from).isWord("NULL");
                    default -> false;
                };
    }
}
