package dev.fulmar.coordinator.bank;

import dev.fulmar.procedure.Procedure;
import dev.fulmar.procedure.ProcedureContext;
import dev.fulmar.procedure.ReadOnly;
import dev.fulmar.procedure.Rows;
import dev.fulmar.procedure.Statement;

/** Adds all money up so many times, and one account after another too; returns the sum if it is the same each time. */
@ReadOnly
public final class Linger implements Procedure {
    public static final Statement SUM = Statement.of("SELECT SUM(balance) FROM account");
    public static final Statement BALANCE = Statement.of("SELECT balance FROM account WHERE id = ?");

    public long run(ProcedureContext context, long times, long accounts) {
        long first = sum(context);
        long byAccounts = 0;
        for (long id = 1; id <= accounts; id++) {
            Rows found = context.query(BALANCE, id);
            byAccounts += found.next() ? found.getLong(0) : 0;
            boolean isSame = id % Math.max(1, accounts / times) != 0 || sum(context) == first;
            if (!isSame) {
                return -1;
            }
        }
        return byAccounts == first ? first : -2;
    }

    private static long sum(ProcedureContext context) {
        Rows found = context.query(SUM);
        return found.next() ? found.getLong(0) : 0;
    }
}
