package dev.fulmar.simulator.crash;

import dev.fulmar.benchmarks.random.NonUniform;
import dev.fulmar.benchmarks.tpcc.ConsistencyCondition;
import dev.fulmar.benchmarks.tpcc.TpccScale;
import dev.fulmar.benchmarks.tpcc.TpccWorkload;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.foundation.random.RandomSource;
import dev.fulmar.simulator.campaign.FinalState;
import dev.fulmar.simulator.crash.procedure.Stamp;
import dev.fulmar.simulator.verify.Operation;
import dev.fulmar.simulator.workload.ProcedureEditions;
import dev.fulmar.simulator.world.SimulatedDatabase;
import dev.fulmar.sql.text.ScriptSplitter;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The transactions of TPC-C, with the real procedures, on few rows and with many remote ones. The numbers of a
 * warehouse: sums that every commit changes, and how many orders of each district are new.
 */
final class TpccCrashWorkload implements CrashWorkload {
    private static final int ITEMS = 100;
    private static final int CUSTOMERS = 10;
    private static final int REMOTE_PERCENT = 15;

    /** By each customer, in dollars. */
    private static final long PAID_AT_FIRST = 10;

    private static final int NEXT_ORDERS = 0;
    private static final int LINES = 1;
    private static final int PAYMENTS = 2;
    private static final int STOCK_ORDERS = 3;
    private static final int CUSTOMER_PAYMENTS = 4;
    private static final int CUSTOMER_DELIVERIES = 5;
    private static final int NEW_ORDERS = 6;
    private static final int WAREHOUSE_NUMBERS = NEW_ORDERS + TpccScale.DISTRICTS;

    private static final List<String> SUMS = List.of(
            "SELECT SUM(d_next_o_id) FROM district WHERE d_w_id = ?",
            "SELECT COUNT(*) FROM order_line WHERE ol_w_id = ?",
            "SELECT COUNT(*) FROM history WHERE h_w_id = ?",
            "SELECT SUM(s_order_cnt) FROM stock WHERE s_w_id = ?",
            "SELECT SUM(c_payment_cnt) FROM customer WHERE c_w_id = ?",
            "SELECT SUM(c_delivery_cnt) FROM customer WHERE c_w_id = ?");

    private final TpccScale scale;
    private final PartitionPlan plan;
    private final NonUniform nonUniform;
    private final TpccWorkload workload;

    TpccCrashWorkload(RandomSource random) {
        int warehouses = 2 + random.nextInt(2);
        scale = new TpccScale(warehouses, ITEMS, CUSTOMERS);
        plan = random.nextInt(3) == 0 ? PartitionPlan.ranges(1) : PartitionPlan.ranges(1, 2);
        SplittableRandom constants = new SplittableRandom(random.nextLong());
        workload = new TpccWorkload(scale, constants);
        nonUniform = NonUniform.draw(constants);
    }

    @Override
    public PartitionPlan plan() {
        return plan;
    }

    @Override
    public List<String> statements() {
        return ScriptSplitter.split(workload.ddl());
    }

    @Override
    public byte[] jar(long edition) {
        List<Class<?>> classes = new ArrayList<>(workload.procedureClasses());
        classes.add(Stamp.class);
        return ProcedureEditions.jar(ProcedureEditions.FIRST + edition, classes);
    }

    @Override
    public void fill(SimulatedDatabase database) {
        database.call("LoadItems", 1, ITEMS);
        for (int warehouse = 1; warehouse <= scale.warehouses(); warehouse++) {
            database.call("LoadWarehouse", warehouse, CUSTOMERS);
            database.call("LoadStock", warehouse, 1, ITEMS);
            for (int district = 1; district <= TpccScale.DISTRICTS; district++) {
                database.call("LoadCustomers", warehouse, district, 1, CUSTOMERS, nonUniform.lastNameLoadConstant());
                int[] customers = new int[CUSTOMERS];
                for (int i = 0; i < CUSTOMERS; i++) {
                    customers[i] = i + 1;
                }
                database.call("LoadOrders", warehouse, district, 1, customers, scale.deliveredOrders() + 1, ITEMS);
            }
        }
        // The loading procedures write the totals of the specification's 3,000 customers.
        database.execute("UPDATE district SET d_ytd = ?", PAID_AT_FIRST * CUSTOMERS);
        database.execute("UPDATE warehouse SET w_ytd = ?", PAID_AT_FIRST * CUSTOMERS * TpccScale.DISTRICTS);
    }

    @Override
    public Supplier<Ask> asks(RandomSource random) {
        return () -> {
            int kind = random.nextInt(100);
            int warehouse = 1 + random.nextInt(scale.warehouses());
            if (kind < 45) {
                return newOrder(warehouse, random);
            }
            if (kind < 85) {
                return payment(warehouse, random);
            }
            if (kind < 95) {
                return ask("Delivery", false, warehouse, 1 + random.nextInt(10));
            }
            return ask("StockLevel", false, warehouse, district(random), 15);
        };
    }

    private static Ask ask(String procedure, boolean mayRollBack, @Nullable Object... arguments) {
        return new Ask(procedure, false, arguments, mayRollBack, null);
    }

    private static int number(Ask ask, int place) {
        return (Integer) Objects.requireNonNull(ask.arguments()[place]);
    }

    private static int district(RandomSource random) {
        return 1 + random.nextInt(TpccScale.DISTRICTS);
    }

    private int otherWarehouse(int warehouse, RandomSource random) {
        int other = 1 + random.nextInt(scale.warehouses() - 1);
        return other < warehouse ? other : other + 1;
    }

    private Ask newOrder(int warehouse, RandomSource random) {
        int lines = 2 + random.nextInt(5);
        int[] items = new int[lines];
        int[] suppliers = new int[lines];
        int[] quantities = new int[lines];
        int first = random.nextInt(ITEMS);
        boolean remote = random.nextInt(100) < REMOTE_PERCENT;
        for (int line = 0; line < lines; line++) {
            items[line] = 1 + (first + 7 * line) % ITEMS;
            suppliers[line] = remote && line % 2 == 0 ? otherWarehouse(warehouse, random) : warehouse;
            quantities[line] = 1 + random.nextInt(10);
        }
        boolean wrong = random.nextInt(20) == 0;
        if (wrong) {
            items[lines - 1] = ITEMS + 1;
        }
        int customer = 1 + random.nextInt(CUSTOMERS);
        return ask("NewOrder", wrong, warehouse, district(random), customer, items, suppliers, quantities);
    }

    private Ask payment(int warehouse, RandomSource random) {
        int customerWarehouse = random.nextInt(100) < REMOTE_PERCENT ? otherWarehouse(warehouse, random) : warehouse;
        return ask(
                "Payment",
                false,
                warehouse,
                district(random),
                100L + random.nextInt(499_901),
                customerWarehouse,
                district(random),
                1 + random.nextInt(CUSTOMERS),
                null);
    }

    @Override
    public List<String> catalogChanges(int round) {
        return List.of(
                "CREATE INDEX by_quantity_" + round + " ON stock (s_w_id, s_quantity)",
                NEXT_EDITION,
                "CREATE TABLE passing_" + round + " (id BIGINT NOT NULL PRIMARY KEY, text VARCHAR(20)) REPLICATED",
                "DROP INDEX by_quantity_" + round,
                "DROP TABLE passing_" + round);
    }

    @Override
    public int[] partitions() {
        int[] partitions = new int[WAREHOUSE_NUMBERS * scale.warehouses()];
        for (int number = 0; number < partitions.length; number++) {
            partitions[number] = plan.partitionOf((long) (number / WAREHOUSE_NUMBERS + 1));
        }
        return partitions;
    }

    @Override
    public long[] observe(FinalState.Queries database) {
        long[] numbers = new long[WAREHOUSE_NUMBERS * scale.warehouses()];
        for (int warehouse = 1; warehouse <= scale.warehouses(); warehouse++) {
            int first = (warehouse - 1) * WAREHOUSE_NUMBERS;
            for (int sum = 0; sum < SUMS.size(); sum++) {
                numbers[first + sum] = database.ask(SUMS.get(sum), warehouse)
                        .tables()
                        .getFirst()
                        .getFirst()[0];
            }
            for (long[] row : database.ask(
                            "SELECT no_d_id, COUNT(*) FROM new_order WHERE no_w_id = ? GROUP BY no_d_id", warehouse)
                    .tables()
                    .getFirst()) {
                numbers[first + NEW_ORDERS + (int) row[0] - 1] = row[1];
            }
        }
        return numbers;
    }

    @Override
    public void apply(Ask ask, long[] numbers, IntPredicate onPartition) {
        int warehouse = number(ask, 0);
        int home = (warehouse - 1) * WAREHOUSE_NUMBERS;
        boolean isHome = onPartition.test(plan.partitionOf((long) warehouse));
        switch (ask.text()) {
            case "NewOrder" -> {
                int[] suppliers = (int[]) Objects.requireNonNull(ask.arguments()[4]);
                if (isHome) {
                    numbers[home + NEXT_ORDERS]++;
                    numbers[home + LINES] += suppliers.length;
                    numbers[home + NEW_ORDERS + number(ask, 1) - 1]++;
                }
                for (int supplier : suppliers) {
                    if (onPartition.test(plan.partitionOf((long) supplier))) {
                        numbers[(supplier - 1) * WAREHOUSE_NUMBERS + STOCK_ORDERS]++;
                    }
                }
            }
            case "Payment" -> {
                if (isHome) {
                    numbers[home + PAYMENTS]++;
                }
                int customerWarehouse = number(ask, 3);
                if (onPartition.test(plan.partitionOf((long) customerWarehouse))) {
                    numbers[(customerWarehouse - 1) * WAREHOUSE_NUMBERS + CUSTOMER_PAYMENTS]++;
                }
            }
            case "Delivery" -> {
                for (int district = 0; isHome && district < TpccScale.DISTRICTS; district++) {
                    if (numbers[home + NEW_ORDERS + district] > 0) {
                        numbers[home + NEW_ORDERS + district]--;
                        numbers[home + CUSTOMER_DELIVERIES]++;
                    }
                }
            }
            default -> {}
        }
    }

    @Override
    public List<Operation> readAll(FinalState.Queries database) {
        return List.of();
    }

    @Override
    public void verify(FinalState.Queries database, RandomSource random, Consumer<String> violations) {
        int warehouse = 1 + random.nextInt(scale.warehouses());
        int district = district(random);
        for (ConsistencyCondition condition : ConsistencyCondition.all()) {
            long count = database.ask(
                            condition.statement(), condition.arguments(warehouse, district, scale.deliveredOrders()))
                    .tables()
                    .getFirst()
                    .getFirst()[0];
            if (count != 0) {
                violations.accept("condition " + condition.number() + " (" + condition.meaning() + ") is violated in"
                        + " warehouse " + warehouse + ", district " + district);
            }
        }
    }

    @Override
    public boolean isCount(int number) {
        return false;
    }

    @Override
    public String describe(int number) {
        int kind = number % WAREHOUSE_NUMBERS;
        String what = kind < SUMS.size() ? SUMS.get(kind) : "new orders of district " + (kind - NEW_ORDERS + 1);
        return what + " of warehouse " + (number / WAREHOUSE_NUMBERS + 1);
    }
}
