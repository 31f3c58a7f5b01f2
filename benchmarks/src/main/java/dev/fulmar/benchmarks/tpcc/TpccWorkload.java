package dev.fulmar.benchmarks.tpcc;

import dev.fulmar.benchmarks.random.NonUniform;
import dev.fulmar.benchmarks.tpcc.procedure.Delivery;
import dev.fulmar.benchmarks.tpcc.procedure.LoadCustomers;
import dev.fulmar.benchmarks.tpcc.procedure.LoadItems;
import dev.fulmar.benchmarks.tpcc.procedure.LoadOrders;
import dev.fulmar.benchmarks.tpcc.procedure.LoadStock;
import dev.fulmar.benchmarks.tpcc.procedure.LoadWarehouse;
import dev.fulmar.benchmarks.tpcc.procedure.NewOrder;
import dev.fulmar.benchmarks.tpcc.procedure.OrderStatus;
import dev.fulmar.benchmarks.tpcc.procedure.Payment;
import dev.fulmar.benchmarks.tpcc.procedure.StockLevel;
import dev.fulmar.benchmarks.workload.RequestSource;
import dev.fulmar.benchmarks.workload.Statements;
import dev.fulmar.benchmarks.workload.Workload;
import dev.fulmar.benchmarks.workload.WorkloadScript;
import dev.fulmar.benchmarks.ycsb.KeyChoice;
import dev.fulmar.client.FulmarClient;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/** The TPC-C benchmark: tables, initial data, requests in the specified mix without think times, and checks. */
public final class TpccWorkload implements Workload {
    private final TpccScale scale;
    private final NonUniform nonUniform;
    private final RandomGenerator loadRandom;

    public TpccWorkload(TpccScale scale, RandomGenerator random) {
        this.scale = scale;
        nonUniform = NonUniform.draw(random);
        loadRandom = random;
    }

    @Override
    public String name() {
        return "tpcc";
    }

    public TpccScale scale() {
        return scale;
    }

    @Override
    public List<Class<?>> procedureClasses() {
        return List.of(
                NewOrder.class,
                Payment.class,
                OrderStatus.class,
                Delivery.class,
                StockLevel.class,
                LoadItems.class,
                LoadWarehouse.class,
                LoadStock.class,
                LoadCustomers.class,
                LoadOrders.class,
                siblingOf(NewOrder.class, "CustomerByName"),
                siblingOf(NewOrder.class, "Population"));
    }

    private static Class<?> siblingOf(Class<?> type, String name) {
        try {
            return Class.forName(type.getPackageName() + "." + name);
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException("a class of this module is missing", e);
        }
    }

    @Override
    public String ddl() {
        return WorkloadScript.of(TpccWorkload.class);
    }

    @Override
    public void load(FulmarClient client, Progress progress) {
        new TpccLoad(scale, nonUniform, client, loadRandom, progress).run();
    }

    @Override
    public RequestSource requests(RandomGenerator random) {
        return requests(random, (call, reply) -> {});
    }

    /** The same, of which a listener is told. */
    public RequestSource requests(RandomGenerator random, TpccListener listener) {
        return new TpccRequests(scale, new KeyChoice.Uniform(scale.warehouses()), nonUniform, random, listener);
    }

    /** The same, from clients at other warehouses than all alike. */
    public RequestSource requests(KeyChoice homes, RandomGenerator random) {
        return new TpccRequests(scale, homes, nonUniform, random, (call, reply) -> {});
    }

    @Override
    public List<String> verifyTables(FulmarClient client, Progress progress) {
        List<String> violations = new ArrayList<>();
        List<ConsistencyCondition> conditions = ConsistencyCondition.all();
        long total = (long) scale.warehouses() * TpccScale.DISTRICTS;
        long done = 0;
        for (int warehouse = 1; warehouse <= scale.warehouses(); warehouse++) {
            for (int district = 1; district <= TpccScale.DISTRICTS; district++) {
                for (ConsistencyCondition condition : conditions) {
                    if (!condition.perWarehouse() || district == 1) {
                        check(client, condition, warehouse, district, violations);
                    }
                }
                progress.report("checking consistency", ++done, total);
            }
        }
        return violations;
    }

    /** The conditions tie every table to the others; there is nothing that only clients know. */
    @Override
    public List<String> verifyRecord(FulmarClient client, Progress progress) {
        return List.of();
    }

    private void check(
            FulmarClient client, ConsistencyCondition condition, int warehouse, int district, List<String> violations) {
        long count = Statements.longOf(
                client, condition.statement(), condition.arguments(warehouse, district, scale.deliveredOrders()));
        if (count != 0) {
            violations.add("condition " + condition.number() + " (" + condition.meaning() + ") is violated " + count
                    + " times in warehouse " + warehouse + ", district " + district);
        }
    }
}
