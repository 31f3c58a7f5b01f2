package dev.fulmar.engine.table;

import dev.fulmar.engine.catalog.Check;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.index.RowFilter;
import dev.fulmar.engine.row.RowLayout;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;

/** Makes code of the conditions of partial indexes. */
@FunctionalInterface
public interface RowFilters {
    /** Admits rows for which the condition is true. */
    RowFilter of(Table table, RowLayout layout, Check condition);

    /** For a storage without partial indexes. */
    static RowFilters none() {
        return (table, layout, condition) -> {
            throw new FulmarException(
                    ErrorCode.NOT_SUPPORTED, "this storage of table " + table.name() + " has no partial indexes");
        };
    }
}
