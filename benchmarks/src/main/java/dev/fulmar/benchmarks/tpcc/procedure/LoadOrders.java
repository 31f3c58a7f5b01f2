package dev.fulmar.benchmarks.tpcc.procedure;

import dev.fulmar.procedure.Arguments;
import dev.fulmar.procedure.Procedure;
import dev.fulmar.procedure.ProcedureContext;
import dev.fulmar.procedure.Statement;

/**
 * Inserts a range of a district's orders with their lines. The orders' customers are a permutation; the last part of
 * the orders is not delivered.
 */
public final class LoadOrders implements Procedure {
    static final Statement INSERT_ORDER =
            Statement.of("INSERT INTO orders (o_w_id, o_d_id, o_id, o_c_id, o_entry_d, o_carrier_id, o_ol_cnt,"
                    + " o_all_local) VALUES (?, ?, ?, ?, ?, ?, ?, 1)");
    static final Statement INSERT_NEW_ORDER =
            Statement.of("INSERT INTO new_order (no_w_id, no_d_id, no_o_id) VALUES (?, ?, ?)");
    static final Statement INSERT_LINE =
            Statement.of("INSERT INTO order_line (ol_w_id, ol_d_id, ol_o_id, ol_number, ol_i_id, ol_supply_w_id,"
                    + " ol_delivery_d, ol_quantity, ol_amount, ol_dist_info) VALUES (?, ?, ?, ?, ?, ?, ?, 5, ?, ?)");

    /**
     * @param customers customer numbers of the orders {@code first}, {@code first + 1} and so on
     * @param firstUndelivered number of the first order that has not been delivered
     * @param items number of items in the catalogue
     */
    public long run(
            ProcedureContext context,
            int warehouse,
            int district,
            int first,
            int[] customers,
            int firstUndelivered,
            int items) {
        Population population = new Population(context.random());
        for (int i = 0; i < customers.length; i++) {
            int order = first + i;
            boolean delivered = order < firstUndelivered;
            int lines = population.number(5, 15);
            Arguments row = context.queue(INSERT_ORDER)
                    .with(warehouse)
                    .with(district)
                    .with(order)
                    .with(customers[i])
                    .withTimestampMicros(context.nowMicros());
            row = delivered ? row.with(population.number(1, 10)) : row.withNull();
            row.with(lines);
            if (!delivered) {
                context.queue(INSERT_NEW_ORDER).with(warehouse).with(district).with(order);
            }
            for (int line = 1; line <= lines; line++) {
                queueLine(context, population, warehouse, district, order, line, items, delivered);
            }
        }
        context.execute();
        return customers.length;
    }

    private static void queueLine(
            ProcedureContext context,
            Population population,
            int warehouse,
            int district,
            int order,
            int line,
            int items,
            boolean delivered) {
        Arguments row = context.queue(INSERT_LINE)
                .with(warehouse)
                .with(district)
                .with(order)
                .with(line)
                .with(population.number(1, items))
                .with(warehouse);
        row = delivered ? row.withTimestampMicros(context.nowMicros()) : row.withNull();
        row.withDecimal(delivered ? 0 : population.number(1, 999_999), 2).with(population.letters(24, 24));
    }
}
