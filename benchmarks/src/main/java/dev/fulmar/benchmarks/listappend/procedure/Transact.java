package dev.fulmar.benchmarks.listappend.procedure;

import dev.fulmar.procedure.Procedure;
import dev.fulmar.procedure.ProcedureContext;
import dev.fulmar.procedure.Results;
import dev.fulmar.procedure.Rows;
import dev.fulmar.procedure.Statement;

/** Reads some lists, then appends to some, then perhaps rolls back. Returns what it read, a table per list. */
public final class Transact implements Procedure {
    static final Statement READ = Statement.of("SELECT v FROM entry WHERE k = ? ORDER BY n");
    static final Statement LENGTH = Statement.of("SELECT COUNT(*) FROM entry WHERE k = ?");
    static final Statement APPEND = Statement.of("INSERT INTO entry (k, n, v) VALUES (?, ?, ?)");

    /**
     * @param firstKey a key of the partition on which a single-partition call begins
     * @param appends keys to append to; no key twice
     * @param values what to append
     */
    public Rows[] run(
            ProcedureContext context, long firstKey, long[] reads, long[] appends, long[] values, boolean rollBack) {
        for (long key : reads) {
            context.queue(READ).with(key);
        }
        Rows[] lists = new Rows[reads.length];
        if (reads.length > 0) {
            Results results = context.execute();
            for (int i = 0; i < reads.length; i++) {
                lists[i] = results.rows(i);
            }
        }
        if (appends.length > 0) {
            append(context, appends, values);
        }
        if (rollBack) {
            throw context.abort("rolled back as asked");
        }
        return lists;
    }

    private static void append(ProcedureContext context, long[] appends, long[] values) {
        for (long key : appends) {
            context.queue(LENGTH).with(key);
        }
        Results lengths = context.execute();
        for (int i = 0; i < appends.length; i++) {
            context.queue(APPEND)
                    .with(appends[i])
                    .with(lengths.rows(i).first().getLong(0))
                    .with(values[i]);
        }
        context.execute();
    }
}
