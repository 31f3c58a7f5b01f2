package dev.fulmar.benchmarks.tpcc.procedure;

import dev.fulmar.procedure.Procedure;
import dev.fulmar.procedure.ProcedureContext;
import dev.fulmar.procedure.Results;
import dev.fulmar.procedure.Rows;
import dev.fulmar.procedure.Statement;

/**
 * TPC-C clause 2.7: the oldest undelivered order of each district, in one transaction. Returns how many were delivered.
 */
public final class Delivery implements Procedure {
    static final Statement OLDEST =
            Statement.of("SELECT no_o_id FROM new_order WHERE no_w_id = ? AND no_d_id = ? ORDER BY no_o_id LIMIT 1");
    static final Statement DELETE_NEW_ORDER =
            Statement.of("DELETE FROM new_order WHERE no_w_id = ? AND no_d_id = ? AND no_o_id = ?");
    static final Statement CUSTOMER_OF_ORDER =
            Statement.of("SELECT o_c_id FROM orders WHERE o_w_id = ? AND o_d_id = ? AND o_id = ?");
    static final Statement AMOUNT =
            Statement.of("SELECT SUM(ol_amount) FROM order_line WHERE ol_w_id = ? AND ol_d_id = ? AND ol_o_id = ?");
    static final Statement SET_CARRIER =
            Statement.of("UPDATE orders SET o_carrier_id = ? WHERE o_w_id = ? AND o_d_id = ? AND o_id = ?");
    static final Statement SET_DELIVERY =
            Statement.of("UPDATE order_line SET ol_delivery_d = ? WHERE ol_w_id = ? AND ol_d_id = ? AND ol_o_id = ?");
    static final Statement CREDIT_CUSTOMER = Statement.of("UPDATE customer SET c_balance = c_balance + ?,"
            + " c_delivery_cnt = c_delivery_cnt + 1 WHERE c_w_id = ? AND c_d_id = ? AND c_id = ?");

    private static final int DISTRICTS = 10;

    public long run(ProcedureContext context, int warehouse, int carrier) {
        for (int district = 1; district <= DISTRICTS; district++) {
            context.queue(OLDEST).with(warehouse).with(district);
        }
        Results oldest = context.execute();
        long[] orders = new long[DISTRICTS + 1];
        int delivered = 0;
        for (int district = 1; district <= DISTRICTS; district++) {
            Rows row = oldest.rows(district - 1);
            if (row.rowCount() > 0) {
                orders[district] = row.first().getLong(0);
                delivered++;
                queueOrder(context, warehouse, district, orders[district], carrier);
            }
        }
        if (delivered == 0) {
            return 0;
        }
        Results read = context.execute();
        int position = 0;
        for (int district = 1; district <= DISTRICTS; district++) {
            if (orders[district] != 0) {
                long customer = read.rows(position).first().getLong(0);
                Rows amount = read.rows(position + 1).first();
                context.queue(CREDIT_CUSTOMER)
                        .withCell(amount, 0)
                        .with(warehouse)
                        .with(district)
                        .with(customer);
                position += STATEMENTS_PER_ORDER;
            }
        }
        context.execute();
        return delivered;
    }

    private static final int STATEMENTS_PER_ORDER = 5;

    private static void queueOrder(ProcedureContext context, int warehouse, int district, long order, int carrier) {
        context.queue(CUSTOMER_OF_ORDER).with(warehouse).with(district).with(order);
        context.queue(AMOUNT).with(warehouse).with(district).with(order);
        context.queue(DELETE_NEW_ORDER).with(warehouse).with(district).with(order);
        context.queue(SET_CARRIER).with(carrier).with(warehouse).with(district).with(order);
        context.queue(SET_DELIVERY)
                .withTimestampMicros(context.nowMicros())
                .with(warehouse)
                .with(district)
                .with(order);
    }
}
