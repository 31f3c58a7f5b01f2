package dev.fulmar.engine.table;

import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.index.SearchRange;
import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * Looks whether the indexes of a partition say what its tables hold. Between two transactions; takes as long as the
 * tables are large.
 */
public final class TableCheck {
    private final PartitionStorage storage;
    private final List<String> defects = new ArrayList<>();

    private TableCheck(PartitionStorage storage) {
        this.storage = storage;
    }

    /** The defects of the tables; empty if there are none. */
    public static List<String> defects(PartitionStorage storage, Collection<Table> tables) {
        TableCheck check = new TableCheck(storage);
        tables.forEach(check::check);
        return check.defects;
    }

    private void check(Table table) {
        if (!storage.hasTable(table.id())) {
            defects.add("table " + table.name() + " has no rows and no indexes here, not even empty ones");
            return;
        }
        TableStore store = storage.table(table.id());
        ScanCursor cursor = store.newScan();
        cursor.open();
        long[] rows = all(cursor::next);
        if (rows.length != store.rowCount()) {
            defects.add("table " + table.name() + " counts " + store.rowCount() + " rows and has " + rows.length);
        }
        if (store.indexes().size() != table.indexes().size()) {
            defects.add("table " + table.name() + " has " + store.indexes().size() + " indexes of "
                    + table.indexes().size());
        }
        for (TableIndex index : store.indexes()) {
            check(store, index, rows);
        }
    }

    private void check(TableStore store, TableIndex index, long[] rows) {
        if (index.isOrdered()) {
            checkOrdered(index, Arrays.stream(rows).filter(index::hasEntryFor).toArray());
        } else {
            checkHashed(store, index, rows);
        }
        long entries = Arrays.stream(rows).filter(index::hasEntryFor).count();
        // Versions that are kept for readers keep entries of rows that are gone, until the log gives them back.
        if (!storage.undoLog().isRetaining() && index.entryCount() != entries) {
            defects.add(name(index) + " has " + index.entryCount() + " entries where it should have " + entries);
        }
    }

    private static String name(TableIndex index) {
        return "index " + index.definition().name() + " of table "
                + index.layout().table().name();
    }

    private void checkHashed(TableStore store, TableIndex index, long[] rows) {
        for (long row : rows) {
            if (index.hasEntryFor(row) && !index.finds(store.bucketOf(row), row)) {
                defects.add(name(index) + " does not find a row by its key");
                return;
            }
        }
    }

    private void checkOrdered(TableIndex index, long[] rows) {
        try {
            index.verifyTrees();
        } catch (FulmarException breach) {
            defects.add(name(index) + " is not a tree in order: " + breach.getMessage());
            return;
        }
        SearchRange range = index.newRange().reset();
        long[] forwards = walk(index, range, false);
        long[] backwards = walk(index, range, true);
        if (!Arrays.equals(sorted(forwards), sorted(rows))) {
            defects.add(name(index) + " yields " + forwards.length + " rows where the table has " + rows.length
                    + ", or others");
        }
        reverse(backwards);
        if (!Arrays.equals(forwards, backwards)) {
            defects.add(name(index) + " yields other rows backwards than forwards");
        }
    }

    private static long[] walk(TableIndex index, SearchRange range, boolean backwards) {
        IndexCursor cursor = index.newCursor();
        index.open(cursor, range, backwards);
        return all(cursor::next);
    }

    private static long[] all(LongSupplier next) {
        long[] rows = new long[16];
        int count = 0;
        for (long row = next.getAsLong(); row != 0; row = next.getAsLong()) {
            if (count == rows.length) {
                rows = Arrays.copyOf(rows, 2 * count);
            }
            rows[count++] = row;
        }
        return Arrays.copyOf(rows, count);
    }

    private static long[] sorted(long[] rows) {
        long[] sorted = rows.clone();
        Arrays.sort(sorted);
        return sorted;
    }

    private static void reverse(long[] rows) {
        for (int i = 0, j = rows.length - 1; i < j; i++, j--) {
            long row = rows[i];
            rows[i] = rows[j];
            rows[j] = row;
        }
    }
}
