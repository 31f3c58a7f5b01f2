package dev.fulmar.benchmarks.tpcc.procedure;

import dev.fulmar.procedure.Expectation;
import dev.fulmar.procedure.Procedure;
import dev.fulmar.procedure.ProcedureContext;
import dev.fulmar.procedure.ReadOnly;
import dev.fulmar.procedure.Statement;

/** TPC-C clause 2.8: how many items of a district's last 20 orders are low in stock. */
@ReadOnly
public final class StockLevel implements Procedure {
    static final Statement NEXT_ORDER = Statement.of("SELECT d_next_o_id FROM district WHERE d_w_id = ? AND d_id = ?")
            .expecting(Expectation.SCALAR);
    static final Statement LOW = Statement.of("SELECT COUNT(DISTINCT s_i_id) FROM order_line"
                    + " JOIN stock ON s_w_id = ol_w_id AND s_i_id = ol_i_id"
                    + " WHERE ol_w_id = ? AND ol_d_id = ? AND ol_o_id >= ? AND ol_o_id < ? AND s_quantity < ?")
            .expecting(Expectation.SCALAR);

    private static final int ORDERS = 20;

    public long run(ProcedureContext context, int warehouse, int district, int threshold) {
        context.queue(NEXT_ORDER).with(warehouse).with(district);
        long next = context.execute().rows(0).first().getLong(0);
        context.queue(LOW)
                .with(warehouse)
                .with(district)
                .with(next - ORDERS)
                .with(next)
                .with(threshold);
        return context.execute().rows(0).first().getLong(0);
    }
}
