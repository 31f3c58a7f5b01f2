package dev.fulmar.engine.undo;

/**
 * What the log calls to undo or to release a change: the table. Each {@code undo} sees the state that its change left behind. {@code
 * payload} is the address of what the change recorded, {@code detail} the number that it noted with it.
 */
public interface UndoTarget {
    void undoInsert(long row, int detail);

    /** Brings the slot back; what was overwritten in place is back already. */
    void undoUpdate(long row, long payload, int detail);

    void undoDelete(long row);

    /** Removes the entry under the row's present key; the entry under the key before is still there. */
    void undoKeyChange(long row, long payload, int detail);

    /** The update is committed; frees what only the version before used. */
    void releaseUpdate(long row, long payload, int detail);

    /** Nobody can see the deleted row any more. */
    void releaseDelete(long row);

    /** Nobody can look for the key before any more. */
    void releaseKeyChange(long row, long payload);
}
