package dev.fulmar.benchmarks.listappend.procedure;

import dev.fulmar.procedure.Procedure;
import dev.fulmar.procedure.ProcedureContext;
import dev.fulmar.procedure.ReadOnly;
import dev.fulmar.procedure.Results;
import dev.fulmar.procedure.Rows;
import dev.fulmar.procedure.Statement;

/**
 * Reads some lists one after another, then others and all money at once, in the same state. Returns a table per list,
 * values and edition, and the money last.
 */
@ReadOnly
public final class Observe implements Procedure {
    static final Statement READ = Statement.of("SELECT v, 100000 FROM entry WHERE k = ? ORDER BY n");
    static final Statement MONEY = Statement.of("SELECT COUNT(*), SUM(balance), MIN(balance) FROM account");

    /** The lists of both arrays, in this order. */
    public Rows[] run(ProcedureContext context, long[] first, long[] second) {
        Rows[] found = new Rows[first.length + second.length + 1];
        for (int i = 0; i < first.length; i++) {
            context.queue(READ).with(first[i]);
            found[i] = context.execute().rows(0);
        }
        for (long key : second) {
            context.queue(READ).with(key);
        }
        context.queue(MONEY);
        Results results = context.execute();
        for (int i = 0; i <= second.length; i++) {
            found[first.length + i] = results.rows(i);
        }
        return found;
    }
}
