package dev.fulmar.engine.table;

import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.memory.BlockHeap;
import dev.fulmar.engine.row.RowLayout;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;

/**
 * A bucket that is in no partition: rows of all partitioned tables with their indexes, in memory of its own. No
 * transaction, scan, count or checkpoint sees it. One thread at a time.
 */
public final class DetachedBucket implements AutoCloseable {
    private final BlockHeap heap;
    private final Map<Integer, TableStore> tables = new TreeMap<>();

    DetachedBucket(BlockHeap heap, Collection<TableStore> tables) {
        this.heap = heap;
        tables.forEach(store -> this.tables.put(store.definition().id(), store));
    }

    /** The bucket's rows of the table, which {@link TableStore#adopt} adds to. */
    public TableStore table(int tableId) {
        TableStore store = tables.get(tableId);
        if (store == null) {
            throw new IllegalArgumentException("the bucket was made before there was a table " + tableId);
        }
        return store;
    }

    /** Its rows of all tables. */
    public long rowCount() {
        return tables.values().stream().mapToLong(TableStore::rowCount).sum();
    }

    /** Bytes of native memory. */
    public long reservedBytes() {
        return heap.reservedBytes();
    }

    BlockHeap heap() {
        return heap;
    }

    /** Whether it has rows of the same tables, with the same columns and indexes. */
    boolean isOf(Collection<TableStore> others) {
        return others.size() == tables.size()
                && others.stream().allMatch(store -> {
                    Table other = store.definition();
                    TableStore own = tables.get(other.id());
                    return own != null
                            && RowLayout.isSame(own.definition(), other)
                            && own.definition().partitioningColumn().equals(other.partitioningColumn())
                            && own.definition().indexes().equals(other.indexes());
                });
    }

    /** Frees some of its memory; returns whether that was the last. */
    boolean closeSome(int mostSlots) {
        for (TableStore store : tables.values()) {
            if (store.usedBytesWithIndexes() > 0 && !store.clearSome(mostSlots)) {
                return false;
            }
        }
        close();
        return true;
    }

    /** Frees its rows and its memory. */
    @Override
    public void close() {
        tables.values().forEach(TableStore::clear);
        heap.close();
    }
}
