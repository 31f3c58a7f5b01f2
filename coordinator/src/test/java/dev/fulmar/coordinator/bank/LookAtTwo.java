package dev.fulmar.coordinator.bank;

import dev.fulmar.procedure.Procedure;
import dev.fulmar.procedure.ProcedureContext;
import dev.fulmar.procedure.ReadOnly;
import dev.fulmar.procedure.Rows;
import dev.fulmar.procedure.Statement;

/** Reads an account, and another one that may be elsewhere; returns how many of them there are. */
@ReadOnly
public final class LookAtTwo implements Procedure {
    public static final Statement BALANCE = Statement.of("SELECT balance FROM account WHERE id = ?");

    public long run(ProcedureContext context, long one, long other) {
        return count(context, one) + count(context, other);
    }

    private static long count(ProcedureContext context, long id) {
        Rows found = context.query(BALANCE, id);
        return found.next() ? 1 : 0;
    }
}
