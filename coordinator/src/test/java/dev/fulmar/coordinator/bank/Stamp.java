package dev.fulmar.coordinator.bank;

import dev.fulmar.procedure.Procedure;
import dev.fulmar.procedure.ProcedureContext;
import dev.fulmar.procedure.Statement;

/** Sets a balance to a number that time and chance give, and returns it. */
public final class Stamp implements Procedure {
    public static final Statement SET = Statement.of("UPDATE account SET balance = ? WHERE id = ?");

    public long run(ProcedureContext context, long id) {
        long balance = context.nowMicros() * 1000 + context.random().nextInt(1000);
        context.update(SET, balance, id);
        return balance;
    }
}
