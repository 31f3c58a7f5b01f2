package dev.fulmar.coordinator.bank;

import dev.fulmar.procedure.LogValues;
import dev.fulmar.procedure.Procedure;
import dev.fulmar.procedure.ProcedureContext;
import dev.fulmar.procedure.Statement;

/** Sets a balance; logged by value. */
@LogValues
public final class Valued implements Procedure {
    public static final Statement SET = Statement.of("UPDATE account SET balance = ? WHERE id = ?");

    public long run(ProcedureContext context, long id, long balance) {
        return context.update(SET, balance, id);
    }
}
