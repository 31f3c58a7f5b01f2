package dev.fulmar.benchmarks.smallbank.procedure;

import dev.fulmar.procedure.Procedure;
import dev.fulmar.procedure.ProcedureContext;
import dev.fulmar.procedure.Results;

/** Moves all that one customer has into the checking account of another. Returns the cents moved. */
public final class Amalgamate implements Procedure {
    public long run(ProcedureContext context, long from, long to) {
        context.queue(Balances.ACCOUNT).with(from);
        context.queue(Balances.ACCOUNT).with(to);
        context.queue(Balances.SAVINGS).with(from);
        context.queue(Balances.CHECKING).with(from);
        Results read = context.execute();
        Balances.requireAccounts(context, read, 2);
        long savings = Balances.cents(context, read.rows(2));
        long checking = Balances.cents(context, read.rows(3));
        context.queue(Balances.ADD_SAVINGS).withDecimal(-savings, 2).with(from);
        context.queue(Balances.ADD_CHECKING).withDecimal(-checking, 2).with(from);
        context.queue(Balances.ADD_CHECKING).withDecimal(savings + checking, 2).with(to);
        context.execute();
        return savings + checking;
    }
}
