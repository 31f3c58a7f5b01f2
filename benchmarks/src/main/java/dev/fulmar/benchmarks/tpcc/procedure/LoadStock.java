package dev.fulmar.benchmarks.tpcc.procedure;

import dev.fulmar.procedure.Arguments;
import dev.fulmar.procedure.Procedure;
import dev.fulmar.procedure.ProcedureContext;
import dev.fulmar.procedure.Statement;

/** Inserts the stock of a range of items in one warehouse. */
public final class LoadStock implements Procedure {
    static final Statement INSERT =
            Statement.of("INSERT INTO stock (s_w_id, s_i_id, s_quantity, s_dist_01, s_dist_02, s_dist_03, s_dist_04,"
                    + " s_dist_05, s_dist_06, s_dist_07, s_dist_08, s_dist_09, s_dist_10, s_ytd, s_order_cnt,"
                    + " s_remote_cnt, s_data) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 0, 0, ?)");

    private static final int DISTRICTS = 10;

    public long run(ProcedureContext context, int warehouse, int first, int last) {
        Population population = new Population(context.random());
        for (int item = first; item <= last; item++) {
            Arguments row = context.queue(INSERT).with(warehouse).with(item).with(population.number(10, 100));
            for (int district = 1; district <= DISTRICTS; district++) {
                row = row.with(population.letters(24, 24));
            }
            row.with(population.data());
        }
        context.execute();
        return last - first + 1L;
    }
}
