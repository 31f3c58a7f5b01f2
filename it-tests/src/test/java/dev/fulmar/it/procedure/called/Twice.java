package dev.fulmar.it.procedure.called;

import dev.fulmar.procedure.Procedure;
import dev.fulmar.procedure.ProcedureContext;
import dev.fulmar.procedure.Rows;

/** Yields so many tables, each with its number. */
public final class Twice implements Procedure {
    /** One row for each table. */
    public Rows[] run(ProcedureContext context, int tables) {
        Rows[] made = new Rows[tables];
        for (int i = 0; i < tables; i++) {
            made[i] = context.table("number").row(i + 1).build();
        }
        return made;
    }
}
