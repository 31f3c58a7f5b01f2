package dev.fulmar.engine.partition;

import dev.fulmar.engine.undo.UndoLog;

/** Implements the partition executor's undo port by the undo log of the partition's tables. */
public record StorageUndo(UndoLog log) implements UndoPort {
    /** Records of earlier versions that are given back between two turns: some ten microseconds. */
    private static final long RECORDS_AT_ONCE = 256;

    @Override
    public long position() {
        return log.mark();
    }

    @Override
    public void undoTo(long position) {
        log.rollbackTo(position);
    }

    @Override
    public boolean reclaim() {
        if (!log.hasGarbage()) {
            return false;
        }
        log.reclaim(RECORDS_AT_ONCE);
        return true;
    }

    @Override
    public long versionBytes() {
        return log.heldBytes();
    }

    @Override
    public void giveUp() {
        log.giveUp();
    }

    @Override
    public void commitTo(long position, long commitTimestamp) {
        log.commitTo(position, commitTimestamp);
    }
}
