package dev.fulmar.benchmarks.tpcc.procedure;

import dev.fulmar.procedure.Expectation;
import dev.fulmar.procedure.Procedure;
import dev.fulmar.procedure.ProcedureContext;
import dev.fulmar.procedure.ReadOnly;
import dev.fulmar.procedure.Results;
import dev.fulmar.procedure.Rows;
import dev.fulmar.procedure.Statement;
import org.jspecify.annotations.Nullable;

/** TPC-C clause 2.6: a customer, the latest order, and its lines. */
@ReadOnly
public final class OrderStatus implements Procedure {
    static final Statement CUSTOMER = Statement.of("SELECT c_id, c_first, c_middle, c_last, c_balance FROM customer"
                    + " WHERE c_w_id = ? AND c_d_id = ? AND c_id = ?")
            .expecting(Expectation.ONE_ROW);
    static final Statement LATEST_ORDER = Statement.of("SELECT o_id, o_carrier_id, o_entry_d FROM orders"
                    + " WHERE o_w_id = ? AND o_d_id = ? AND o_c_id = ? ORDER BY o_id DESC LIMIT 1")
            .expecting(Expectation.ZERO_OR_ONE_ROW);
    static final Statement LINES = Statement.of("SELECT ol_i_id, ol_supply_w_id, ol_quantity, ol_amount, ol_delivery_d"
            + " FROM order_line WHERE ol_w_id = ? AND ol_d_id = ? AND ol_o_id = ? ORDER BY ol_number");

    public Rows[] run(
            ProcedureContext context, int warehouse, int district, int customerNumber, @Nullable String lastName) {
        int customer = lastName == null ? customerNumber : CustomerByName.find(context, warehouse, district, lastName);
        context.queue(CUSTOMER).with(warehouse).with(district).with(customer);
        context.queue(LATEST_ORDER).with(warehouse).with(district).with(customer);
        Results read = context.execute();
        Rows order = read.rows(1);
        if (order.rowCount() == 0) {
            return new Rows[] {read.rows(0), order};
        }
        context.queue(LINES).with(warehouse).with(district).with(order.first().getLong(0));
        return new Rows[] {read.rows(0), order, context.execute().rows(0)};
    }
}
