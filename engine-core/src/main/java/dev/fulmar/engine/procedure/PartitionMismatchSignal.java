package dev.fulmar.engine.procedure;

import java.io.Serial;

/**
 * Signals that the call reached for rows of another partition; it is to be undone and run again with every partition
 * that it needs.
 */
public final class PartitionMismatchSignal extends ControlSignal {
    @Serial
    private static final long serialVersionUID = 1L;

    public PartitionMismatchSignal(String message) {
        super(message);
    }
}
