package dev.fulmar.benchmarks.tpcc.procedure;

import dev.fulmar.procedure.Expectation;
import dev.fulmar.procedure.Procedure;
import dev.fulmar.procedure.ProcedureContext;
import dev.fulmar.procedure.Results;
import dev.fulmar.procedure.Rows;
import dev.fulmar.procedure.Statement;

/** TPC-C clause 2.4. Lines whose supplying warehouse lies elsewhere make it a multi-partition transaction. */
public final class NewOrder implements Procedure {
    static final Statement WAREHOUSE =
            Statement.of("SELECT w_tax FROM warehouse WHERE w_id = ?").expecting(Expectation.ONE_ROW);
    static final Statement DISTRICT = Statement.of(
                    "SELECT d_tax, d_next_o_id FROM district WHERE d_w_id = ? AND d_id = ?")
            .expecting(Expectation.ONE_ROW);
    static final Statement ADVANCE_DISTRICT =
            Statement.of("UPDATE district SET d_next_o_id = ? WHERE d_w_id = ? AND d_id = ?");
    static final Statement CUSTOMER = Statement.of(
                    "SELECT c_discount, c_last, c_credit FROM customer WHERE c_w_id = ? AND c_d_id = ? AND c_id = ?")
            .expecting(Expectation.ONE_ROW);
    static final Statement ITEM = Statement.of("SELECT i_price, i_name, i_data FROM item WHERE i_id = ?");
    static final Statement STOCK = Statement.of(
                    "SELECT s_quantity, s_ytd, s_order_cnt, s_remote_cnt, s_data, s_dist_01, s_dist_02, s_dist_03, s_dist_04,"
                            + " s_dist_05, s_dist_06, s_dist_07, s_dist_08, s_dist_09, s_dist_10"
                            + " FROM stock WHERE s_w_id = ? AND s_i_id = ?")
            .expecting(Expectation.ONE_ROW);
    static final Statement UPDATE_STOCK = Statement.of("UPDATE stock SET s_quantity = ?, s_ytd = ?, s_order_cnt = ?,"
            + " s_remote_cnt = ? WHERE s_w_id = ? AND s_i_id = ?");
    static final Statement INSERT_ORDER = Statement.of("INSERT INTO orders (o_w_id, o_d_id, o_id, o_c_id, o_entry_d,"
            + " o_carrier_id, o_ol_cnt, o_all_local) VALUES (?, ?, ?, ?, ?, NULL, ?, ?)");
    static final Statement INSERT_NEW_ORDER =
            Statement.of("INSERT INTO new_order (no_w_id, no_d_id, no_o_id) VALUES (?, ?, ?)");
    static final Statement INSERT_ORDER_LINE = Statement.of("INSERT INTO order_line (ol_w_id, ol_d_id, ol_o_id,"
            + " ol_number, ol_i_id, ol_supply_w_id, ol_delivery_d, ol_quantity, ol_amount, ol_dist_info)"
            + " VALUES (?, ?, ?, ?, ?, ?, NULL, ?, ?, ?)");

    private static final int FIRST_DISTRICT_COLUMN = 5;
    private static final int RESTOCK_BELOW = 10;
    private static final int RESTOCK = 91;

    public Rows run(
            ProcedureContext context,
            int warehouse,
            int district,
            int customer,
            int[] items,
            int[] supplyWarehouses,
            int[] quantities) {
        int lines = items.length;
        for (int item : items) {
            context.queue(ITEM).with(item);
        }
        context.queue(WAREHOUSE).with(warehouse);
        context.queue(DISTRICT).with(warehouse).with(district);
        context.queue(CUSTOMER).with(warehouse).with(district).with(customer);
        Results read = context.execute();
        for (int line = 0; line < lines; line++) {
            if (read.rows(line).rowCount() == 0) {
                throw context.abort("Item number is not valid");
            }
        }
        double warehouseTax = read.rows(lines).first().getDouble(0);
        Rows districtRow = read.rows(lines + 1).first();
        double districtTax = districtRow.getDouble(0);
        int order = districtRow.getInt(1);
        Rows customerRow = read.rows(lines + 2).first();

        for (int line = 0; line < lines; line++) {
            context.queue(STOCK).with(supplyWarehouses[line]).with(items[line]);
        }
        Results stocks = context.execute();

        queueOrder(context, warehouse, district, customer, order, supplyWarehouses);
        long totalCents = 0;
        for (int line = 0; line < lines; line++) {
            long amountCents = quantities[line] * read.rows(line).first().getUnscaled(0);
            totalCents += amountCents;
            Rows stock = stocks.rows(line).first();
            queueStock(context, stock, warehouse, supplyWarehouses[line], items[line], quantities[line]);
            context.queue(INSERT_ORDER_LINE)
                    .with(warehouse)
                    .with(district)
                    .with(order)
                    .with(line + 1)
                    .with(items[line])
                    .with(supplyWarehouses[line])
                    .with(quantities[line])
                    .withDecimal(amountCents, 2)
                    .withCell(stock, FIRST_DISTRICT_COLUMN + district - 1);
        }
        context.execute();

        double total = totalCents / 100.0 * (1 - customerRow.getDouble(0)) * (1 + warehouseTax + districtTax);
        return context.table("o_id", "total", "c_last", "c_credit")
                .row(order, total, customerRow.getString(1), customerRow.getString(2))
                .build();
    }

    private static void queueOrder(
            ProcedureContext context, int warehouse, int district, int customer, int order, int[] supplyWarehouses) {
        context.queue(ADVANCE_DISTRICT).with(order + 1).with(warehouse).with(district);
        context.queue(INSERT_ORDER)
                .with(warehouse)
                .with(district)
                .with(order)
                .with(customer)
                .withTimestampMicros(context.nowMicros())
                .with(supplyWarehouses.length)
                .with(allLocal(warehouse, supplyWarehouses) ? 1 : 0);
        context.queue(INSERT_NEW_ORDER).with(warehouse).with(district).with(order);
    }

    private static void queueStock(
            ProcedureContext context, Rows stock, int warehouse, int supplyWarehouse, int item, int quantity) {
        int left = stock.getInt(0) - quantity;
        context.queue(UPDATE_STOCK)
                .with(left < RESTOCK_BELOW ? left + RESTOCK : left)
                .with(stock.getLong(1) + quantity)
                .with(stock.getLong(2) + 1)
                .with(stock.getLong(3) + (supplyWarehouse == warehouse ? 0 : 1))
                .with(supplyWarehouse)
                .with(item);
    }

    private static boolean allLocal(int warehouse, int[] supplyWarehouses) {
        for (int supplyWarehouse : supplyWarehouses) {
            if (supplyWarehouse != warehouse) {
                return false;
            }
        }
        return true;
    }
}
