package dev.fulmar.engine.undo;

/**
 * The table, as the undo log calls it to undo or to release a change. Each {@code undo} sees the state that its change
 * left behind. {@code payload} is the address of what the change recorded, {@code detail} the number that it noted with
 * it.
 */
public interface UndoTarget {
    void undoInsert(long row, int detail);

    /** Brings the slot back; what was overwritten in place is back already. */
    void undoUpdate(long row, long payload, int detail);

    void undoDelete(long row);

    /** Removes the entry under the row's present key; the entry under the key before is still there. */
    void undoKeyChange(long row, long payload, int detail);

    /** Bytes that the version before an update keeps from being freed. */
    long updateHolds(long payload, int detail);

    /** Bytes that a deleted row keeps from being freed. */
    long deleteHolds(long row);

    /** A new block with what the block of the slot holds, for a version of the row. Fails with MEMORY_LIMIT. */
    long copyBlock(long row, long slot);

    /** Takes back what {@link #copyBlock} gave. */
    void freeCopy(long row, long slot, long block);

    /** Address of the slot's block, 0 if it has none. */
    long block(long slot);

    /** Bytes of the slot's block. */
    int blockBytes(long slot);

    /** Names another block of the same size in the slot. */
    void setBlock(long slot, long block);

    /** The detail of an update whose version before has a block of its own. */
    int ownBlock();

    /** The update is committed; frees what only the version before used. */
    void releaseUpdate(long row, long payload, int detail);

    /** Releases the deleted row, which no reader can see any more. */
    void releaseDelete(long row);

    /**
     * Releases the key that the row had before, under which no reader looks for the version any more.
     *
     * @param mayBeBack whether a later version of the row may have that key again
     */
    void releaseKeyChange(long row, long payload, boolean mayBeBack);
}
