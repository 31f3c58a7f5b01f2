package dev.fulmar.benchmarks.tpcc.procedure;

import dev.fulmar.procedure.Expectation;
import dev.fulmar.procedure.ProcedureContext;
import dev.fulmar.procedure.Rows;
import dev.fulmar.procedure.Statement;

/** Finds the customer in the middle of all with a last name, by first name (TPC-C clause 2.5.2.2). */
final class CustomerByName {
    static final Statement BY_NAME = Statement.of(
                    "SELECT c_id FROM customer WHERE c_w_id = ? AND c_d_id = ? AND c_last = ? ORDER BY c_first")
            .expecting(Expectation.NON_EMPTY);

    private CustomerByName() {}

    static int find(ProcedureContext context, int warehouse, int district, String lastName) {
        context.queue(BY_NAME).with(warehouse).with(district).with(lastName);
        Rows rows = context.execute().rows(0);
        return rows.at((rows.rowCount() - 1) / 2).getInt(0);
    }
}
