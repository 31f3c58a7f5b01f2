package dev.fulmar.coordinator.bank;

import dev.fulmar.procedure.Procedure;
import dev.fulmar.procedure.ProcedureContext;
import dev.fulmar.procedure.Rows;
import dev.fulmar.procedure.Statement;

/** Moves money from one account to another and returns what is left. */
public final class Transfer implements Procedure {
    public static final Statement BALANCE = Statement.of("SELECT balance FROM account WHERE id = ?");
    public static final Statement ADD = Statement.of("UPDATE account SET balance = balance + ? WHERE id = ?");

    public long run(ProcedureContext context, long from, long to, long amount) {
        Rows rows = context.query(BALANCE, from);
        if (!rows.next()) {
            throw context.abort("there is no account " + from);
        }
        long left = rows.getLong(0) - amount;
        if (left < 0) {
            throw context.abort("account " + from + " would be overdrawn");
        }
        context.queue(ADD).with(-amount).with(from);
        context.queue(ADD).with(amount).with(to);
        context.execute();
        return left;
    }
}
