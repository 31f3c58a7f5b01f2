package dev.fulmar.benchmarks.ycsb.procedure;

import dev.fulmar.procedure.Procedure;
import dev.fulmar.procedure.ProcedureContext;

/** Overwrites one field of a record. Returns 1, or 0 if there is no such record. */
public final class YcsbUpdate implements Procedure {
    public long run(ProcedureContext context, long key, int field, String value) {
        context.queue(FieldUpdates.of(field)).with(value).with(key);
        return context.execute().changedRows(0);
    }
}
