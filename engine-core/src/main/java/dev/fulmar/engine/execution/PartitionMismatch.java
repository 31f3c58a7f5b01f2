package dev.fulmar.engine.execution;

import java.io.Serial;

/**
 * Signals a partition mismatch: a statement reached for a row that belongs to another partition. Not an error: the
 * coordinator undoes the transaction and runs it again with every partition that it needs. Carries no stack trace.
 */
public final class PartitionMismatch extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    public PartitionMismatch(String message) {
        super(message, null, false, false);
    }
}
