package dev.fulmar.engine.procedure.invocation;

import dev.fulmar.engine.procedure.ControlSignal;
import dev.fulmar.foundation.error.FulmarException;
import java.io.Serial;

/** A failure that the procedure must not catch: a breached expectation, a limit of the node, or a defect below. */
public final class FailureSignal extends ControlSignal {
    @Serial
    private static final long serialVersionUID = 1L;

    private final FulmarException failure;

    public FailureSignal(FulmarException failure) {
        super(String.valueOf(failure.getMessage()));
        this.failure = failure;
    }

    FulmarException failure() {
        return failure;
    }
}
