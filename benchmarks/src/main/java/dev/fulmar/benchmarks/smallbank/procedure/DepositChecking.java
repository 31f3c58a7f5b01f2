package dev.fulmar.benchmarks.smallbank.procedure;

import dev.fulmar.procedure.Procedure;
import dev.fulmar.procedure.ProcedureContext;
import dev.fulmar.procedure.Results;

/** Puts an amount into a checking account. */
public final class DepositChecking implements Procedure {
    public long run(ProcedureContext context, long customer, long cents) {
        if (cents < 0) {
            throw context.abort("the amount is negative");
        }
        context.queue(Balances.ACCOUNT).with(customer);
        context.queue(Balances.ADD_CHECKING).withDecimal(cents, 2).with(customer);
        Results results = context.execute();
        Balances.requireAccounts(context, results, 1);
        return results.changedRows(1);
    }
}
