package dev.fulmar.benchmarks.smallbank.procedure;

import dev.fulmar.procedure.Procedure;
import dev.fulmar.procedure.ProcedureContext;
import dev.fulmar.procedure.Statement;

/** Opens a customer's accounts, both with the same balance. */
public final class OpenAccount implements Procedure {
    static final Statement ACCOUNT = Statement.of("INSERT INTO accounts VALUES (?, ?)");
    static final Statement SAVINGS = Statement.of("INSERT INTO savings VALUES (?, ?)");
    static final Statement CHECKING = Statement.of("INSERT INTO checking VALUES (?, ?)");

    public long run(ProcedureContext context, long customer, long cents) {
        context.queue(ACCOUNT).with(customer).with("customer " + customer);
        context.queue(SAVINGS).with(customer).withDecimal(cents, 2);
        context.queue(CHECKING).with(customer).withDecimal(cents, 2);
        context.execute();
        return 1;
    }
}
