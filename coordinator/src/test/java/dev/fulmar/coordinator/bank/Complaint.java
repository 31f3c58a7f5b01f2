package dev.fulmar.coordinator.bank;

import dev.fulmar.procedure.Procedure;
import dev.fulmar.procedure.ProcedureContext;
import dev.fulmar.procedure.ReadOnly;
import dev.fulmar.procedure.Rows;
import dev.fulmar.procedure.Statement;

/** Reads all accounts, and fails with what it has read. */
@ReadOnly
public final class Complaint implements Procedure {
    public static final Statement SUM = Statement.of("SELECT SUM(balance) FROM account");

    public long run(ProcedureContext context) {
        Rows sum = context.query(SUM);
        throw context.abort("there is only " + (sum.next() ? sum.getLong(0) : 0));
    }
}
