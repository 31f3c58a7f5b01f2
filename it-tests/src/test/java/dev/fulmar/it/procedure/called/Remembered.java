package dev.fulmar.it.procedure.called;

import dev.fulmar.procedure.Procedure;
import dev.fulmar.procedure.ProcedureContext;
import dev.fulmar.procedure.ReadOnly;
import dev.fulmar.procedure.Rows;
import dev.fulmar.procedure.Statement;

/** Reads what was stored. */
@ReadOnly
public final class Remembered implements Procedure {
    static final Statement READ = Statement.of(
            "SELECT id, word, day, moment, price, is_true, weight, key, bytes FROM memory WHERE id >= ? ORDER BY id");

    /** The rows from the number on. */
    public Rows run(ProcedureContext context, long least) {
        return context.query(READ, least);
    }
}
