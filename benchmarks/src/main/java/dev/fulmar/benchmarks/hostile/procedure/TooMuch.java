package dev.fulmar.benchmarks.hostile.procedure;

import dev.fulmar.procedure.Procedure;
import dev.fulmar.procedure.ProcedureContext;
import dev.fulmar.procedure.Rows;
import dev.fulmar.procedure.TableBuilder;

/** Returns more than a client can want. */
public final class TooMuch implements Procedure {
    public Rows run(ProcedureContext context, long key) {
        String text = "x".repeat(1_000_000);
        TableBuilder table = context.table("text");
        for (int i = 0; i < 1_000; i++) {
            table = table.row(text);
        }
        return table.build();
    }
}
