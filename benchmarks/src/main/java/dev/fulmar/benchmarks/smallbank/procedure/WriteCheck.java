package dev.fulmar.benchmarks.smallbank.procedure;

import dev.fulmar.procedure.Procedure;
import dev.fulmar.procedure.ProcedureContext;
import dev.fulmar.procedure.Results;

/** Takes a cheque from a checking account; one more unit is charged where both balances together do not suffice. */
public final class WriteCheck implements Procedure {
    private static final long OVERDRAFT_CENTS = 100;

    public long run(ProcedureContext context, long customer, long cents) {
        context.queue(Balances.ACCOUNT).with(customer);
        context.queue(Balances.SAVINGS).with(customer);
        context.queue(Balances.CHECKING).with(customer);
        Results read = context.execute();
        Balances.requireAccounts(context, read, 1);
        long total = Balances.cents(context, read.rows(1)) + Balances.cents(context, read.rows(2));
        long charged = total < cents ? cents + OVERDRAFT_CENTS : cents;
        context.queue(Balances.ADD_CHECKING).withDecimal(-charged, 2).with(customer);
        context.execute();
        return charged;
    }
}
