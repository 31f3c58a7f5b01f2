package dev.fulmar.engine.execution;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.engine.row.RowImage;
import dev.fulmar.engine.row.RowLayout;
import dev.fulmar.engine.spi.DataAccess;
import dev.fulmar.engine.table.TableStore;
import dev.fulmar.engine.undo.UndoLog;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;

/**
 * Gives INSERT, UPDATE and DELETE access to their target table, and checks that a written row belongs to the partition.
 */
final class TableWriter {
    private final ExecutionContext context;
    private final Table table;
    private final TableStore store;
    private final UndoLog undo;
    private final RowLayout layout;
    private final RowImage image;
    private final int partitioningColumn;
    private final WrittenRows rows;

    TableWriter(ExecutionContext context, Catalog catalog, Table table) {
        this.context = context;
        this.table = table;
        rows = new WrittenRows(context, catalog, table);
        store = rows.store();
        undo = rows.undo();
        layout = store.layout();
        image = new RowImage(layout);
        partitioningColumn = table.partitioningColumn().orElse(-1);
    }

    /** Changes of its rows. */
    WrittenRows rows() {
        return rows;
    }

    Table table() {
        return table;
    }

    TableStore store() {
        return store;
    }

    UndoLog undo() {
        return undo;
    }

    RowLayout layout() {
        return layout;
    }

    /** The row that is put together. */
    RowImage image() {
        return image;
    }

    int partitioningColumn() {
        return partitioningColumn;
    }

    /** Whether the image's row belongs to this partition; ends the statement if the partition's guard says so. */
    boolean ownsImage() {
        PartitionPlan plan = context.partitionPlan();
        boolean isOwn = partitioningColumn < 0
                || plan.partitionCount() == 1
                || PartitionKey.partition(plan, layout, image.address(), partitioningColumn) == context.partition();
        DataAccess access = context.dataAccess();
        if (access != null && isOwn && partitioningColumn >= 0) {
            PartitionKey.require(access, plan, layout, image.address(), partitioningColumn);
        }
        return isOwn;
    }

    PartitionMismatch mismatch() {
        return new PartitionMismatch("a row for table " + table.name() + " belongs to another partition");
    }

    /** Fails if an update moves the image's row away. */
    void checkStays() {
        if (!ownsImage()) {
            throw new FulmarException(
                    ErrorCode.NOT_SUPPORTED,
                    "the UPDATE would move a row of " + table.name()
                            + " to another partition; DELETE the row and INSERT it with its new key");
        }
    }
}
