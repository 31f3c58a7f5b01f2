package dev.fulmar.simulator.cluster;

import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.table.ScanCursor;
import dev.fulmar.engine.table.TableStore;
import java.util.function.LongPredicate;

/**
 * Rows as their number and a digest that does not depend on their order. For tables whose columns are all integers.
 *
 * @param count of rows
 * @param digest of their tables and columns
 */
record MovedRows(long count, long digest) {
    static final MovedRows NONE = new MovedRows(0, 0);

    private static final long FACTOR = 0x9e3779b97f4a7c15L;

    /** These, and those of the store that are to be counted. */
    MovedRows and(Table table, TableStore store, LongPredicate isCounted) {
        long rows = count;
        long sum = digest;
        ScanCursor cursor = store.newScan();
        store.open(cursor);
        for (long row = cursor.next(); row != 0; row = cursor.next()) {
            if (isCounted.test(row)) {
                rows++;
                sum += digest(table, store, row);
            }
        }
        return new MovedRows(rows, sum);
    }

    private static long digest(Table table, TableStore store, long row) {
        long mixed = table.id();
        for (int column = 0; column < store.layout().columnCount(); column++) {
            long value = table.columns().get(column).isRowId()
                    ? store.layout().wideLow(row, column)
                    : store.layout().getLong(row, column);
            mixed = (mixed ^ value) * FACTOR;
            mixed ^= mixed >>> 29;
        }
        return mixed;
    }
}
