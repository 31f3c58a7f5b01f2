package dev.fulmar.benchmarks.tpcc.procedure;

import dev.fulmar.procedure.Procedure;
import dev.fulmar.procedure.ProcedureContext;
import dev.fulmar.procedure.Statement;

/** Inserts a warehouse and its ten districts. */
public final class LoadWarehouse implements Procedure {
    static final Statement INSERT_WAREHOUSE =
            Statement.of("INSERT INTO warehouse (w_id, w_name, w_street_1, w_street_2, w_city, w_state, w_zip, w_tax,"
                    + " w_ytd) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)");
    static final Statement INSERT_DISTRICT =
            Statement.of("INSERT INTO district (d_w_id, d_id, d_name, d_street_1, d_street_2, d_city, d_state, d_zip,"
                    + " d_tax, d_ytd, d_next_o_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");

    private static final int DISTRICTS = 10;
    private static final long WAREHOUSE_YTD_CENTS = 300_000_00;
    private static final long DISTRICT_YTD_CENTS = 30_000_00;

    public void run(ProcedureContext context, int warehouse, int ordersPerDistrict) {
        Population population = new Population(context.random());
        context.queue(INSERT_WAREHOUSE)
                .with(warehouse)
                .with(population.letters(6, 10))
                .with(population.letters(10, 20))
                .with(population.letters(10, 20))
                .with(population.letters(10, 20))
                .with(population.letters(2, 2))
                .with(population.zip())
                .withDecimal(population.number(0, 2000), 4)
                .withDecimal(WAREHOUSE_YTD_CENTS, 2);
        for (int district = 1; district <= DISTRICTS; district++) {
            context.queue(INSERT_DISTRICT)
                    .with(warehouse)
                    .with(district)
                    .with(population.letters(6, 10))
                    .with(population.letters(10, 20))
                    .with(population.letters(10, 20))
                    .with(population.letters(10, 20))
                    .with(population.letters(2, 2))
                    .with(population.zip())
                    .withDecimal(population.number(0, 2000), 4)
                    .withDecimal(DISTRICT_YTD_CENTS, 2)
                    .with(ordersPerDistrict + 1);
        }
        context.execute();
    }
}
