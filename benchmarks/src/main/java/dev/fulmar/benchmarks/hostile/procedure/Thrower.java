package dev.fulmar.benchmarks.hostile.procedure;

import dev.fulmar.procedure.Procedure;
import dev.fulmar.procedure.ProcedureContext;
import dev.fulmar.procedure.Statement;

/** Writes and then fails. */
public final class Thrower implements Procedure {
    static final Statement WRITE = Statement.of("UPDATE victims SET v = v + 1 WHERE k = ?");

    public long run(ProcedureContext context, long key) {
        context.queue(WRITE).with(key);
        context.execute();
        throw new IllegalStateException("on purpose");
    }
}
