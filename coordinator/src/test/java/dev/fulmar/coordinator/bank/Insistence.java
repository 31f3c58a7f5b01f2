package dev.fulmar.coordinator.bank;

import dev.fulmar.procedure.Procedure;
import dev.fulmar.procedure.ProcedureContext;
import dev.fulmar.procedure.Statement;
import dev.fulmar.procedure.StatementException;

/** Opens an account, or sets the balance of the one that is there. */
public final class Insistence implements Procedure {
    public static final Statement OPEN = Statement.of("INSERT INTO account VALUES (?, ?)");
    public static final Statement SET = Statement.of("UPDATE account SET balance = ? WHERE id = ?");

    public long run(ProcedureContext context, long id, long balance) {
        try {
            return context.update(OPEN, id, balance);
        } catch (StatementException e) {
            return context.update(SET, balance, id);
        }
    }
}
