package dev.fulmar.sql.ddl;

import dev.fulmar.engine.catalog.ForeignKey;
import dev.fulmar.engine.catalog.SchemaName;
import dev.fulmar.sql.text.SessionNames;
import java.util.List;
import java.util.Optional;

/** Parses what follows REFERENCES. */
final class ForeignKeyParser {
    private ForeignKeyParser() {}

    /** @param name of the constraint; made up of the columns if there is none */
    static ForeignKey parse(TokenReader reader, String table, Optional<String> name, List<String> columns) {
        boolean isPlain = !reader.isQualified(1);
        String written = reader.peek().name();
        String named = reader.objectName("a table name");
        boolean isItself = isPlain
                && (SchemaName.isInTemporary(table) || SessionNames.finds(table))
                && SchemaName.local(table).equals(written);
        String parent = isItself ? table : named;
        List<String> parentColumns = reader.peek().isSymbol("(") ? ColumnList.parse(reader) : List.of();
        ForeignKey.Action onDelete = ForeignKey.Action.NO_ACTION;
        ForeignKey.Action onUpdate = ForeignKey.Action.NO_ACTION;
        boolean more = true;
        while (more) {
            if (reader.accept("ON", "DELETE")) {
                onDelete = action(reader);
            } else if (reader.accept("ON", "UPDATE")) {
                onUpdate = action(reader);
            } else {
                more = false;
            }
        }
        String made = table + "_" + String.join("_", columns) + "_FOREIGN_KEY";
        return new ForeignKey(name.orElse(made), columns, parent, parentColumns, onDelete, onUpdate);
    }

    private static ForeignKey.Action action(TokenReader reader) {
        if (reader.accept("NO", "ACTION") || reader.accept("RESTRICT")) {
            return ForeignKey.Action.NO_ACTION;
        }
        if (reader.accept("CASCADE")) {
            return ForeignKey.Action.CASCADE;
        }
        if (reader.accept("SET", "NULL")) {
            return ForeignKey.Action.SET_NULL;
        }
        if (reader.accept("SET", "DEFAULT")) {
            return ForeignKey.Action.SET_DEFAULT;
        }
        throw reader.unexpected("NO ACTION, RESTRICT, CASCADE, SET NULL or SET DEFAULT");
    }
}
