package dev.fulmar.coordinator.bank;

import dev.fulmar.procedure.Procedure;
import dev.fulmar.procedure.ProcedureContext;
import dev.fulmar.procedure.ReadOnly;
import dev.fulmar.procedure.Rows;
import dev.fulmar.procedure.Statement;

/** Reads one account; might read any. */
@ReadOnly
public final class Look implements Procedure {
    public static final Statement BALANCE = Statement.of("SELECT balance FROM account WHERE id = ?");

    public long run(ProcedureContext context, long id) {
        Rows found = context.query(BALANCE, id);
        return found.next() ? found.getLong(0) : -1;
    }
}
