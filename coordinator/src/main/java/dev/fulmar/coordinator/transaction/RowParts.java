package dev.fulmar.coordinator.transaction;

import dev.fulmar.engine.execution.PartSize;

/** The rows of a result, handed out in parts. One thread at a time. */
public sealed interface RowParts permits ScannedParts, HeldRows {
    /** The next rows as a block; fewer than are wanted if it is full of bytes, or if no more are left. */
    byte[] next(PartSize size);

    /** Whether no rows are left, as far as is known. */
    boolean isAtEnd();

    /** Gives up the rows that are left. */
    void end();
}
