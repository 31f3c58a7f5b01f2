package dev.fulmar.benchmarks.hostile.procedure;

import dev.fulmar.procedure.Procedure;
import dev.fulmar.procedure.ProcedureContext;

/** Never ends, and does nothing meanwhile. */
public final class EndlessLoop implements Procedure {
    public long run(ProcedureContext context, long key) {
        long value = key;
        while (value == key) {
            value = key;
        }
        return value;
    }
}
