package dev.fulmar.benchmarks.ycsb.procedure;

import dev.fulmar.procedure.Procedure;
import dev.fulmar.procedure.ProcedureContext;
import dev.fulmar.procedure.Rows;
import dev.fulmar.procedure.Statement;

/** Reads a record and overwrites one of its fields in the same transaction. Returns the record as it was. */
public final class YcsbReadModifyWrite implements Procedure {
    static final Statement READ = Statement.of("SELECT * FROM usertable WHERE ycsb_key = ?");

    public Rows run(ProcedureContext context, long key, int field, String value) {
        context.queue(READ).with(key);
        Rows record = context.execute().rows(0);
        context.queue(FieldUpdates.of(field)).with(value).with(key);
        context.execute();
        return record;
    }
}
