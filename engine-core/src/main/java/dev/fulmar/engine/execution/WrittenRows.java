package dev.fulmar.engine.execution;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.row.RowImage;
import dev.fulmar.engine.table.PartitionStorage;
import dev.fulmar.engine.table.TableStore;
import dev.fulmar.engine.table.UpdateShape;
import dev.fulmar.engine.undo.UndoLog;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import org.jspecify.annotations.Nullable;

/**
 * Inserts, updates and deletes rows of one table for a statement, and updates the table's materialized views with each.
 * Refuses to while the table's rows are copied to its successor.
 */
final class WrittenRows {
    private final TableStore store;
    private final UndoLog undo;
    private final @Nullable MaintainedViews views;
    private final Table table;
    private final boolean isClosed;

    WrittenRows(ExecutionContext context, Catalog catalog, Table table) {
        PartitionStorage storage = context.requiredStorage();
        store = storage.table(table.id());
        undo = storage.undoLog();
        views = MaintainedViews.of(context, catalog, table);
        this.table = table;
        isClosed = catalog.successor(table.name()).isPresent();
    }

    /** Every write of a row comes here, whatever statement, foreign key or clause makes it. */
    private void checkOpen() {
        if (isClosed) {
            throw new FulmarException(
                    ErrorCode.CATALOG_CHANGED,
                    "ALTER TABLE is placing the rows of " + table.name()
                            + " anew, so they do not change now; nothing was done, send the request again");
        }
    }

    TableStore store() {
        return store;
    }

    UndoLog undo() {
        return undo;
    }

    /** Whether a change of a row has others, so that it does not undo itself. */
    boolean hasViews() {
        return views != null;
    }

    /** The statement begins. */
    void begin() {
        if (views != null) {
            views.begin();
        }
    }

    /** The statement has changed all that it changes. */
    void finish() {
        if (views != null) {
            views.finish();
        }
    }

    long insert(RowImage image) {
        checkOpen();
        long row = store.insert(image, undo);
        if (views != null) {
            views.inserted(row);
        }
        return row;
    }

    long update(long row, RowImage image, UpdateShape shape) {
        checkOpen();
        MaintainedViews known = views;
        if (known == null || !known.areConcernedBy(shape)) {
            return store.update(row, image, shape, undo);
        }
        known.changing(row);
        long changed = store.update(row, image, shape, undo);
        known.changed(changed);
        return changed;
    }

    void delete(long row) {
        checkOpen();
        store.delete(row, undo);
        if (views != null) {
            views.deleted(row);
        }
    }
}
