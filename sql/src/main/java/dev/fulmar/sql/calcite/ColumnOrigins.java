package dev.fulmar.sql.calcite;

import dev.fulmar.engine.catalog.Aggregation;
import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.Column;
import dev.fulmar.engine.catalog.SchemaName;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.foundation.data.ColumnOrigin;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.validate.SqlValidator;
import org.jspecify.annotations.Nullable;

/** Finds the columns of tables whose values a query yields as they are. Those of views have none. */
final class ColumnOrigins {
    private ColumnOrigins() {}

    /** For each column of the query. */
    static List<Optional<ColumnOrigin>> of(SqlNode query, SqlValidator validator, Catalog catalog) {
        return validator.getFieldOrigins(query).stream()
                .map(path -> Optional.ofNullable(path == null ? null : origin(path, catalog)))
                .toList();
    }

    /** @param path schema, table and column; without the schema where the statement names none */
    private static @Nullable ColumnOrigin origin(List<String> path, Catalog catalog) {
        int last = path.size() - 1;
        if (last < 1 || last > 2) {
            return null;
        }
        String name = last == 1 ? path.getFirst() : SchemaName.qualified(path.getFirst(), path.get(1));
        Table table = catalog.tables().get(name);
        int column = table == null ? -1 : names(table).indexOf(path.getLast());
        return table == null || column < 0 ? null : new ColumnOrigin(table.id(), column);
    }

    private static List<String> names(Table table) {
        return table.aggregation()
                .map(kept ->
                        kept.outputs().stream().map(Aggregation.Output::name).toList())
                .orElseGet(
                        () -> table.visibleColumns().stream().map(Column::name).toList());
    }
}
