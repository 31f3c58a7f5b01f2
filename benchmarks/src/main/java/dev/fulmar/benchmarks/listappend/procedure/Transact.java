package dev.fulmar.benchmarks.listappend.procedure;

import dev.fulmar.procedure.Procedure;
import dev.fulmar.procedure.ProcedureContext;
import dev.fulmar.procedure.Results;
import dev.fulmar.procedure.Rows;
import dev.fulmar.procedure.Statement;
import dev.fulmar.procedure.StatementException;

/**
 * Reads some lists, then appends to some, then perhaps rolls back. Returns what it read, a table per list: values, and
 * the edition.
 */
public final class Transact implements Procedure {
    private static final String UNIQUE_VIOLATION = "23505";

    /**
     * The number is the edition of this class: a check that replaces it puts another one there, and each row tells
     * which one ran.
     */
    static final Statement READ = Statement.of("SELECT v, 100000 FROM entry WHERE k = ? ORDER BY n");

    static final Statement LENGTH = Statement.of("SELECT COUNT(*) FROM entry WHERE k = ?");
    static final Statement KNOWN = Statement.of("SELECT COUNT(*) FROM entry WHERE k = ? AND v = ?");
    static final Statement APPEND = Statement.of("INSERT INTO entry (k, n, v) VALUES (?, ?, ?)");
    static final Statement APPEND_TWO = Statement.of("INSERT INTO entry (k, n, v) VALUES (?, ?, ?), (?, ?, ?)");

    /**
     * @param firstKey a key of the partition on which a single-partition call begins
     * @param appends keys to append to; no key twice
     * @param values what to append; not negative
     * @param stumble run a statement between the appends that fails when part of it is done, and go on
     */
    public Rows[] run(
            ProcedureContext context,
            long firstKey,
            long[] reads,
            long[] appends,
            long[] values,
            boolean stumble,
            boolean rollBack) {
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
            append(context, appends, values, stumble);
        }
        if (rollBack) {
            throw context.abort("rolled back as asked");
        }
        return lists;
    }

    private static void append(ProcedureContext context, long[] keys, long[] values, boolean stumble) {
        for (int i = 0; i < keys.length; i++) {
            context.queue(LENGTH).with(keys[i]);
            context.queue(KNOWN).with(keys[i]).with(values[i]);
        }
        Results results = context.execute();
        long[] lengths = new long[keys.length];
        for (int i = 0; i < keys.length; i++) {
            lengths[i] = results.rows(2 * i).first().getLong(0);
            if (results.rows(2 * i + 1).first().getLong(0) != 0) {
                throw context.abort("the value is there already");
            }
        }
        queueAppend(context, keys[0], lengths[0], values[0]);
        int last = keys.length - 1;
        if (stumble && lengths[last] > 0) {
            // The first row is new and would be seen as a value that nobody wrote; the second one exists.
            context.queue(APPEND_TWO)
                    .with(keys[0])
                    .with(lengths[0] + 1)
                    .with(-values[0])
                    .with(keys[last])
                    .with(0)
                    .with(-values[0]);
            for (int i = 1; i < keys.length; i++) {
                queueAppend(context, keys[i], lengths[i], values[i]);
            }
            try {
                context.execute();
                throw context.abort("a row was inserted twice");
            } catch (StatementException e) {
                if (!e.sqlState().equals(UNIQUE_VIOLATION)) {
                    throw e; // a full disk may have refused what stood before the statement
                }
                // What was queued behind the statement is not done, what stood before it is.
            }
        }
        for (int i = 1; i < keys.length; i++) {
            queueAppend(context, keys[i], lengths[i], values[i]);
        }
        context.execute();
    }

    private static void queueAppend(ProcedureContext context, long key, long length, long value) {
        context.queue(APPEND).with(key).with(length).with(value);
    }
}
