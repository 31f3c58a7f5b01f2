package dev.fulmar.benchmarks.tpcc.procedure;

import dev.fulmar.procedure.Expectation;
import dev.fulmar.procedure.Procedure;
import dev.fulmar.procedure.ProcedureContext;
import dev.fulmar.procedure.Results;
import dev.fulmar.procedure.Rows;
import dev.fulmar.procedure.Statement;
import org.jspecify.annotations.Nullable;

/** TPC-C clause 2.5. The customer is named by number, or by last name where the name is not null. */
public final class Payment implements Procedure {
    static final Statement WAREHOUSE = Statement.of(
                    "SELECT w_name, w_street_1, w_street_2, w_city, w_state, w_zip FROM warehouse WHERE w_id = ?")
            .expecting(Expectation.ONE_ROW);
    static final Statement PAY_WAREHOUSE = Statement.of("UPDATE warehouse SET w_ytd = w_ytd + ? WHERE w_id = ?");
    static final Statement DISTRICT = Statement.of(
                    "SELECT d_name, d_street_1, d_street_2, d_city, d_state, d_zip FROM district"
                            + " WHERE d_w_id = ? AND d_id = ?")
            .expecting(Expectation.ONE_ROW);
    static final Statement PAY_DISTRICT =
            Statement.of("UPDATE district SET d_ytd = d_ytd + ? WHERE d_w_id = ? AND d_id = ?");
    static final Statement CUSTOMER = Statement.of("SELECT c_first, c_middle, c_last, c_street_1, c_street_2, c_city,"
                    + " c_state, c_zip, c_phone, c_since, c_credit, c_credit_lim, c_discount, c_balance, c_data"
                    + " FROM customer WHERE c_w_id = ? AND c_d_id = ? AND c_id = ?")
            .expecting(Expectation.ONE_ROW);
    static final Statement PAY_CUSTOMER = Statement.of("UPDATE customer SET c_balance = c_balance - ?,"
            + " c_ytd_payment = c_ytd_payment + ?, c_payment_cnt = c_payment_cnt + 1"
            + " WHERE c_w_id = ? AND c_d_id = ? AND c_id = ?");
    static final Statement SET_CUSTOMER_DATA =
            Statement.of("UPDATE customer SET c_data = ? WHERE c_w_id = ? AND c_d_id = ? AND c_id = ?");
    static final Statement INSERT_HISTORY = Statement.of("INSERT INTO history (h_c_id, h_c_d_id, h_c_w_id, h_d_id,"
            + " h_w_id, h_date, h_amount, h_data) VALUES (?, ?, ?, ?, ?, ?, ?, ?)");

    private static final int CREDIT = 10;
    private static final int DATA = 14;
    private static final int DATA_CHARACTERS = 500;

    public Rows run(
            ProcedureContext context,
            int warehouse,
            int district,
            long amountCents,
            int customerWarehouse,
            int customerDistrict,
            int customerNumber,
            @Nullable String lastName) {
        int customer = lastName == null
                ? customerNumber
                : CustomerByName.find(context, customerWarehouse, customerDistrict, lastName);
        context.queue(WAREHOUSE).with(warehouse);
        context.queue(DISTRICT).with(warehouse).with(district);
        context.queue(PAY_WAREHOUSE).withDecimal(amountCents, 2).with(warehouse);
        context.queue(PAY_DISTRICT).withDecimal(amountCents, 2).with(warehouse).with(district);
        context.queue(PAY_CUSTOMER)
                .withDecimal(amountCents, 2)
                .withDecimal(amountCents, 2)
                .with(customerWarehouse)
                .with(customerDistrict)
                .with(customer);
        context.queue(CUSTOMER).with(customerWarehouse).with(customerDistrict).with(customer);
        Results read = context.execute();
        String places = read.rows(0).first().getString(0) + "    "
                + read.rows(1).first().getString(0);
        Rows customerRow = read.rows(5).first();

        if ("BC".equals(customerRow.getString(CREDIT))) {
            String data = customer + " " + customerDistrict + " " + customerWarehouse + " " + district + " " + warehouse
                    + " " + amountCents + "|" + customerRow.getString(DATA);
            context.queue(SET_CUSTOMER_DATA)
                    .with(data.length() > DATA_CHARACTERS ? data.substring(0, DATA_CHARACTERS) : data)
                    .with(customerWarehouse)
                    .with(customerDistrict)
                    .with(customer);
        }
        context.queue(INSERT_HISTORY)
                .with(customer)
                .with(customerDistrict)
                .with(customerWarehouse)
                .with(district)
                .with(warehouse)
                .withTimestampMicros(context.nowMicros())
                .withDecimal(amountCents, 2)
                .with(places);
        context.execute();
        return read.rows(5);
    }
}
