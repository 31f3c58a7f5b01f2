package dev.fulmar.engine.partition;

import dev.fulmar.engine.undo.UndoLog;

/** The undo log of a partition's tables. */
public record StorageUndo(UndoLog log) implements UndoPort {
    @Override
    public long position() {
        return log.mark();
    }

    @Override
    public void undoTo(long position) {
        log.rollbackTo(position);
    }

    @Override
    public void commitTo(long position, long commitTimestamp) {
        log.commitTo(position, commitTimestamp);
    }
}
