package dev.fulmar.engine.procedure.budget;

import dev.fulmar.engine.procedure.ControlSignal;
import java.io.Serial;

/** The call spent its time, memory or stack. */
public final class BudgetExhausted extends ControlSignal {
    @Serial
    private static final long serialVersionUID = 1L;

    BudgetExhausted(String message) {
        super(message);
    }
}
