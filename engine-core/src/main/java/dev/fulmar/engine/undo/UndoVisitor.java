package dev.fulmar.engine.undo;

/** A visitor of the changes of a transaction. */
@FunctionalInterface
public interface UndoVisitor {
    /** @param payload address of what the change saved */
    void change(ChangeKind kind, int tableId, long row, long payload);
}
