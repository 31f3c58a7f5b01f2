package dev.fulmar.benchmarks.listappend.procedure;

import dev.fulmar.procedure.Procedure;
import dev.fulmar.procedure.ProcedureContext;
import dev.fulmar.procedure.Statement;

/** Moves money between accounts, and takes it back if the first one had too little. Returns what that one has left. */
public final class Transfer implements Procedure {
    static final Statement ADD = Statement.of("UPDATE account SET balance = balance + ? WHERE id = ?");
    static final Statement BALANCE = Statement.of("SELECT balance FROM account WHERE id = ?");

    public long run(ProcedureContext context, long from, long to, long amount) {
        context.queue(ADD).with(-amount).with(from);
        context.queue(ADD).with(amount).with(to);
        context.queue(BALANCE).with(from);
        long left = context.execute().rows(2).first().getLong(0);
        if (left < 0) {
            throw context.abort("the account has too little");
        }
        return left;
    }
}
