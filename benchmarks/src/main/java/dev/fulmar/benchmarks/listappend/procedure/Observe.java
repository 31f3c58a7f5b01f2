package dev.fulmar.benchmarks.listappend.procedure;

import dev.fulmar.procedure.Procedure;
import dev.fulmar.procedure.ProcedureContext;
import dev.fulmar.procedure.ReadOnly;
import dev.fulmar.procedure.Results;
import dev.fulmar.procedure.Rows;
import dev.fulmar.procedure.Statement;

/**
 * Reads some lists, then others and all money, in the same state. Returns a table per list, values and edition, and the
 * money last.
 */
@ReadOnly
public final class Observe implements Procedure {
    static final Statement READ = Statement.of("SELECT v, 100000 FROM entry WHERE k = ? ORDER BY n");
    static final Statement MONEY = Statement.of("SELECT COUNT(*), SUM(balance), MIN(balance) FROM account");

    /** The lists of both arrays, in this order. */
    public Rows[] run(ProcedureContext context, long[] first, long[] second) {
        Rows[] found = new Rows[first.length + second.length + 1];
        queue(context, first);
        Results results = context.execute();
        for (int i = 0; i < first.length; i++) {
            found[i] = results.rows(i);
        }
        queue(context, second);
        context.queue(MONEY);
        results = context.execute();
        for (int i = 0; i <= second.length; i++) {
            found[first.length + i] = results.rows(i);
        }
        return found;
    }

    private static void queue(ProcedureContext context, long[] keys) {
        for (long key : keys) {
            context.queue(READ).with(key);
        }
    }
}
