package dev.fulmar.engine.table;

import dev.fulmar.engine.row.RowImage;
import dev.fulmar.engine.row.RowLayout;
import dev.fulmar.engine.undo.UndoLog;

/** Rows and indexes of one table on one partition. One thread. A failed operation leaves no trace. */
public final class TableStore {
    public RowLayout layout() {
        throw new UnsupportedOperationException();
    }

    /** The index with the catalog id. */
    public TableIndex index(int indexId) {
        throw new UnsupportedOperationException();
    }

    /** The index that enforces the primary key (hash if there is one, else ordered). Fails for a table without. */
    public TableIndex primaryIndex() {
        throw new UnsupportedOperationException();
    }

    public long rowCount() {
        throw new UnsupportedOperationException();
    }

    /** Inserts the image's row and returns its address. Fails with NOT_NULL_VIOLATION or UNIQUE_VIOLATION. */
    public long insert(RowImage image, UndoLog undo) {
        throw new UnsupportedOperationException();
    }

    /** Describes an update of the columns; good for this store until the table's indexes change. */
    public UpdateShape updateShape(int... columns) {
        throw new UnsupportedOperationException();
    }

    /**
     * Gives the shape's columns the image's values and returns the row's address, which differs only if the partitioning key moved to
     * another bucket. Fails with NOT_NULL_VIOLATION or UNIQUE_VIOLATION.
     */
    public long update(long row, RowImage image, UpdateShape shape, UndoLog undo) {
        throw new UnsupportedOperationException();
    }

    public void delete(long row, UndoLog undo) {
        throw new UnsupportedOperationException();
    }

    public ScanCursor newScan() {
        throw new UnsupportedOperationException();
    }

    public void open(ScanCursor cursor) {
        throw new UnsupportedOperationException();
    }

    /** Bytes of native memory of slots and blocks, without indexes. */
    public long usedBytes() {
        throw new UnsupportedOperationException();
    }
}
