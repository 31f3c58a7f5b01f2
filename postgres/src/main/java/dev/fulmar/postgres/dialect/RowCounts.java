package dev.fulmar.postgres.dialect;

/**
 * Counts behind LIMIT and OFFSET, which the engine takes as a number or a parameter. The cast of a parameter says
 * nothing that its place does not, and NULL and ALL are no limit.
 */
final class RowCounts {
    private RowCounts() {}

    static void replace(Words words) {
        for (int i = words.count() - 2; i >= 0; i--) {
            boolean isLimit = words.areAt(i, "LIMIT");
            if (!isLimit && !words.areAt(i, "OFFSET")) {
                continue;
            }
            if (words.areAt(i + 1, "NULL") || (isLimit && words.areAt(i + 1, "ALL"))) {
                words.replace(i, i + 2, "");
            } else if (words.at(i + 1).kind() == Lexeme.Kind.PARAMETER
                    && words.areAt(i + 2, "::")
                    && isWhole(words.at(i + 3).word())) {
                words.replace(i + 2, i + 4, "");
            }
        }
    }

    private static boolean isWhole(String type) {
        return switch (type) {
            case "INTEGER", "INT", "INT2", "INT4", "INT8", "SMALLINT", "BIGINT" -> true;
            default -> false;
        };
    }
}
