package dev.fulmar.benchmarks.smallbank.procedure;

import dev.fulmar.procedure.Procedure;
import dev.fulmar.procedure.ProcedureContext;
import dev.fulmar.procedure.Results;

/** Moves an amount between the checking accounts of two customers. */
public final class SendPayment implements Procedure {
    public long run(ProcedureContext context, long sender, long receiver, long cents) {
        context.queue(Balances.ACCOUNT).with(sender);
        context.queue(Balances.ACCOUNT).with(receiver);
        context.queue(Balances.CHECKING).with(sender);
        Results read = context.execute();
        Balances.requireAccounts(context, read, 2);
        if (Balances.cents(context, read.rows(2)) < cents) {
            throw context.abort("the balance does not suffice");
        }
        context.queue(Balances.ADD_CHECKING).withDecimal(-cents, 2).with(sender);
        context.queue(Balances.ADD_CHECKING).withDecimal(cents, 2).with(receiver);
        Results written = context.execute();
        return written.changedRows(0) + written.changedRows(1);
    }
}
