package dev.fulmar.engine.table;

import dev.fulmar.engine.memory.OffHeap;
import dev.fulmar.engine.row.RowLayout;
import dev.fulmar.engine.undo.UndoTarget;
import dev.fulmar.foundation.check.Invariants;

/**
 * Undoes one table's changes for the undo log, and frees the rows, blocks and index entries that committed changes left
 * behind.
 */
final class TableUndo implements UndoTarget {
    private final TableStore table;
    private final BucketHistory history;
    private final RowLayout layout;

    TableUndo(TableStore table, BucketHistory history) {
        this.table = table;
        this.history = history;
        layout = table.layout();
    }

    /** The table that has the row: this one, or that of a bucket that has left the partition. */
    private TableStore home(long row) {
        DetachedBucket former = history.hasFormers() ? history.formerOf(row) : null;
        return former == null ? table : former.table(layout.table().id());
    }

    @Override
    public void undoInsert(long row, int detail) {
        int number = table.bucketOf(row);
        for (TableIndex index : table.indexArray()) {
            index.remove(number, row);
        }
        table.bucket(number).uncreate(row, detail);
    }

    @Override
    public void undoUpdate(long row, long payload, int detail) {
        if (detail == TableStore.REBUILT) {
            table.bucket(table.bucketOf(row)).freeBlockOf(row);
        }
        OffHeap.copy(payload, row, layout.slotBytes());
    }

    @Override
    public void undoDelete(long row) {
        RowLayout.setFlags(row, RowLayout.flags(row) & ~RowLayout.DELETED);
        table.bucket(table.bucketOf(row)).countRows(1);
    }

    @Override
    public void undoKeyChange(long row, long payload, int detail) {
        if (detail == TableStore.NEW_ENTRY) {
            TableIndex index = table.index(OffHeap.getInt(payload + TableStore.KEY_INDEX));
            boolean removed = index.remove(OffHeap.getInt(payload + TableStore.KEY_BUCKET), row);
            if (Invariants.EXPENSIVE) {
                Invariants.check(
                        removed || !index.hasEntryFor(row), "an index has the entry that a change of a key added");
            }
        }
    }

    @Override
    public void releaseUpdate(long row, long payload, int detail) {
        if (detail == TableStore.REBUILT) {
            TableStore home = home(row);
            home.bucket(home.bucketOf(row)).freeBlockOf(payload);
        }
        if (RowLayout.versionLink(row) == 0) {
            RowLayout.setFlags(row, RowLayout.flags(row) & ~RowLayout.STALE_ENTRIES);
        }
    }

    @Override
    public void releaseDelete(long row) {
        TableStore home = home(row);
        int number = home.bucketOf(row);
        for (TableIndex index : home.indexArray()) {
            index.remove(number, row);
        }
        if (Invariants.EXPENSIVE) {
            Invariants.check(
                    (RowLayout.flags(row) & RowLayout.DELETED) != 0, "a table frees only rows that were deleted");
        }
        home.bucket(number).beforeChange(row);
        home.bucket(number).destroy(row);
    }

    @Override
    public void releaseKeyChange(long row, long payload, boolean mayBeBack) {
        TableStore home = home(row);
        TableIndex index = home.index(OffHeap.getInt(payload + TableStore.KEY_INDEX));
        long words = payload + TableStore.KEY_HEADER_BYTES;
        int bucket = home == table ? OffHeap.getInt(payload + TableStore.KEY_BUCKET) : 0;
        int bits = OffHeap.getInt(payload + TableStore.KEY_BITS);
        if (bits > 0) {
            index.releaseStale(bucket, row, words, bits, mayBeBack);
        }
    }

    @Override
    public long updateHolds(long payload, int detail) {
        return detail == TableStore.REBUILT ? blockBytes(payload) : 0;
    }

    @Override
    public long deleteHolds(long row) {
        return (long) layout.slotBytes() + blockBytes(row);
    }

    @Override
    public long copyBlock(long row, long slot) {
        return table.bucket(table.bucketOf(row)).copyBlockOf(slot);
    }

    @Override
    public void freeCopy(long row, long slot, long block) {
        table.bucket(table.bucketOf(row)).freeBlock(block, blockBytes(slot));
    }

    @Override
    public long block(long slot) {
        return layout.hasVariableColumns() ? layout.block(slot) : 0;
    }

    @Override
    public int blockBytes(long slot) {
        return block(slot) == 0 ? 0 : layout.blockBytes(slot);
    }

    @Override
    public void setBlock(long slot, long block) {
        if (layout.hasVariableColumns()) {
            layout.setBlock(slot, block, layout.blockBytes(slot));
        }
    }

    @Override
    public int ownBlock() {
        return TableStore.REBUILT;
    }
}
