package dev.fulmar.postgres.dialect;

import java.util.Set;

/**
 * Words that say what is so anyway: texts are in the order of their bytes. These are {@code COLLATE "C"} and {@code
 * "default"}, and classes of operators of an index such as {@code text_pattern_ops}.
 */
final class CollationWords {
    private static final Set<String> COLLATIONS = Set.of("C", "default");
    private static final Set<String> CLASSES = Set.of(
            "TEXT_PATTERN_OPS",
            "VARCHAR_PATTERN_OPS",
            "BPCHAR_PATTERN_OPS",
            "TEXT_OPS",
            "VARCHAR_OPS",
            "INT4_OPS",
            "INT8_OPS",
            "NUMERIC_OPS");
    private static final Set<String> BEHIND_CLASS = Set.of("ASC", "DESC", "NULLS");

    private CollationWords() {}

    static void replace(Words words) {
        if (CatalogWords.isAboutCatalog(words)) {
            return; // whose names have a collation of their own
        }
        boolean isIndex = words.areAt(0, "CREATE", "INDEX") || words.areAt(0, "CREATE", "UNIQUE", "INDEX");
        for (int i = 1; i < words.count(); i++) {
            int name = words.areAt(i + 1, "PG_CATALOG", ".") ? i + 3 : i + 1;
            boolean isCollation = words.at(i).isWord("COLLATE")
                    && words.at(name).kind() == Lexeme.Kind.QUOTED
                    && COLLATIONS.contains(words.at(name).name());
            if (isCollation) {
                words.replace(i, name + 1, "");
                i--;
            } else if (isIndex && isClass(words, i)) {
                words.replace(i, i + 1, "");
                i--;
            }
        }
    }

    private static boolean isClass(Words words, int place) {
        Lexeme before = words.at(place - 1);
        Lexeme behind = words.at(place + 1);
        return CLASSES.contains(words.at(place).word())
                && (before.isName() || before.isSymbol(")"))
                && (behind.isSymbol(",") || behind.isSymbol(")") || BEHIND_CLASS.contains(behind.word()));
    }
}
