package dev.fulmar.engine.table;

import dev.fulmar.engine.memory.OffHeap;
import dev.fulmar.engine.row.RowLayout;
import dev.fulmar.foundation.check.Invariants;
import java.util.function.IntPredicate;

/**
 * Checks that the counts, the free slots and the indexes of a table agree with its rows. Reads all of the table,
 * between two transactions.
 */
final class StoreVerifier {
    private final TableStore store;
    private final boolean hasGhosts;
    private final IntPredicate isRestoring;

    /**
     * @param hasGhosts whether rows that are gone are kept for readers, with their entries
     * @param isRestoring whether the bucket with a number is a staged one, whose rows an image brings
     */
    StoreVerifier(TableStore store, boolean hasGhosts, IntPredicate isRestoring) {
        this.store = store;
        this.hasGhosts = hasGhosts;
        this.isRestoring = isRestoring;
    }

    void verifyRows() {
        for (int number = 0; number < store.bucketCount(); number++) {
            checkRows(number);
            store.bucket(number).slots().checkFreeSlots();
        }
    }

    void verifyIndexes() {
        for (TableIndex index : store.indexArray()) {
            checkIndex(index);
        }
    }

    private void checkRows(int number) {
        Bucket bucket = store.bucket(number);
        SlotStore slots = bucket.slots();
        long rows = 0;
        for (int page = 0; page < slots.scannedPages(); page++) {
            long slot = slots.pageAddress(page);
            for (int i = slots.scannedSlots(page); i > 0; i--, slot += bucket.slotBytes()) {
                if (RowLayout.isVisible(slot)) {
                    rows++;
                    checkRow(number, slot);
                }
            }
        }
        Invariants.check(rows == bucket.rowCount(), "a bucket holds as many rows as it counts");
    }

    private void checkRow(int number, long row) {
        RowLayout layout = store.layout();
        Invariants.check(
                store.bucketOf(row) == number || isRestoring.test(number),
                "a row lies in the bucket of its partitioning key");
        Invariants.check(
                !layout.hasRowNumber()
                        || OffHeap.getLong(row + layout.rowNumberOffset())
                                < store.bucket(number).nextRowNumber(),
                "a bucket gives its next row a number above those of its rows");
        Invariants.check(RowLayout.commitTimestamp(row) != 0, "a row is committed where no transaction is under way");
    }

    private void checkIndex(TableIndex index) {
        index.verifyTrees();
        long entries = 0;
        ScanCursor cursor = store.newScan();
        cursor.open();
        for (long row = cursor.next(); row != 0; row = cursor.next()) {
            if (index.hasEntryFor(row)) {
                entries++;
                Invariants.check(
                        index.isOrdered() || index.finds(store.bucketOf(row), row),
                        "a hash index finds each row of its table by the row's key");
            }
        }
        Invariants.check(
                index.entryCount() == entries || (hasGhosts && index.entryCount() > entries),
                "an index has one entry for each row of its table, and others only for readers");
    }
}
