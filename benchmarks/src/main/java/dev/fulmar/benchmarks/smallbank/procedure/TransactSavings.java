package dev.fulmar.benchmarks.smallbank.procedure;

import dev.fulmar.procedure.Procedure;
import dev.fulmar.procedure.ProcedureContext;
import dev.fulmar.procedure.Results;

/** Adds an amount, perhaps negative, to a savings account, which must not fall below zero. */
public final class TransactSavings implements Procedure {
    public long run(ProcedureContext context, long customer, long cents) {
        context.queue(Balances.ACCOUNT).with(customer);
        context.queue(Balances.SAVINGS).with(customer);
        Results read = context.execute();
        Balances.requireAccounts(context, read, 1);
        if (Balances.cents(context, read.rows(1)) + cents < 0) {
            throw context.abort("the savings do not suffice");
        }
        context.queue(Balances.ADD_SAVINGS).withDecimal(cents, 2).with(customer);
        return context.execute().changedRows(0);
    }
}
