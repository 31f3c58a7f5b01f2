package dev.fulmar.benchmarks.hostile.procedure;

import dev.fulmar.procedure.Procedure;
import dev.fulmar.procedure.ProcedureContext;
import dev.fulmar.procedure.Statement;

/** Does honest work, to see whether the others disturb it. */
public final class Bystander implements Procedure {
    static final Statement ADD = Statement.of("UPDATE bystanders SET v = v + 1 WHERE k = ?");

    public long run(ProcedureContext context, long key) {
        context.queue(ADD).with(key);
        return context.execute().changedRows(0);
    }
}
