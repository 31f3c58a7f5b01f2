package dev.fulmar.coordinator.bank;

import dev.fulmar.procedure.Procedure;
import dev.fulmar.procedure.ProcedureContext;

/** Never commits. */
public final class Refusal implements Procedure {
    public long run(ProcedureContext context, long id) {
        throw context.abort("no stamp for " + id);
    }
}
