package dev.fulmar.benchmarks.survival.procedure;

import dev.fulmar.procedure.Procedure;
import dev.fulmar.procedure.ProcedureContext;
import dev.fulmar.procedure.Results;
import dev.fulmar.procedure.Rows;

/** Appends a link to each of several chains, which may lie on several partitions. Returns the edition of this class. */
public final class ExtendMany implements Procedure {
    /** @param chains no chain twice */
    public long run(ProcedureContext context, long[] chains, long n, String note) {
        for (long k : chains) {
            context.queue(Extend.GROW).with(n).with(note).with(k);
            context.queue(Extend.LENGTH).with(k);
        }
        Results grown = context.execute();
        long edition = 0;
        for (int i = 0; i < chains.length; i++) {
            Rows chain = grown.rows(2 * i + 1).first();
            edition = chain.getLong(1);
            context.queue(Extend.LINK)
                    .with(chains[i])
                    .with(chain.getLong(0))
                    .with(n)
                    .with(edition);
        }
        context.execute();
        return edition;
    }
}
