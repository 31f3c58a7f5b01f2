package dev.fulmar.sql.ddl;

import dev.fulmar.sql.text.SqlErrors;
import dev.fulmar.sql.text.Token;
import java.util.ArrayList;
import java.util.List;

/** Reads the columns of a key. */
final class ColumnList {
    private ColumnList() {}

    static List<String> parse(TokenReader reader) {
        reader.expectSymbol("(");
        List<String> names = new ArrayList<>();
        do {
            Token token = reader.peek();
            String name = reader.name("a column name");
            if (names.contains(name)) {
                throw SqlErrors.syntax(token.position(), "column " + name + " is named twice");
            }
            names.add(name);
        } while (reader.acceptSymbol(","));
        reader.expectSymbol(")");
        return names;
    }

    /** The name of a unique constraint that was given none. */
    static String uniqueName(String table, List<String> columns) {
        return table + "_" + String.join("_", columns) + "_UNIQUE";
    }
}
