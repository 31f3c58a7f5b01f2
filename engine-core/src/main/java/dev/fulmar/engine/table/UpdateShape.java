package dev.fulmar.engine.table;

import dev.fulmar.engine.row.CellKind;
import dev.fulmar.engine.row.RowLayout;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;

/**
 * A set of columns that a statement changes, with what follows from it. Made once per statement by
 * {@link TableStore#updateShape}.
 */
public final class UpdateShape {
    private final int[] columns;
    private final int[] fixedColumns;
    private final int[] variableColumns;
    private final boolean mayMove;
    private TableIndex[] indexes = {};
    private long indexVersion = -1;

    UpdateShape(RowLayout layout, OptionalInt partitioningColumn, int... columns) {
        this.columns = columns.clone();
        fixedColumns = Arrays.stream(columns)
                .filter(column -> layout.kind(column) != CellKind.BYTES)
                .toArray();
        variableColumns = Arrays.stream(columns)
                .filter(column -> layout.kind(column) == CellKind.BYTES)
                .toArray();
        mayMove = partitioningColumn.isPresent() && changes(partitioningColumn.getAsInt());
    }

    /** Whether the column is one of those that change. */
    public boolean changes(int column) {
        for (int changed : columns) {
            if (changed == column) {
                return true;
            }
        }
        return false;
    }

    int[] columns() {
        return columns;
    }

    int[] fixedColumns() {
        return fixedColumns;
    }

    /** The changed columns of variable length. Not to be changed. */
    public int[] variableColumns() {
        return variableColumns;
    }

    /** Whether the partitioning key changes and with it perhaps the bucket. */
    boolean mayMove() {
        return mayMove;
    }

    /** The indexes with a changed key column. */
    TableIndex[] indexes(TableStore table) {
        if (indexVersion != table.indexVersion()) {
            List<TableIndex> affected = table.indexes().stream()
                    .filter(index -> changesKeyOf(table, index))
                    .toList();
            indexes = affected.toArray(TableIndex[]::new);
            indexVersion = table.indexVersion();
        }
        return indexes;
    }

    /** Whether the index has a changed key column. */
    boolean changesKeyOf(TableStore table, TableIndex index) {
        return Arrays.stream(columns).anyMatch(index.definition()::dependsOn) || endsWithChanged(table, index);
    }

    /** A key that alone does not tell rows apart ends with the primary key. */
    private boolean endsWithChanged(TableStore table, TableIndex index) {
        return index.isOrdered() && table.layout().table().primaryKey().stream().anyMatch(this::changes);
    }
}
