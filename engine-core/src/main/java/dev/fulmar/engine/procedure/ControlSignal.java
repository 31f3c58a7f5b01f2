package dev.fulmar.engine.procedure;

import java.io.Serial;

/**
 * Ends a call whatever its procedure does: a restart, a wound, a spent budget. Procedure code cannot name this class,
 * its handlers for {@code Throwable} pass it on, and a call that has met one does no more work and is rolled back even
 * if {@code run} returns.
 */
public abstract class ControlSignal extends Error {
    @Serial
    private static final long serialVersionUID = 1L;

    protected ControlSignal(String message) {
        super(message, null, false, false);
    }
}
