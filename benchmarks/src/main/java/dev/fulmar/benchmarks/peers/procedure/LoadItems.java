package dev.fulmar.benchmarks.peers.procedure;

import dev.fulmar.procedure.Procedure;
import dev.fulmar.procedure.ProcedureContext;
import dev.fulmar.procedure.Statement;

/** Fills a range of the replicated table ITEM. */
public final class LoadItems implements Procedure {
    static final Statement INSERT = Statement.of("insert into item values(?,?,?,?,?)");

    private static final String DATA = "dddddddddddddddddddddddddddddddddddddd";

    public long run(ProcedureContext context, int first, int last) {
        for (int item = first; item <= last; item++) {
            context.queue(INSERT)
                    .with(item)
                    .with(item % 10_000)
                    .with("item-name-" + item)
                    .with(item % 9_900 + 100)
                    .with(DATA);
        }
        context.execute();
        return last - first + 1L;
    }
}
