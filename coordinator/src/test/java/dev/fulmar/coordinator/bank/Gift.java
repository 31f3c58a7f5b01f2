package dev.fulmar.coordinator.bank;

import dev.fulmar.procedure.Procedure;
import dev.fulmar.procedure.ProcedureContext;
import dev.fulmar.procedure.Statement;

/** Opens an account, wherever it is. */
public final class Gift implements Procedure {
    public static final Statement OPEN = Statement.of("INSERT INTO account VALUES (?, ?)");

    public long run(ProcedureContext context, long id, long balance) {
        return context.update(OPEN, id, balance);
    }
}
