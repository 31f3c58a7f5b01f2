package dev.fulmar.benchmarks.listappend.procedure;

import dev.fulmar.procedure.Procedure;
import dev.fulmar.procedure.ProcedureContext;
import dev.fulmar.procedure.Results;
import dev.fulmar.procedure.Statement;

/** Moves money between accounts, and takes it back if the first one had too little. Returns what that one has left. */
public final class Transfer implements Procedure {
    static final Statement ADD = Statement.of("UPDATE account SET balance = balance + ? WHERE id = ?");
    static final Statement BALANCE = Statement.of("SELECT balance FROM account WHERE id = ?");
    static final Statement CLOSE = Statement.of("DELETE FROM account WHERE id = ?");
    static final Statement OPEN = Statement.of("INSERT INTO account (id, balance) VALUES (?, ?)");

    /** @param anew the second account is closed and opened again with its new balance */
    public long run(ProcedureContext context, long from, long to, long amount, boolean anew) {
        context.queue(ADD).with(-amount).with(from);
        context.queue(BALANCE).with(from);
        context.queue(BALANCE).with(to);
        Results results = context.execute();
        long left = results.rows(1).first().getLong(0);
        long balance = results.rows(2).first().getLong(0);
        if (anew) {
            context.queue(CLOSE).with(to);
            context.queue(OPEN).with(to).with(balance + amount);
        } else {
            context.queue(ADD).with(amount).with(to);
        }
        context.execute();
        if (left < 0) {
            throw context.abort("the account has too little");
        }
        return left;
    }
}
