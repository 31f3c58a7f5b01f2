package dev.fulmar.engine.procedure.invocation;

import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;

/** The state of a call: outside of one that is under way its context and results are useless. */
final class CallState {
    private boolean open;

    void open() {
        Invariants.check(!open, "a call begins after the call before it has ended");
        open = true;
    }

    void close() {
        open = false;
    }

    void checkOpen() {
        if (!open) {
            throw new FulmarException(
                    ErrorCode.PROCEDURE_FAILED,
                    "a context or result was used after its call; keep neither from call to call");
        }
    }
}
