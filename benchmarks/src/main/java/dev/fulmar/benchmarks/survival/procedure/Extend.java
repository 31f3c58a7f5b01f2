package dev.fulmar.benchmarks.survival.procedure;

import dev.fulmar.procedure.Expectation;
import dev.fulmar.procedure.Procedure;
import dev.fulmar.procedure.ProcedureContext;
import dev.fulmar.procedure.Rows;
import dev.fulmar.procedure.Statement;

/**
 * Appends a link to one chain. Returns its place and the edition of this class: place * {@link #EDITIONS} + edition.
 */
public final class Extend implements Procedure {
    /** More than there are editions. */
    public static final long EDITIONS = 1_000_000;

    static final Statement GROW = Statement.of(
                    "UPDATE chain SET links = links + 1, total = total + ?, note = ? WHERE k = ?")
            .expecting(Expectation.ONE_ROW);

    /** The number is the edition of this class: a check that replaces it puts another one there. */
    static final Statement LENGTH = Statement.of("SELECT links, 100000 FROM chain WHERE k = ?");

    static final Statement LINK = Statement.of("INSERT INTO link (k, place, n, edition) VALUES (?, ?, ?, ?)");

    public long run(ProcedureContext context, long k, long n, String note) {
        context.queue(GROW).with(n).with(note).with(k);
        context.queue(LENGTH).with(k);
        Rows chain = context.execute().rows(1).first();
        long place = chain.getLong(0);
        long edition = chain.getLong(1);
        context.queue(LINK).with(k).with(place).with(n).with(edition);
        context.execute();
        return place * EDITIONS + edition;
    }
}
