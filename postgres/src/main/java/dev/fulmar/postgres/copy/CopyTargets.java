package dev.fulmar.postgres.copy;

import dev.fulmar.engine.catalog.Table;
import dev.fulmar.foundation.data.ParameterWriter;
import dev.fulmar.postgres.dialect.CopyCommand;
import dev.fulmar.postgres.dialect.NameFolding;
import java.util.List;
import java.util.stream.Collectors;

/** Statements about the table of a COPY, in Fulmar's dialect. */
public final class CopyTargets {
    private static final int FIRST_BYTES = 64;
    private static final int MOST_BYTES = 1 << 20;

    private CopyTargets() {}

    /** The query for the rows of a table; without named columns of those that are not generated. */
    public static String query(CopyCommand.Table table) {
        String columns = table.columns().isEmpty()
                ? InsertTexts.quoted(Table.WRITTEN_COLUMNS)
                : table.columns().stream()
                        .map(NameFolding::mirrored)
                        .map(InsertTexts::quoted)
                        .collect(Collectors.joining(","));
        return "SELECT " + columns + " FROM " + table.sql();
    }

    /** An INSERT of one row. */
    public static String insert(CopyCommand.Table table, List<String> columns) {
        return new InsertTexts(table.sql(), columns).of(1);
    }

    /** A list of so many nulls. */
    public static byte[] nulls(int count) {
        ParameterWriter writer = new ParameterWriter(FIRST_BYTES, MOST_BYTES).begin();
        for (int i = 0; i < count; i++) {
            writer.addNull();
        }
        return writer.toByteArray();
    }
}
