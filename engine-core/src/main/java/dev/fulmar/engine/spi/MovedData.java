package dev.fulmar.engine.spi;

import java.io.Serial;

/**
 * Signals that a statement needs rows that have left the partition. Not an error: the transaction's changes are undone,
 * and it is routed by the newest plan. Carries no stack trace.
 */
public final class MovedData extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    public MovedData() {
        super("rows have moved to another partition", null, false, false);
    }
}
