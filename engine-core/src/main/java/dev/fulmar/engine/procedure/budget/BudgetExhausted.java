package dev.fulmar.engine.procedure.budget;

import dev.fulmar.engine.procedure.ControlSignal;
import dev.fulmar.foundation.error.ErrorCode;
import java.io.Serial;

/** Signals that the call has spent its time, memory or stack. */
public final class BudgetExhausted extends ControlSignal {
    @Serial
    private static final long serialVersionUID = 1L;

    private final ErrorCode code;

    BudgetExhausted(ErrorCode code, String message) {
        super(message);
        this.code = code;
    }

    /** The code of the budget that was spent. */
    public ErrorCode code() {
        return code;
    }
}
