package dev.fulmar.engine.table;

import dev.fulmar.engine.catalog.Check;
import dev.fulmar.engine.catalog.IndexColumn;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.index.KeyValue;
import dev.fulmar.engine.index.RowFilter;
import dev.fulmar.engine.row.RowLayout;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;

/** Compiles the conditions and computed keys of indexes. */
public interface IndexExpressions {
    /** Admits rows for which the condition is true. */
    RowFilter condition(Table table, RowLayout layout, Check condition);

    /** Computes the key, which is no column. */
    KeyValue value(Table table, RowLayout layout, IndexColumn key);

    /** For a storage whose indexes are of columns alone, and of all rows. */
    static IndexExpressions none() {
        return new IndexExpressions() {
            @Override
            public RowFilter condition(Table table, RowLayout layout, Check condition) {
                throw refused(table, "partial indexes");
            }

            @Override
            public KeyValue value(Table table, RowLayout layout, IndexColumn key) {
                throw refused(table, "computed keys");
            }
        };
    }

    private static FulmarException refused(Table table, String what) {
        return new FulmarException(
                ErrorCode.NOT_SUPPORTED, "this storage of table " + table.name() + " has no " + what);
    }
}
