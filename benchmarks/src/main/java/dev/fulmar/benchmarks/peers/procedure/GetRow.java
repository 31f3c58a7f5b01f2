package dev.fulmar.benchmarks.peers.procedure;

import dev.fulmar.procedure.Procedure;
import dev.fulmar.procedure.ProcedureContext;
import dev.fulmar.procedure.Rows;
import dev.fulmar.procedure.Statement;

/** Reads a row of ten fields. */
public final class GetRow implements Procedure {
    static final Statement ROW = Statement.of("select * from usertable where k=?");

    public Rows run(ProcedureContext context, int key) {
        context.queue(ROW).with(key);
        return context.execute().rows(0);
    }
}
