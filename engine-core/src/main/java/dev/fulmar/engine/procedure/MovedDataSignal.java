package dev.fulmar.engine.procedure;

import java.io.Serial;

/** Signals that the call reached for rows that have left its partition; it is to be undone and routed anew. */
public final class MovedDataSignal extends ControlSignal {
    @Serial
    private static final long serialVersionUID = 1L;

    public MovedDataSignal() {
        super("rows have moved to another partition");
    }
}
