package dev.fulmar.coordinator.transaction;

import dev.fulmar.engine.procedure.ControlSignal;
import java.io.Serial;

/**
 * The signal that an attempt is over, whatever its control code does: it was wounded, took too long, or the node stops.
 */
final class AttemptEnded extends ControlSignal {
    @Serial
    private static final long serialVersionUID = 1L;

    AttemptEnded(String message) {
        super(message);
    }
}
