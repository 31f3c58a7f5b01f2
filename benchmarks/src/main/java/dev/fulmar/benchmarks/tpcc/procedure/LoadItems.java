package dev.fulmar.benchmarks.tpcc.procedure;

import dev.fulmar.procedure.Procedure;
import dev.fulmar.procedure.ProcedureContext;
import dev.fulmar.procedure.Statement;

/** Fills a range of the replicated table ITEM. */
public final class LoadItems implements Procedure {
    static final Statement INSERT =
            Statement.of("INSERT INTO item (i_id, i_im_id, i_name, i_price, i_data) VALUES (?, ?, ?, ?, ?)");

    public long run(ProcedureContext context, int first, int last) {
        Population population = new Population(context.random());
        for (int item = first; item <= last; item++) {
            context.queue(INSERT)
                    .with(item)
                    .with(population.number(1, 10_000))
                    .with(population.letters(14, 24))
                    .withDecimal(population.number(100, 10_000), 2)
                    .with(population.data());
        }
        context.execute();
        return last - first + 1L;
    }
}
