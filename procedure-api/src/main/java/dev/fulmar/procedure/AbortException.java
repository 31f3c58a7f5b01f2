package dev.fulmar.procedure;

import java.io.Serial;

/** Rolls the transaction back on the procedure's own wish. Made by {@link ProcedureContext#abort(String)}. */
public final class AbortException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    public AbortException(String message) {
        super(message, null, false, false);
    }
}
