package dev.fulmar.benchmarks.peers.procedure;

import dev.fulmar.procedure.Procedure;
import dev.fulmar.procedure.ProcedureContext;
import dev.fulmar.procedure.Results;
import dev.fulmar.procedure.Rows;
import dev.fulmar.procedure.Statement;

/** TPC-C-lite's NewOrder in three batches: items, taxes and customer; stock; all writes. */
public final class NewOrder implements Procedure {
    static final Statement WAREHOUSE_TAX = Statement.of("select tax from warehouse where w=?");
    static final Statement DISTRICT = Statement.of("select nxt,tax from district where w=? and d=?");
    static final Statement ADVANCE_DISTRICT = Statement.of("update district set nxt=? where w=? and d=?");
    static final Statement CUSTOMER = Statement.of("select disc,lastn,credit from customer where w=? and d=? and c=?");
    static final Statement INSERT_ORDER = Statement.of("insert into orders values(?,?,?,?,?,?,?,?)");
    static final Statement INSERT_NEW_ORDER = Statement.of("insert into new_order values(?,?,?)");
    static final Statement ITEM = Statement.of("select price,name,data from item where i=?");
    static final Statement STOCK =
            Statement.of("select qty,ytd,cnt,data,dist1,dist2,dist3,dist4,dist5,dist6,dist7,dist8,dist9,dist10"
                    + " from stock where w=? and i=?");
    static final Statement UPDATE_STOCK = Statement.of("update stock set qty=?,ytd=?,cnt=? where w=? and i=?");
    static final Statement INSERT_ORDER_LINE = Statement.of("insert into order_line values(?,?,?,?,?,?,?,?,?)");

    private static final int RESTOCK_BELOW = 10;
    private static final int RESTOCK = 91;
    private static final int FIRST_DISTRICT_COLUMN = 4;

    public Rows run(ProcedureContext context, int w, int d, int c, int[] items, int[] quantities) {
        int lines = items.length;
        for (int item : items) {
            context.queue(ITEM).with(item);
        }
        context.queue(WAREHOUSE_TAX).with(w);
        context.queue(DISTRICT).with(w).with(d);
        context.queue(CUSTOMER).with(w).with(d).with(c);
        Results read = context.execute();
        double warehouseRate = read.rows(lines).first().getDouble(0);
        Rows district = read.rows(lines + 1).first();
        int order = district.getInt(0);
        Rows customer = read.rows(lines + 2).first();

        for (int item : items) {
            context.queue(STOCK).with(w).with(item);
        }
        Results stocks = context.execute();

        queueOrder(context, w, d, c, order, lines);
        long total = 0;
        for (int line = 0; line < lines; line++) {
            long amount = quantities[line] * read.rows(line).first().getLong(0);
            total += amount;
            queueLine(context, stocks.rows(line).first(), w, d, order, line, items[line], quantities[line], amount);
        }
        context.execute();

        double charged = total * (1 - customer.getDouble(0)) * (1 + warehouseRate + district.getDouble(1));
        return context.table("o", "t", "l", "c")
                .row(order, charged, customer.getString(1), customer.getString(2))
                .build();
    }

    private static void queueOrder(ProcedureContext context, int w, int d, int c, int order, int lines) {
        context.queue(ADVANCE_DISTRICT).with(order + 1).with(w).with(d);
        context.queue(INSERT_ORDER)
                .with(w)
                .with(d)
                .with(order)
                .with(c)
                .with(context.nowMicros() / 1000)
                .with(0)
                .with(lines)
                .with(1);
        context.queue(INSERT_NEW_ORDER).with(w).with(d).with(order);
    }

    private static void queueLine(
            ProcedureContext context,
            Rows stock,
            int w,
            int d,
            int order,
            int line,
            int item,
            int quantity,
            long amount) {
        long left = stock.getLong(0) - quantity;
        context.queue(UPDATE_STOCK)
                .with(left < RESTOCK_BELOW ? left + RESTOCK : left)
                .with(stock.getLong(1) + quantity)
                .with(stock.getLong(2) + 1)
                .with(w)
                .with(item);
        context.queue(INSERT_ORDER_LINE)
                .with(w)
                .with(d)
                .with(order)
                .with(line + 1)
                .with(item)
                .with(w)
                .with(quantity)
                .with(amount)
                .withCell(stock, FIRST_DISTRICT_COLUMN + d - 1);
    }
}
