package dev.fulmar.engine.table;

import dev.fulmar.engine.row.StoredRow;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Fills an empty partition with the rows of an image, which came from another node. Rows get slots one after another in
 * the order in which they come, whatever slots they had, so no sender can make this node reserve memory that no row
 * needs. Only staged rows keep theirs, by which later chunks name them. For the partition's thread.
 */
public final class ImageLoad {
    private final PartitionStorage storage;
    private final Map<Integer, long[]> nextSlots = new TreeMap<>();
    private long rows;

    /** Tables whose rows are not all in indexes yet; null before all rows are there. */
    private @Nullable ArrayDeque<TableStore> unindexed;

    private @Nullable ScanCursor cursor;

    /** @param storage has tables and no rows */
    public ImageLoad(PartitionStorage storage) {
        this.storage = storage;
    }

    /** Rows that were taken. */
    public long rows() {
        return rows;
    }

    /**
     * Takes a row; refuses what is none of the table. Whether the partition has the table the caller knows.
     *
     * @param slot of the row at the source
     * @param array holds the image, in the form of {@link StoredRow}
     */
    public void row(int tableId, int bucket, long slot, byte[] array, int offset, int length) {
        TableStore store = storage.table(tableId);
        boolean isStaged = storage.moves().isRestoring(bucket);
        if (bucket < 0
                || bucket >= store.bucketCount()
                || (isStaged && (slot < 0 || slot > Integer.MAX_VALUE))
                || !StoredRow.isWhole(store.layout(), array, offset, length)) {
            throw new FulmarException(
                    ErrorCode.MALFORMED_REQUEST,
                    "a node sent " + length + " bytes for bucket " + bucket + " of table "
                            + store.definition().name()
                            + ", which cannot be a row there; see whether that node is of the"
                            + " same cluster and version");
        }
        long[] next = nextSlots.get(tableId);
        if (next == null) {
            Invariants.check(store.rowCount() == 0, "a copy loads an image into tables without rows");
            storage.loadsImage(true);
            next = new long[store.bucketCount()];
            nextSlots.put(tableId, next);
        }
        long place = isStaged ? slot : next[bucket]++;
        long row = store.restore(bucket, place, array, offset, length);
        storage.marks().placed(store.bucket(bucket), row);
        rows++;
    }

    /** Puts some of the rows into the indexes, all rows being there; returns whether none is left. */
    public boolean index(int mostRows) {
        ArrayDeque<TableStore> stores = unindexed;
        if (stores == null) {
            storage.moves().finishRestore();
            stores = new ArrayDeque<>(storage.stores());
            storage.moves().stores().forEach(TableStore::freeUnused);
            stores.addAll(storage.moves().stores());
            unindexed = stores;
        }
        int left = mostRows;
        while (left > 0 && !stores.isEmpty()) {
            TableStore store = stores.getFirst();
            ScanCursor open = cursor;
            if (open == null) {
                open = store.newScan();
                store.open(open);
                cursor = open;
            }
            long row = open.next();
            while (row != 0 && left > 0) {
                store.index(open.bucket(), row);
                left--;
                row = left > 0 ? open.next() : 0;
            }
            if (left > 0) {
                stores.removeFirst();
                cursor = null;
            }
        }
        if (!stores.isEmpty()) {
            return false;
        }
        storage.loadsImage(false);
        storage.checkTables();
        return true;
    }
}
