package dev.fulmar.sql.text;

import java.util.List;

/** TRUNCATE TABLE, which is a DELETE of all rows. */
public final class TruncateTable {
    private static final String DELETE = "DELETE FROM";
    private static final int WORDS = 4;

    private TruncateTable() {}

    /** The statement as a DELETE, the table's name staying in its place; any other statement as it is. */
    public static String asDelete(String sql, List<Token> tokens) {
        Token first = tokens.getFirst();
        if (!first.isWord("TRUNCATE")) {
            return sql;
        }
        Token table = tokens.get(1);
        if (!table.isWord("TABLE")) {
            throw SqlErrors.syntax(table.position(), "TRUNCATE TABLE name empties a table");
        }
        int words = WORDS - 1 + QualifiedName.length(tokens, 2);
        if (tokens.size() > words) {
            throw SqlErrors.syntax(
                    tokens.get(words - 1).position(),
                    "TRUNCATE TABLE empties one table wholly; DELETE FROM with a condition removes some rows");
        }
        String between = sql.substring(first.start(), table.end());
        String blank = between.replaceAll("[^\n]", " ");
        return sql.substring(0, first.start()) + DELETE + blank.substring(DELETE.length()) + sql.substring(table.end());
    }
}
