package dev.fulmar.postgres.dialect;

/**
 * Counts behind LIMIT, OFFSET and FETCH, which the engine takes as a number or a parameter. The cast of a parameter
 * says nothing that its place does not, and NULL and ALL are no limit. FETCH without a count takes one row.
 */
final class RowCounts {
    private RowCounts() {}

    /** TIES of a clause that yields nothing if the count is 0; to earlier builds it was equal rows behind an OFFSET. */
    private static final String TIES = "\"#TIES\"";

    static void replace(Words words) {
        for (int i = words.count() - 2; i >= 0; i--) {
            if (words.areAt(i, "FETCH", "FIRST") || words.areAt(i, "FETCH", "NEXT")) {
                fetch(words, i + 2);
                continue;
            }
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

    /** Leaves statements out that fetch from cursors. */
    private static void fetch(Words words, int place) {
        if (isRows(words, place)) {
            if (isEnd(words, place + 1)) {
                words.insert(place, "1");
                ties(words, place + 2);
            }
            return;
        }
        boolean isInside = words.areAt(place, "(") && words.closing(place) == place + 2;
        int rows = place + (isInside ? 3 : 1);
        if (isRows(words, rows) && isEnd(words, rows + 1)) {
            ties(words, rows + 1);
            if (isInside) {
                words.replace(place + 2, place + 3, "");
                words.replace(place, place + 1, "");
            }
        }
    }

    private static boolean isRows(Words words, int place) {
        return words.areAt(place, "ROW") || words.areAt(place, "ROWS");
    }

    private static boolean isEnd(Words words, int place) {
        return words.areAt(place, "ONLY") || words.areAt(place, "WITH", "TIES");
    }

    private static void ties(Words words, int place) {
        if (words.areAt(place, "WITH", "TIES")) {
            words.replace(place + 1, place + 2, TIES);
        }
    }

    private static boolean isWhole(String type) {
        return switch (type) {
            case "INTEGER", "INT", "INT2", "INT4", "INT8", "SMALLINT", "BIGINT" -> true;
            default -> false;
        };
    }
}
