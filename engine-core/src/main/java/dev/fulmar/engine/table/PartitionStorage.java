package dev.fulmar.engine.table;

import dev.fulmar.engine.catalog.Index;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.memory.ChunkSource;
import dev.fulmar.engine.partitioning.BucketMap;
import dev.fulmar.engine.undo.UndoLog;

/** All tables of one partition. One thread at a time; the node's {@link ChunkSource} behind it is shared. */
public final class PartitionStorage implements AutoCloseable {
    /** @param undoLimitBytes how much undo one transaction may collect before it fails with UNDO_LIMIT */
    public PartitionStorage(ChunkSource memory, BucketMap buckets, long undoLimitBytes) {
        throw new UnsupportedOperationException();
    }

    /** The undo log of the partition's transactions. */
    public UndoLog undoLog() {
        throw new UnsupportedOperationException();
    }

    /** The store of the table with the catalog id: an array access. Fails with UNKNOWN_OBJECT if there is none. */
    public TableStore table(int tableId) {
        throw new UnsupportedOperationException();
    }

    public void createTable(Table table) {
        throw new UnsupportedOperationException();
    }

    public void dropTable(int tableId) {
        throw new UnsupportedOperationException();
    }

    /** Builds the index over the rows that exist; on UNIQUE_VIOLATION or MEMORY_LIMIT nothing is left of it. {@code table} has the index. */
    public void createIndex(Table table, Index index) {
        throw new UnsupportedOperationException();
    }

    public void dropIndex(Table table, int indexId) {
        throw new UnsupportedOperationException();
    }

    /** Bytes of native memory reserved from the node for this partition. */
    public long reservedBytes() {
        throw new UnsupportedOperationException();
    }

    /** Gives all memory back. */
    @Override
    public void close() {
        throw new UnsupportedOperationException();
    }
}
