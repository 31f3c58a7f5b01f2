package dev.fulmar.benchmarks.tpcc.procedure;

import dev.fulmar.procedure.Procedure;
import dev.fulmar.procedure.ProcedureContext;
import dev.fulmar.procedure.Statement;

/** Inserts a range of a district's customers, each with one row of history. */
public final class LoadCustomers implements Procedure {
    static final Statement INSERT_CUSTOMER =
            Statement.of("INSERT INTO customer (c_w_id, c_d_id, c_id, c_first, c_middle, c_last, c_street_1,"
                    + " c_street_2, c_city, c_state, c_zip, c_phone, c_since, c_credit, c_credit_lim, c_discount,"
                    + " c_balance, c_ytd_payment, c_payment_cnt, c_delivery_cnt, c_data)"
                    + " VALUES (?, ?, ?, ?, 'OE', ?, ?, ?, ?, ?, ?, ?, ?, ?, 50000.00, ?, -10.00, 10.00, 1, 0, ?)");
    static final Statement INSERT_HISTORY =
            Statement.of("INSERT INTO history (h_c_id, h_c_d_id, h_c_w_id, h_d_id, h_w_id, h_date, h_amount, h_data)"
                    + " VALUES (?, ?, ?, ?, ?, ?, 10.00, ?)");

    private static final int NUMBERED_NAMES = 1000;

    public long run(ProcedureContext context, int warehouse, int district, int first, int last, int lastNameConstant) {
        Population population = new Population(context.random());
        for (int customer = first; customer <= last; customer++) {
            int name = customer <= NUMBERED_NAMES ? customer - 1 : population.loadedLastName(lastNameConstant);
            context.queue(INSERT_CUSTOMER)
                    .with(warehouse)
                    .with(district)
                    .with(customer)
                    .with(population.letters(8, 16))
                    .with(Population.lastName(name))
                    .with(population.letters(10, 20))
                    .with(population.letters(10, 20))
                    .with(population.letters(10, 20))
                    .with(population.letters(2, 2))
                    .with(population.zip())
                    .with(population.digits(16))
                    .withTimestampMicros(context.nowMicros())
                    .with(population.number(1, 10) == 1 ? "BC" : "GC")
                    .withDecimal(population.number(0, 5000), 4)
                    .with(population.letters(300, 500));
            context.queue(INSERT_HISTORY)
                    .with(customer)
                    .with(district)
                    .with(warehouse)
                    .with(district)
                    .with(warehouse)
                    .withTimestampMicros(context.nowMicros())
                    .with(population.letters(12, 24));
        }
        context.execute();
        return last - first + 1L;
    }
}
