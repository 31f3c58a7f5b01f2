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
            if (runtime.storage().hasTable(table.id())) {
                rows(table.name(), runtime.storage().table(table.id()), rows);
            }
        }
        Collections.sort(rows);
        return rows;
    }

    private static void rows(String name, TableStore table, List<String> rows) {
        ScanCursor cursor = table.newScan();
        table.open(cursor);
        for (long row = cursor.next(); row != 0; row = cursor.next()) {
            StringBuilder text = new StringBuilder(name);
            for (int column = 0; column < table.layout().columnCount(); column++) {
                text.append(' ').append(table.layout().getLong(row, column));
            }
            rows.add(text.toString());
        }
    }
}
