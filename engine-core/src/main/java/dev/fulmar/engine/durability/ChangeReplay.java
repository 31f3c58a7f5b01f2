package dev.fulmar.engine.durability;

import dev.fulmar.engine.table.PartitionStorage;
import dev.fulmar.engine.undo.ChangeKind;
import dev.fulmar.engine.undo.UndoLog;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Replays row images on a partition. One thread. */
public final class ChangeReplay {
    private final PartitionStorage storage;
    private @Nullable TableReplay[] tables = {};

    /** Of the storage when the tables were found; rows may lie elsewhere after another change. */
    private long shape;

    public ChangeReplay(PartitionStorage storage) {
        this.storage = storage;
    }

    /** Forgets what it knows of the tables; to be called after their definitions changed. */
    public void tablesChanged() {
        tables = new TableReplay[0];
    }

    /**
     * Makes the images' changes, final at once with the commit timestamp, or none if one fails; returns how many rows
     * they were.
     */
    public int apply(byte[] array, int offset, int end, long commitTimestamp) {
        UndoLog undo = storage.undoLog();
        try {
            int rows = apply(new ImageReader(array, offset, end), undo);
            undo.commit(commitTimestamp);
            return rows;
        } catch (FulmarException failed) {
            undo.rollback();
            tablesChanged();
            throw failed;
        }
    }

    private int apply(ImageReader in, UndoLog undo) {
        forgetOtherShapes();
        int rows = 0;
        while (in.hasMore()) {
            int kind = in.getByte();
            TableReplay table = table(in.getInt());
            switch (kind) {
                case ImageKind.DELETE -> table.delete(in, undo);
                case ImageKind.UPDATE -> table.update(in, undo);
                case ImageKind.INSERT -> table.insert(in, undo);
                case ImageKind.NUMBER -> table.pass(in);
                default ->
                    throw new FulmarException(
                            ErrorCode.CORRUPTION, "a row image of the unknown kind " + kind + " is in the log");
            }
            rows++;
        }
        return rows;
    }

    /**
     * Takes notice of what something else than images changed since the undo log was empty; before it is made final.
     */
    public void observe() {
        forgetOtherShapes();
        for (TableReplay table : tables) {
            if (table != null && table.knowsNumbers()) {
                storage.undoLog().visitSince(0, this::observe);
                return;
            }
        }
    }

    private void forgetOtherShapes() {
        if (shape != storage.shapeChanges()) {
            shape = storage.shapeChanges();
            tablesChanged();
        }
    }

    private void observe(ChangeKind kind, int tableId, long row, long payload) {
        TableReplay known = tableId < tables.length ? tables[tableId] : null;
        if (known != null) {
            known.observe(kind, row);
        }
    }

    private TableReplay table(int tableId) {
        TableReplay known = tableId >= 0 && tableId < tables.length ? tables[tableId] : null;
        if (known == null) {
            if (!storage.hasTable(tableId)) {
                throw new FulmarException(
                        ErrorCode.CORRUPTION, "a row image of table " + tableId + " is in the log, but no such table");
            }
            known = new TableReplay(storage.table(tableId));
            tables = Arrays.copyOf(tables, Math.max(tables.length, tableId + 1));
            tables[tableId] = known;
        }
        return known;
    }
}
