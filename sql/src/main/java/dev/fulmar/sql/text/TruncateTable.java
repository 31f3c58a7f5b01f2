package dev.fulmar.sql.text;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.ForeignKey;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.foundation.error.ErrorCode;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * TRUNCATE TABLE, which is a DELETE of all rows. PostgreSQL's clients have {@code BESIDE a, b} behind it, the tables
 * that are emptied together: no other one may refer to the table, whatever its rows do.
 */
public final class TruncateTable {
    private static final String DELETE = "DELETE FROM";
    private static final int NAME = 2;

    private TruncateTable() {}

    /** The statement as a DELETE, the table's name staying in its place; any other statement as it is. */
    public static String asDelete(String sql, List<Token> tokens, Catalog catalog) {
        Token first = tokens.getFirst();
        if (!first.isWord("TRUNCATE")) {
            return sql;
        }
        Token table = tokens.get(1);
        if (!table.isWord("TABLE")) {
            throw SqlErrors.syntax(table.position(), "TRUNCATE TABLE name empties a table");
        }
        int behind = NAME + QualifiedName.length(tokens, NAME);
        Token next = tokens.get(Math.min(behind, tokens.size() - 1));
        if (next.isWord("BESIDE")) {
            checkReferences(tokens, behind + 1, catalog);
        } else if (next.kind() != Token.Kind.END) {
            throw SqlErrors.syntax(
                    next.position(),
                    "TRUNCATE TABLE empties one table wholly; DELETE FROM with a condition removes some rows");
        }
        String between = sql.substring(first.start(), table.end());
        String blank = between.replaceAll("[^\n]", " ");
        return sql.substring(0, first.start())
                + DELETE
                + blank.substring(DELETE.length())
                + sql.substring(table.end(), next.start())
                + sql.substring(next.start()).replaceAll("[^\n]", " ");
    }

    private static void checkReferences(List<Token> tokens, int beside, Catalog catalog) {
        Token table = QualifiedName.at(tokens, NAME);
        Set<String> emptied = new TreeSet<>();
        for (int i = beside; i < tokens.size() && tokens.get(i).kind() != Token.Kind.END; ) {
            emptied.add(QualifiedName.at(tokens, i).name());
            i += QualifiedName.length(tokens, i) + 1; // and a comma
        }
        for (Table other : catalog.tables().values()) {
            for (ForeignKey key : other.foreignKeys()) {
                if (key.parent().equals(table.name()) && !emptied.contains(other.name())) {
                    throw SqlErrors.at(
                            ErrorCode.NOT_SUPPORTED,
                            table.position(),
                            "table " + other.name() + " refers to " + table.name() + " by the foreign key " + key.name()
                                    + "; TRUNCATE both together, or DELETE the rows");
                }
            }
        }
    }
}
