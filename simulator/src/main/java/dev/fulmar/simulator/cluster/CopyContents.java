package dev.fulmar.simulator.cluster;

import dev.fulmar.coordinator.transaction.PartitionRuntime;
import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.table.ScanCursor;
import dev.fulmar.engine.table.TableStore;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The rows of a copy as text that is the same for equal copies. For tables whose columns are all integers. */
final class CopyContents {
    private CopyContents() {}

    /** @param catalog the newest; a copy that follows need not know it, but has the tables */
    static List<String> of(PartitionRuntime runtime, Catalog catalog) {
        List<String> rows = new ArrayList<>();
        for (Table table : catalog.tables().values()) {
            for (long[] row : of(runtime, table)) {
                StringBuilder text = new StringBuilder(table.name());
                for (long column : row) {
                    text.append(' ').append(column);
                }
                rows.add(text.toString());
            }
        }
        Collections.sort(rows);
        return rows;
    }

    /** The rows of the table, in no order; none if it is not there. */
    static List<long[]> of(PartitionRuntime runtime, Table table) {
        List<long[]> rows = new ArrayList<>();
        if (!runtime.storage().hasTable(table.id())) {
            return rows;
        }
        TableStore store = runtime.storage().table(table.id());
        ScanCursor cursor = store.newScan();
        store.open(cursor);
        for (long row = cursor.next(); row != 0; row = cursor.next()) {
            long[] columns = new long[store.layout().columnCount()];
            for (int column = 0; column < columns.length; column++) {
                columns[column] = store.layout().getLong(row, column);
            }
            rows.add(columns);
        }
        return rows;
    }
}
