package dev.fulmar.benchmarks.tpcc;

import dev.fulmar.benchmarks.random.NonUniform;
import dev.fulmar.benchmarks.workload.PipelinedCalls;
import dev.fulmar.benchmarks.workload.Workload.Progress;
import dev.fulmar.client.FulmarClient;
import java.util.Arrays;
import java.util.random.RandomGenerator;

/** Fills TPC-C's tables (clause 4.3.3) with calls of the loading procedures. */
final class TpccLoad {
    private static final int IN_FLIGHT = 16;
    private static final int ITEMS_PER_CALL = 500;
    private static final int CUSTOMERS_PER_CALL = 200;
    private static final int ORDERS_PER_CALL = 100;

    private final TpccScale scale;
    private final NonUniform nonUniform;
    private final RandomGenerator random;
    private final Progress progress;
    private final PipelinedCalls calls;
    private final long totalRows;
    private long rows;

    TpccLoad(TpccScale scale, NonUniform nonUniform, FulmarClient client, RandomGenerator random, Progress progress) {
        this.scale = scale;
        this.nonUniform = nonUniform;
        this.random = random;
        this.progress = progress;
        calls = new PipelinedCalls(client, IN_FLIGHT);
        totalRows = scale.items()
                + (long) scale.warehouses() * (scale.items() + 2L * TpccScale.DISTRICTS * scale.customersPerDistrict());
    }

    void run() {
        for (int first = 1; first <= scale.items(); first += ITEMS_PER_CALL) {
            int last = Math.min(scale.items(), first + ITEMS_PER_CALL - 1);
            calls.call("LoadItems", first, last);
            advance(last - first + 1);
        }
        for (int warehouse = 1; warehouse <= scale.warehouses(); warehouse++) {
            calls.call("LoadWarehouse", warehouse, scale.customersPerDistrict());
            for (int first = 1; first <= scale.items(); first += ITEMS_PER_CALL) {
                int last = Math.min(scale.items(), first + ITEMS_PER_CALL - 1);
                calls.call("LoadStock", warehouse, first, last);
                advance(last - first + 1);
            }
            for (int district = 1; district <= TpccScale.DISTRICTS; district++) {
                loadDistrict(warehouse, district);
            }
        }
        calls.drain();
        progress.report("loading", totalRows, totalRows);
    }

    private void loadDistrict(int warehouse, int district) {
        int customers = scale.customersPerDistrict();
        for (int first = 1; first <= customers; first += CUSTOMERS_PER_CALL) {
            int last = Math.min(customers, first + CUSTOMERS_PER_CALL - 1);
            calls.call("LoadCustomers", warehouse, district, first, last, nonUniform.lastNameLoadConstant());
            advance(last - first + 1);
        }
        int[] permutation = permutation(customers);
        for (int from = 0; from < customers; from += ORDERS_PER_CALL) {
            int[] part = Arrays.copyOfRange(permutation, from, Math.min(customers, from + ORDERS_PER_CALL));
            calls.call("LoadOrders", warehouse, district, from + 1, part, scale.deliveredOrders() + 1, scale.items());
            advance(part.length);
        }
    }

    private int[] permutation(int count) {
        int[] numbers = new int[count];
        for (int i = 0; i < count; i++) {
            int place = random.nextInt(i + 1);
            numbers[i] = numbers[place];
            numbers[place] = i + 1;
        }
        return numbers;
    }

    private void advance(int count) {
        rows += count;
        if (rows < totalRows) {
            progress.report("loading", rows, totalRows);
        }
    }
}
