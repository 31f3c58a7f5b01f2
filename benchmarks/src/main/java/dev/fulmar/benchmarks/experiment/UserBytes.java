package dev.fulmar.benchmarks.experiment;

import dev.fulmar.benchmarks.workload.Statements;
import dev.fulmar.client.FulmarClient;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Bytes that committed transactions wrote, as their users see them: numbers and times by their width, texts by their
 * length.
 *
 * @param rows bytes of the images of all rows that were written, each time whole
 * @param columns bytes of the columns that were changed
 */
record UserBytes(double rows, double columns) {
    UserBytes since(UserBytes earlier) {
        return new UserBytes(rows - earlier.rows, columns - earlier.columns);
    }

    /** So many writes of a row of so many bytes, of which some are changed. */
    static UserBytes of(long writes, int rowBytes, int changedBytes) {
        return new UserBytes((double) writes * rowBytes, (double) writes * changedBytes);
    }

    /** Bytes that TPC-C's transactions have written so far, by what its tables count of themselves. */
    static UserBytes ofTpcc(FulmarClient client) {
        double newOrders = number(client, "SELECT SUM(d_next_o_id) FROM district");
        double lines = number(client, "SELECT COUNT(*) FROM order_line");
        double payments = number(client, "SELECT COUNT(*) FROM history");
        double deliveries = number(client, "SELECT SUM(c_delivery_cnt) FROM customer");
        double deliveredLines = number(client, "SELECT COUNT(*) FROM order_line WHERE ol_delivery_d IS NOT NULL");
        double badCredit = number(client, "SELECT COUNT(*) FROM customer WHERE c_credit = 'BC'")
                / number(client, "SELECT COUNT(*) FROM customer");
        double customerData = texts(client, "customer", "c_data");

        double warehouse = 20 + texts(client, "warehouse", "w_name,w_street_1,w_street_2,w_city,w_state,w_zip");
        double district = 28 + texts(client, "district", "d_name,d_street_1,d_street_2,d_city,d_state,d_zip");
        double customer = 60
                + customerData
                + texts(
                        client,
                        "customer",
                        "c_first,c_middle,c_last,c_street_1,c_street_2,c_city,c_state,c_zip,c_phone,c_credit");
        double history = payments == 0 ? 0 : 36 + texts(client, "history", "h_data");
        double stock = 28 + 240 + texts(client, "stock", "s_data");
        double order = 36;
        double newOrder = 12;
        double line = 44 + 24;

        double rows = newOrders * (district + order + newOrder)
                + lines * (line + stock)
                + payments * (warehouse + district + customer + history)
                + deliveries * (newOrder + order + customer)
                + deliveredLines * line;
        double columns = newOrders * (4 + order + newOrder)
                + lines * (line + 16)
                + payments * (8 + 8 + 20 + badCredit * customerData + history)
                + deliveries * (newOrder + 4 + 12)
                + deliveredLines * 8;
        return new UserBytes(rows, columns);
    }

    /** Bytes of the texts of a row, on average. */
    private static double texts(FulmarClient client, String table, String columns) {
        List<String> lengths = Arrays.stream(columns.split(","))
                .map(column -> "SUM(CHAR_LENGTH(" + column + "))")
                .toList();
        return number(client, "SELECT " + lengths.stream().collect(Collectors.joining(" + ")) + " FROM " + table)
                / number(client, "SELECT COUNT(*) FROM " + table);
    }

    private static double number(FulmarClient client, String query) {
        return Statements.longOf(client, query);
    }
}
