package dev.fulmar.benchmarks.tpcc;

import dev.fulmar.benchmarks.random.NonUniform;
import dev.fulmar.benchmarks.workload.RequestSource;
import dev.fulmar.benchmarks.ycsb.KeyChoice;
import dev.fulmar.client.CallResult;
import dev.fulmar.client.FulmarClient;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;

/** Draws TPC-C's transactions: 45 % NewOrder, 43 % Payment, 4 % of each other (clause 5.2.3). */
final class TpccRequests implements RequestSource {
    private static final int NEW_ORDER = 45;
    private static final int PAYMENT = NEW_ORDER + 43;
    private static final int ORDER_STATUS = PAYMENT + 4;
    private static final int DELIVERY = ORDER_STATUS + 4;

    private final TpccScale scale;
    private final KeyChoice homes;
    private final NonUniform nonUniform;
    private final RandomGenerator random;
    private final TpccListener listener;

    /**
     * Requests from clients at some warehouses.
     *
     * @param homes draws the warehouses at which clients order and pay, from 0 on
     */
    TpccRequests(
            TpccScale scale, KeyChoice homes, NonUniform nonUniform, RandomGenerator random, TpccListener listener) {
        this.scale = scale;
        this.homes = homes;
        this.nonUniform = nonUniform;
        this.random = random;
        this.listener = listener;
    }

    @Override
    public CompletableFuture<CallResult> send(FulmarClient client) {
        int warehouse = 1 + (int) homes.draw(random);
        int kind = random.nextInt(100);
        if (kind < NEW_ORDER) {
            return newOrder(client, warehouse);
        }
        if (kind < PAYMENT) {
            return payment(client, warehouse);
        }
        if (kind < ORDER_STATUS) {
            boolean byName = random.nextInt(100) < 60;
            return told(
                    new TpccCall.Other(warehouse),
                    client.callAsync(
                            "OrderStatus", warehouse, district(), byName ? 0 : customer(), byName ? lastName() : null));
        }
        if (kind < DELIVERY) {
            return told(new TpccCall.Other(warehouse), client.callAsync("Delivery", warehouse, 1 + random.nextInt(10)));
        }
        return told(
                new TpccCall.Other(warehouse),
                client.callAsync("StockLevel", warehouse, district(), 10 + random.nextInt(11)));
    }

    private CompletableFuture<CallResult> told(TpccCall call, CompletableFuture<CallResult> reply) {
        listener.sent(call, reply);
        return reply;
    }

    private CompletableFuture<CallResult> newOrder(FulmarClient client, int warehouse) {
        int lines = 5 + random.nextInt(11);
        int[] items = new int[lines];
        int[] supplyWarehouses = new int[lines];
        int[] quantities = new int[lines];
        for (int line = 0; line < lines; line++) {
            items[line] = distinctItem(items, line);
            supplyWarehouses[line] = random.nextInt(100) == 0 ? otherWarehouse(warehouse) : warehouse;
            quantities[line] = 1 + random.nextInt(10);
        }
        if (random.nextInt(100) == 0) {
            items[lines - 1] = scale.items() + 1;
        }
        int district = district();
        int customer = customer();
        return told(
                new TpccCall.NewOrder(warehouse, district, customer, lines),
                client.callAsync("NewOrder", warehouse, district, customer, items, supplyWarehouses, quantities));
    }

    private int distinctItem(int[] items, int count) {
        while (true) {
            int item = nonUniform.item(random, scale.items());
            boolean taken = false;
            for (int i = 0; i < count; i++) {
                taken |= items[i] == item;
            }
            if (!taken) {
                return item;
            }
        }
    }

    private CompletableFuture<CallResult> payment(FulmarClient client, int warehouse) {
        int district = district();
        boolean remote = random.nextInt(100) < 15;
        int customerWarehouse = remote ? otherWarehouse(warehouse) : warehouse;
        int customerDistrict = remote ? district() : district;
        boolean byName = random.nextInt(100) < 60;
        long cents = 100L + random.nextInt(499_901);
        return told(
                new TpccCall.Payment(warehouse, district, customerWarehouse, customerDistrict, cents),
                client.callAsync(
                        "Payment",
                        warehouse,
                        district,
                        cents,
                        customerWarehouse,
                        customerDistrict,
                        byName ? 0 : customer(),
                        byName ? lastName() : null));
    }

    /** Any other warehouse, or the same where there is no other. */
    private int otherWarehouse(int warehouse) {
        if (scale.warehouses() == 1) {
            return warehouse;
        }
        int other = 1 + random.nextInt(scale.warehouses() - 1);
        return other < warehouse ? other : other + 1;
    }

    private int district() {
        return 1 + random.nextInt(TpccScale.DISTRICTS);
    }

    private int customer() {
        return nonUniform.customer(random, scale.customersPerDistrict());
    }

    private String lastName() {
        return LastNames.of(nonUniform.lastName(random, Math.min(1000, scale.customersPerDistrict())));
    }
}
