package dev.fulmar.engine.durability;

import dev.fulmar.engine.table.PartitionStorage;
import dev.fulmar.engine.undo.UndoLog;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.HashMap;
import java.util.Map;

/** Does to a partition again what images tell. One thread. */
public final class ChangeReplay {
    private final PartitionStorage storage;
    private final Map<Integer, TableReplay> tables = new HashMap<>();

    public ChangeReplay(PartitionStorage storage) {
        this.storage = storage;
    }

    /** Forgets what it knows of the tables; to be called after their definitions changed. */
    public void tablesChanged() {
        tables.clear();
    }

    /** Makes the images' changes, final at once with the commit timestamp; returns how many rows they were. */
    public int apply(byte[] array, int offset, int end, long commitTimestamp) {
        ImageReader in = new ImageReader(array, offset, end);
        UndoLog undo = storage.undoLog();
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
        undo.commit(commitTimestamp);
        return rows;
    }

    /** Takes notice of what something else than images changed since the undo log was empty; before it is made final. */
    public void observe() {
        if (tables.values().stream().anyMatch(TableReplay::knowsNumbers)) {
            storage.undoLog().visitSince(0, (kind, table, row, payload) -> {
                TableReplay known = tables.get(table);
                if (known != null) {
                    known.observe(kind, row);
                }
            });
        }
    }

    private TableReplay table(int tableId) {
        TableReplay known = tables.get(tableId);
        if (known == null) {
            if (!storage.hasTable(tableId)) {
                throw new FulmarException(
                        ErrorCode.CORRUPTION, "a row image of table " + tableId + " is in the log, but no such table");
            }
            known = new TableReplay(storage.table(tableId));
            tables.put(tableId, known);
        }
        return known;
    }
}
