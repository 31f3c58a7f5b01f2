package dev.fulmar.benchmarks.smallbank.procedure;

import dev.fulmar.procedure.Procedure;
import dev.fulmar.procedure.ProcedureContext;
import dev.fulmar.procedure.ReadOnly;
import dev.fulmar.procedure.Results;

/** Sum of a customer's two balances, in cents. */
@ReadOnly
public final class Balance implements Procedure {
    public long run(ProcedureContext context, long customer) {
        context.queue(Balances.ACCOUNT).with(customer);
        context.queue(Balances.SAVINGS).with(customer);
        context.queue(Balances.CHECKING).with(customer);
        Results read = context.execute();
        Balances.requireAccounts(context, read, 1);
        return Balances.cents(context, read.rows(1)) + Balances.cents(context, read.rows(2));
    }
}
