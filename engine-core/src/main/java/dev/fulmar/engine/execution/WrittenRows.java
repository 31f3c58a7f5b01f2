package dev.fulmar.engine.execution;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.row.RowImage;
import dev.fulmar.engine.table.PartitionStorage;
import dev.fulmar.engine.table.TableStore;
import dev.fulmar.engine.table.UpdateShape;
import dev.fulmar.engine.undo.UndoLog;
import org.jspecify.annotations.Nullable;

/**
 * Inserts, updates and deletes rows of one table for a statement, and updates the table's materialized views with each.
 */
final class WrittenRows {
    private final TableStore store;
    private final UndoLog undo;
    private final @Nullable MaintainedViews views;

    WrittenRows(ExecutionContext context, Catalog catalog, Table table) {
        PartitionStorage storage = context.requiredStorage();
        store = storage.table(table.id());
        undo = storage.undoLog();
        views = MaintainedViews.of(context, catalog, table);
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
        long row = store.insert(image, undo);
        if (views != null) {
            views.inserted(row);
        }
        return row;
    }

    long update(long row, RowImage image, UpdateShape shape) {
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
        store.delete(row, undo);
        if (views != null) {
            views.deleted(row);
        }
    }
}
