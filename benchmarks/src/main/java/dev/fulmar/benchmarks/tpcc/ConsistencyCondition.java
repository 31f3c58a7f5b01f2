package dev.fulmar.benchmarks.tpcc;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A consistency condition of TPC-C (clause 3.3.2) as a query that counts violations in one district; it must yield 0.
 *
 * @param number as in the specification, 1 to 12
 * @param perWarehouse whether one district stands for its whole warehouse
 * @param sql with {@code :w}, {@code :d} and {@code :delivered} for warehouse, district and initially delivered orders
 */
public record ConsistencyCondition(int number, String meaning, boolean perWarehouse, String sql) {
    private static final Pattern NAME = Pattern.compile(":(w|delivered|d)\\b");

    private static final String DELIVERED_BY_CUSTOMER = "(SELECT o_c_id, SUM(ol_amount) AS delivered FROM orders"
            + " JOIN order_line ON ol_w_id = o_w_id AND ol_d_id = o_d_id AND ol_o_id = o_id"
            + " WHERE o_w_id = :w AND o_d_id = :d AND ol_delivery_d IS NOT NULL GROUP BY o_c_id) l ON o_c_id = c_id";

    /** All twelve. Condition 11 is stated so that it holds after deliveries too. */
    public static List<ConsistencyCondition> all() {
        List<ConsistencyCondition> conditions = new ArrayList<>(aboutOrders());
        conditions.addAll(aboutMoney());
        return List.copyOf(conditions);
    }

    private static List<ConsistencyCondition> aboutOrders() {
        return List.of(
                new ConsistencyCondition(
                        2,
                        "the next order number follows the highest order and the highest new order",
                        false,
                        "SELECT COUNT(*) FROM district WHERE d_w_id = :w AND d_id = :d AND (d_next_o_id - 1 <>"
                                + " (SELECT MAX(o_id) FROM orders WHERE o_w_id = :w AND o_d_id = :d) OR d_next_o_id - 1 <>"
                                + " COALESCE((SELECT MAX(no_o_id) FROM new_order WHERE no_w_id = :w AND no_d_id = :d),"
                                + " d_next_o_id - 1))"),
                new ConsistencyCondition(
                        3,
                        "new orders are numbered without gaps",
                        false,
                        "SELECT COUNT(*) FROM (SELECT MAX(no_o_id) AS hi, MIN(no_o_id) AS lo, COUNT(*) AS n FROM new_order"
                                + " WHERE no_w_id = :w AND no_d_id = :d) t WHERE n > 0 AND hi - lo + 1 <> n"),
                new ConsistencyCondition(
                        4,
                        "the orders' line counts add up to the lines of the district",
                        false,
                        "SELECT COUNT(*) FROM (SELECT SUM(o_ol_cnt) AS s FROM orders WHERE o_w_id = :w AND o_d_id = :d) a,"
                                + " (SELECT COUNT(*) AS n FROM order_line WHERE ol_w_id = :w AND ol_d_id = :d) b WHERE s <> n"),
                new ConsistencyCondition(
                        5,
                        "an order has no carrier exactly as long as it is a new order",
                        false,
                        "SELECT COUNT(*) FROM orders LEFT JOIN new_order ON no_w_id = o_w_id AND no_d_id = o_d_id"
                                + " AND no_o_id = o_id WHERE o_w_id = :w AND o_d_id = :d AND ((o_carrier_id IS NULL AND"
                                + " no_o_id IS NULL) OR (o_carrier_id IS NOT NULL AND no_o_id IS NOT NULL))"),
                new ConsistencyCondition(
                        6,
                        "every order has as many lines as it says",
                        false,
                        "SELECT COUNT(*) FROM orders LEFT JOIN (SELECT ol_o_id, COUNT(*) AS n FROM order_line"
                                + " WHERE ol_w_id = :w AND ol_d_id = :d GROUP BY ol_o_id) l ON ol_o_id = o_id"
                                + " WHERE o_w_id = :w AND o_d_id = :d AND (n IS NULL OR n <> o_ol_cnt)"),
                new ConsistencyCondition(
                        7,
                        "a line has no delivery date exactly as long as its order has no carrier",
                        false,
                        "SELECT COUNT(*) FROM order_line JOIN orders ON o_w_id = ol_w_id AND o_d_id = ol_d_id"
                                + " AND o_id = ol_o_id WHERE ol_w_id = :w AND ol_d_id = :d AND ((ol_delivery_d IS NULL AND"
                                + " o_carrier_id IS NOT NULL) OR (ol_delivery_d IS NOT NULL AND o_carrier_id IS NULL))"),
                new ConsistencyCondition(
                        11,
                        "orders that are not new are those delivered at first and since",
                        false,
                        "SELECT COUNT(*) FROM (SELECT COUNT(*) AS o FROM orders WHERE o_w_id = :w AND o_d_id = :d) a,"
                                + " (SELECT COUNT(*) AS n FROM new_order WHERE no_w_id = :w AND no_d_id = :d) b,"
                                + " (SELECT SUM(c_delivery_cnt) AS s FROM customer WHERE c_w_id = :w AND c_d_id = :d) c"
                                + " WHERE o - n <> :delivered + s"));
    }

    private static List<ConsistencyCondition> aboutMoney() {
        return List.of(
                new ConsistencyCondition(
                        1,
                        "a warehouse's year-to-date total is the sum of its districts'",
                        true,
                        "SELECT COUNT(*) FROM warehouse WHERE w_id = :w AND w_ytd <>"
                                + " (SELECT SUM(d_ytd) FROM district WHERE d_w_id = :w)"),
                new ConsistencyCondition(
                        8,
                        "a warehouse's year-to-date total is the sum of its history",
                        true,
                        "SELECT COUNT(*) FROM warehouse WHERE w_id = :w AND w_ytd <>"
                                + " (SELECT SUM(h_amount) FROM history WHERE h_w_id = :w)"),
                new ConsistencyCondition(
                        9,
                        "a district's year-to-date total is the sum of its history",
                        false,
                        "SELECT COUNT(*) FROM district WHERE d_w_id = :w AND d_id = :d AND d_ytd <>"
                                + " (SELECT SUM(h_amount) FROM history WHERE h_w_id = :w AND h_d_id = :d)"),
                new ConsistencyCondition(
                        10,
                        "a customer's balance is what was delivered less what was paid",
                        false,
                        "SELECT COUNT(*) FROM customer LEFT JOIN " + DELIVERED_BY_CUSTOMER
                                + " LEFT JOIN (SELECT h_c_id, SUM(h_amount) AS paid FROM history"
                                + " WHERE h_c_w_id = :w AND h_c_d_id = :d GROUP BY h_c_id) h ON h_c_id = c_id"
                                + " WHERE c_w_id = :w AND c_d_id = :d"
                                + " AND c_balance <> COALESCE(delivered, 0) - COALESCE(paid, 0)"),
                new ConsistencyCondition(
                        12,
                        "a customer's balance and payments add up to what was delivered",
                        false,
                        "SELECT COUNT(*) FROM customer LEFT JOIN " + DELIVERED_BY_CUSTOMER
                                + " WHERE c_w_id = :w AND c_d_id = :d"
                                + " AND c_balance + c_ytd_payment <> COALESCE(delivered, 0)"));
    }

    /** The query with {@code ?} for its names. */
    public String statement() {
        return NAME.matcher(sql).replaceAll("?");
    }

    /** Values of the statement's parameters. */
    public Object[] arguments(int warehouse, int district, int deliveredOrders) {
        List<Object> values = new ArrayList<>();
        Matcher names = NAME.matcher(sql);
        while (names.find()) {
            values.add(
                    switch (names.group(1)) {
                        case "w" -> warehouse;
                        case "d" -> district;
                        default -> deliveredOrders;
                    });
        }
        return values.toArray();
    }
}
