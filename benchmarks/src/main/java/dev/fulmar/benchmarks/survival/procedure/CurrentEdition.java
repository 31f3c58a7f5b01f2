package dev.fulmar.benchmarks.survival.procedure;

import dev.fulmar.procedure.Procedure;
import dev.fulmar.procedure.ProcedureContext;
import dev.fulmar.procedure.ReadOnly;
import dev.fulmar.procedure.Statement;

/** Returns the edition of the procedures that run now. */
@ReadOnly
public final class CurrentEdition implements Procedure {
    /** Of its own, for a class that reads only must not reach statements that write. */
    static final Statement EDITION = Statement.of("SELECT links, 100000 FROM chain WHERE k = ?");

    public long run(ProcedureContext context, long k) {
        return context.query(EDITION, k).first().getLong(1);
    }
}
