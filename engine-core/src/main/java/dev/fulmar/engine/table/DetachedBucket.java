package dev.fulmar.engine.table;

import dev.fulmar.engine.catalog.Column;
import dev.fulmar.engine.catalog.Index;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.memory.BlockHeap;
import dev.fulmar.engine.row.RowLayout;
import dev.fulmar.foundation.check.Invariants;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A bucket that is in no partition: rows of all partitioned tables with their indexes, in memory of its own. No
 * transaction, scan, count or checkpoint sees it. One thread at a time.
 */
public final class DetachedBucket implements AutoCloseable {
    /** Null once the bucket has become a partition's. */
    private @Nullable BlockHeap heap;

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

    /** Its rows are marked, and named in checkpoints, as those of the bucket of that number. */
    void join(int number, DirtyMarks marks) {
        tables.values().forEach(store -> store.bucket(0).join(store.layout(), number, marks));
    }

    /** Whether the row, which some bucket of the node has, is in its memory. */
    boolean has(long row) {
        return heap != null && heap.has(row);
    }

    /** No checkpoint that begins from now on has its rows. */
    void leaveCheckpoints() {
        tables.values().forEach(store -> store.bucket(0).setUnmarked(true));
    }

    /** Its rows by tables. */
    List<TableStore> tables() {
        return List.copyOf(tables.values());
    }

    /** Its rows of all tables. */
    public long rowCount() {
        return tables.values().stream().mapToLong(TableStore::rowCount).sum();
    }

    /** Bytes of native memory. */
    public long reservedBytes() {
        return heap == null ? 0 : heap.reservedBytes();
    }

    /** The bucket becomes a partition's, and this is nothing any more; its memory. */
    BlockHeap take() {
        BlockHeap taken = heap;
        if (taken == null) {
            throw Invariants.breach("a bucket becomes a partition's once");
        }
        heap = null;
        return taken;
    }

    /** Whether it has rows of the same tables, with the same columns and indexes. */
    boolean isOf(Collection<TableStore> others) {
        return others.size() == tables.size()
                && others.stream().allMatch(store -> {
                    Table other = store.definition();
                    TableStore own = tables.get(other.id());
                    return own != null
                            && RowLayout.isSame(own.definition(), other)
                            && areNullable(own.definition()).equals(areNullable(other))
                            && own.definition().partitioningColumn().equals(other.partitioningColumn())
                            && hasSame(own.definition().indexes(), other.indexes());
                });
    }

    private static List<Boolean> areNullable(Table table) {
        return table.columns().stream().map(Column::nullable).toList();
    }

    /** Whether the indexes are the same, whatever their names. */
    private static boolean hasSame(List<Index> indexes, List<Index> others) {
        return indexes.size() == others.size()
                && IntStream.range(0, indexes.size())
                        .allMatch(i ->
                                indexes.get(i).withName("").equals(others.get(i).withName("")));
    }

    /** Frees some of its memory; returns whether that was the last. Dropped tables may have memory in it before. */
    boolean closeSome(int mostSlots) {
        for (TableStore store : tables.values()) {
            if (store.usedBytesWithIndexes() > 0 && !store.clearSome(mostSlots)) {
                return false;
            }
        }
        if (heap != null && heap.usedBytes() > 0) {
            return false;
        }
        close();
        return true;
    }

    /** As {@link #closeSome}, where it has blocks that no row leads to any more. */
    boolean closeAtOnce(int mostSlots) {
        close();
        return true;
    }

    /** Frees its rows and its memory; does nothing if it has become a partition's. */
    @Override
    public void close() {
        BlockHeap own = heap;
        if (own != null) {
            tables.values().forEach(TableStore::clear);
            own.close();
            heap = null;
        }
    }
}
