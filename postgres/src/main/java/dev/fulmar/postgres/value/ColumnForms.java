package dev.fulmar.postgres.value;

import dev.fulmar.foundation.data.ResultColumn;
import dev.fulmar.postgres.dialect.NameFolding;
import dev.fulmar.wire.postgres.message.FieldDescription;
import dev.fulmar.wire.postgres.message.ValueFormats;
import dev.fulmar.wire.postgres.type.PostgresType;
import java.util.ArrayList;
import java.util.List;

/** Columns of results as clients of PostgreSQL hear of them. */
public final class ColumnForms {
    private ColumnForms() {}

    /**
     * Descriptions of the columns.
     *
     * @param names for columns that the statement has not named
     * @param formats that the client has asked for
     */
    public static List<FieldDescription> fields(List<ResultColumn> columns, List<String> names, ValueFormats formats) {
        List<String> shown = names(columns, names);
        List<FieldDescription> fields = new ArrayList<>();
        for (ResultColumn column : columns) {
            fields.add(new FieldDescription(
                    shown.get(fields.size()),
                    column.origin()
                            .map(origin -> PostgresType.ownOid(origin.table()))
                            .orElse(0),
                    column.origin().map(origin -> origin.column() + 1).orElse(0),
                    PostgresType.oid(column.type()),
                    PostgresType.size(column.type()),
                    PostgresType.modifier(column.type()),
                    formats.at(fields.size())));
        }
        return fields;
    }

    /**
     * The names of the columns, as clients know them.
     *
     * @param names for columns that the statement has not named
     */
    public static List<String> names(List<ResultColumn> columns, List<String> names) {
        List<String> known = columns.size() == names.size() ? names : List.of();
        List<String> shown = new ArrayList<>();
        for (ResultColumn column : columns) {
            shown.add(name(column.name(), shown.size(), known));
        }
        return shown;
    }

    /** The engine calls columns without a name C1, C2 and so on. */
    private static String name(String name, int place, List<String> names) {
        boolean isUnnamed = place < names.size() && !names.get(place).isEmpty() && name.equals("C" + (place + 1));
        return isUnnamed ? names.get(place) : NameFolding.mirrored(name);
    }
}
