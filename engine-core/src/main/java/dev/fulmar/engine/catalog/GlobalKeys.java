package dev.fulmar.engine.catalog;

import java.util.List;

/**
 * Unique indexes of partitioned tables whose columns do not say where a row belongs: equal keys may be on different
 * partitions. A partition refuses those of its own rows that it sees; the steps of a statement refuse all others.
 */
public final class GlobalKeys {
    private GlobalKeys() {}

    /**
     * Whether the keys of the index are unique over all partitions although none of them could see that alone. A
     * successor gets rows whose keys are unique already.
     */
    public static boolean isGlobal(Index index, Table table) {
        return index.unique()
                && table.successorOf().isEmpty()
                && table.partitioningColumn().isPresent()
                && index.columns().stream()
                        .noneMatch(column ->
                                column.column() == table.partitioningColumn().getAsInt());
    }

    /** The table's global keys; of two indexes of its primary key one. */
    public static List<Index> of(Table table) {
        return table.indexes().stream()
                .filter(index -> isGlobal(index, table))
                .filter(index -> table.indexes().stream()
                        .takeWhile(other -> other.id() != index.id())
                        .noneMatch(other -> index.primary() && other.primary()))
                .toList();
    }
}
