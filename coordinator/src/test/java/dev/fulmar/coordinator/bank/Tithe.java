package dev.fulmar.coordinator.bank;

import dev.fulmar.procedure.Procedure;
import dev.fulmar.procedure.ProcedureContext;
import dev.fulmar.procedure.Rows;
import dev.fulmar.procedure.Statement;

/** Takes a tenth of two accounts together from the first; returns the tenth. One statement reads both. */
public final class Tithe implements Procedure {
    public static final Statement BOTH = Statement.of("SELECT SUM(balance) FROM account WHERE id IN (?, ?)");
    public static final Statement ADD = Statement.of("UPDATE account SET balance = balance + ? WHERE id = ?");

    public long run(ProcedureContext context, long first, long second) {
        Rows both = context.query(BOTH, first, second);
        long tenth = both.next() ? both.getLong(0) / 10 : 0;
        context.update(ADD, -tenth, first);
        return tenth;
    }
}
