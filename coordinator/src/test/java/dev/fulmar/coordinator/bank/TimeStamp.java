package dev.fulmar.coordinator.bank;

import dev.fulmar.procedure.Procedure;
import dev.fulmar.procedure.ProcedureContext;
import dev.fulmar.procedure.Statement;

/** Sets a balance to the time, and returns it: another edition of {@link Stamp}. */
public final class TimeStamp implements Procedure {
    public static final Statement SET = Statement.of("UPDATE account SET balance = ? WHERE id = ?");

    public long run(ProcedureContext context, long id) {
        context.update(SET, context.nowMicros(), id);
        return context.nowMicros();
    }
}
