package dev.fulmar.benchmarks.peers.procedure;

import dev.fulmar.procedure.Procedure;
import dev.fulmar.procedure.ProcedureContext;
import dev.fulmar.procedure.Statement;

/** Overwrites one field of a row. */
public final class UpdateRow implements Procedure {
    static final Statement UPDATE = Statement.of("update usertable set f3=? where k=?");

    public long run(ProcedureContext context, int key, String value) {
        context.queue(UPDATE).with(value).with(key);
        return context.execute().changedRows(0);
    }
}
