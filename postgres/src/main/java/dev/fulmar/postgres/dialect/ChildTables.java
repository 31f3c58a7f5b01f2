package dev.fulmar.postgres.dialect;

import java.util.Set;

/**
 * The word {@code ONLY} before a table's name, as {@code pg_dump} writes it: the table without those that inherit from
 * it. No table has such children here, so the word means nothing.
 */
final class ChildTables {
    /** Words behind which a table is named. */
    private static final Set<String> BEFORE_TABLE =
            Set.of("TABLE", "EXISTS", "FROM", "JOIN", "UPDATE", "TRUNCATE", "ON", "USING", "LOCK");

    private ChildTables() {}

    static void replace(Words words) {
        for (int i = 1; i < words.count(); i++) {
            boolean isBeforeTable = BEFORE_TABLE.contains(words.at(i - 1).word())
                    || words.at(i - 1).isSymbol(",");
            if (isBeforeTable && words.at(i).isWord("ONLY") && words.at(i + 1).isName()) {
                words.replace(i, i + 1, "");
            }
        }
    }
}
