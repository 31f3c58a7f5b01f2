package dev.fulmar.it.procedure.called;

import dev.fulmar.procedure.Expectation;
import dev.fulmar.procedure.Procedure;
import dev.fulmar.procedure.ProcedureContext;
import dev.fulmar.procedure.Statement;

/** Takes an amount out of a purse, and returns what is left. */
public final class Withdraw implements Procedure {
    static final Statement LEFT =
            Statement.of("SELECT amount FROM purse WHERE id = ?").expecting(Expectation.ONE_ROW);
    static final Statement TAKE = Statement.of("UPDATE purse SET amount = amount - ? WHERE id = ?");

    /** Fails if there is not so much in the purse. */
    public long run(ProcedureContext context, int id, long amount) {
        long left = context.query(LEFT, id).first().getLong(0) - amount;
        if (left < 0) {
            throw context.abort("purse " + id + " holds less than " + amount);
        }
        context.update(TAKE, amount, id);
        return left;
    }
}
