package dev.fulmar.benchmarks.tpcc;

import dev.fulmar.client.CallResult;
import dev.fulmar.client.FulmarClient;
import dev.fulmar.client.ResultTable;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * Record of the orders and payments of which clients were told, to be compared with the tables. Each acknowledged one
 * is there once; one of unknown outcome is there at most once; nothing else is there but the initial rows. Thread-safe.
 */
public final class TpccRecord implements TpccListener {
    private static final long INITIAL_PAYMENT_CENTS = 1_000;

    private final TpccScale scale;
    private final Map<District, Orders> orders = new HashMap<>();
    private final Map<TpccCall.Payment, Integer> paid = new HashMap<>();
    private final Map<TpccCall.Payment, Integer> perhapsPaid = new HashMap<>();
    private final Map<ErrorCode, Failure> failures = new TreeMap<>();
    private long committed;

    /** A district of a warehouse. */
    record District(int warehouse, int district) {}

    /** The content of an order. */
    record Content(int customer, int lines) {}

    /** Orders of a district: those that were acknowledged, by number, and those that may be there. */
    private static final class Orders {
        private final Map<Integer, Content> acknowledged = new HashMap<>();
        private final Map<Content, Integer> perhaps = new HashMap<>();
        private final List<String> doubled = new ArrayList<>();
    }

    /** Calls that failed with a code, and the message of the first. */
    public record Failure(long count, String message) {}

    /** A record of a load on tables of this size, from their first request on. */
    public TpccRecord(TpccScale scale) {
        this.scale = scale;
    }

    @Override
    public void sent(TpccCall call, CompletableFuture<CallResult> reply) {
        var _ = reply.whenComplete((result, thrown) -> answered(call, result, thrown));
    }

    private synchronized void answered(TpccCall call, @Nullable CallResult result, @Nullable Throwable thrown) {
        if (result != null) {
            committed++;
            switch (call) {
                case TpccCall.NewOrder order ->
                    acknowledged(order, result.table().first().getInt(0));
                case TpccCall.Payment payment -> paid.merge(payment, 1, Integer::sum);
                case TpccCall.Other _ -> {}
            }
            return;
        }
        Throwable cause =
                thrown instanceof CompletionException && thrown.getCause() != null ? thrown.getCause() : thrown;
        ErrorCode code = cause instanceof FulmarException known ? known.code() : ErrorCode.INTERNAL;
        failures.merge(
                code,
                new Failure(1, String.valueOf(cause)),
                (before, now) -> new Failure(before.count + 1, before.message));
        if (isUnknown(code)) {
            perhaps(call);
        }
    }

    /** Whether a call that failed so may have had an effect. */
    static boolean isUnknown(ErrorCode code) {
        return switch (code.category()) {
            case RETRYABLE, USER -> false;
            case RESOURCE, INTERNAL -> true;
        };
    }

    /** The call was acknowledged, with the number of the order. */
    synchronized void acknowledged(TpccCall.NewOrder call, int number) {
        Orders there = ordersOf(call);
        Content content = new Content(call.customer(), call.lines());
        Content before = there.acknowledged.put(number, content);
        if (before != null) {
            there.doubled.add("order " + number + " was acknowledged twice, as " + before + " and as " + content);
        }
    }

    /** The call may have had an effect, or not. */
    synchronized void perhaps(TpccCall call) {
        switch (call) {
            case TpccCall.NewOrder order ->
                ordersOf(order).perhaps.merge(new Content(order.customer(), order.lines()), 1, Integer::sum);
            case TpccCall.Payment payment -> perhapsPaid.merge(payment, 1, Integer::sum);
            case TpccCall.Other _ -> {}
        }
    }

    /** The call was acknowledged. */
    synchronized void acknowledged(TpccCall.Payment call) {
        paid.merge(call, 1, Integer::sum);
    }

    private Orders ordersOf(TpccCall.NewOrder call) {
        return orders.computeIfAbsent(new District(call.warehouse(), call.district()), any -> new Orders());
    }

    /** Requests that were acknowledged so far. */
    public synchronized long committed() {
        return committed;
    }

    /** Takes the failures since the last time, by code; requests that rolled back by their own wish are among them. */
    public synchronized Map<ErrorCode, Failure> takeFailures() {
        Map<ErrorCode, Failure> taken = new TreeMap<>(failures);
        failures.clear();
        return taken;
    }

    /** Compares with the tables while no load runs. Returns what is wrong. */
    public List<String> verify(FulmarClient client) {
        List<String> problems = new ArrayList<>();
        for (int warehouse = 1; warehouse <= scale.warehouses(); warehouse++) {
            for (int district = 1; district <= TpccScale.DISTRICTS; district++) {
                problems.addAll(
                        orderProblems(new District(warehouse, district), readOrders(client, warehouse, district)));
            }
            problems.addAll(paymentProblems(warehouse, readPayments(client, warehouse)));
        }
        return problems;
    }

    private static Map<Integer, Content> readOrders(FulmarClient client, int warehouse, int district) {
        ResultTable table = client.execute(
                        "SELECT o_id, o_c_id, o_ol_cnt FROM orders WHERE o_w_id = ? AND o_d_id = ?",
                        warehouse,
                        district)
                .table();
        Map<Integer, Content> found = new HashMap<>();
        while (table.next()) {
            found.put(table.getInt(0), new Content(table.getInt(1), table.getInt(2)));
        }
        return found;
    }

    private static Map<TpccCall.Payment, Integer> readPayments(FulmarClient client, int warehouse) {
        ResultTable table = client.execute(
                        "SELECT h_d_id, h_c_w_id, h_c_d_id, h_amount FROM history WHERE h_w_id = ?", warehouse)
                .table();
        Map<TpccCall.Payment, Integer> found = new HashMap<>();
        while (table.next()) {
            TpccCall.Payment payment = new TpccCall.Payment(
                    warehouse, table.getInt(0), table.getInt(1), table.getInt(2), table.getUnscaled(3));
            found.merge(payment, 1, Integer::sum);
        }
        return found;
    }

    /** Compares with the orders that are in the district. */
    synchronized List<String> orderProblems(District district, Map<Integer, Content> found) {
        Orders known = orders.getOrDefault(district, new Orders());
        List<String> problems = new ArrayList<>();
        known.doubled.forEach(text -> problems.add(district + ": " + text));
        known.acknowledged.forEach((number, content) -> {
            if (!content.equals(found.get(number))) {
                problems.add(district + ": order " + number + " was acknowledged as " + content + " and is "
                        + found.get(number));
            }
        });
        Map<Content, Integer> perhaps = new HashMap<>(known.perhaps);
        found.forEach((number, content) -> {
            boolean isExplained = number <= scale.customersPerDistrict()
                    || known.acknowledged.containsKey(number)
                    || takeOne(perhaps, content);
            if (!isExplained) {
                problems.add(district + ": order " + number + ", " + content
                        + ", is there though no client asked for it" + " or another one was acknowledged");
            }
        });
        for (int number = 1; number <= scale.customersPerDistrict(); number++) {
            if (!found.containsKey(number)) {
                problems.add(district + ": order " + number + " of the beginning is gone");
            }
        }
        return problems;
    }

    private static boolean takeOne(Map<Content, Integer> left, Content content) {
        int count = left.getOrDefault(content, 0);
        left.put(content, count - 1);
        return count > 0;
    }

    /** Compares with the payments that are in the history of the warehouse. */
    synchronized List<String> paymentProblems(int warehouse, Map<TpccCall.Payment, Integer> found) {
        Set<TpccCall.Payment> all = new HashSet<>(found.keySet());
        paid.keySet().stream().filter(each -> each.warehouse() == warehouse).forEach(all::add);
        for (int district = 1; district <= TpccScale.DISTRICTS; district++) {
            all.add(new TpccCall.Payment(warehouse, district, warehouse, district, INITIAL_PAYMENT_CENTS));
        }
        List<String> problems = new ArrayList<>();
        for (TpccCall.Payment payment : all) {
            int least = paid.getOrDefault(payment, 0) + initial(payment);
            int most = least + perhapsPaid.getOrDefault(payment, 0);
            int there = found.getOrDefault(payment, 0);
            if (there < least || there > most) {
                problems.add(payment + " is in the history " + there + " times instead of " + least + " to " + most);
            }
        }
        return problems;
    }

    private int initial(TpccCall.Payment payment) {
        return payment.cents() == INITIAL_PAYMENT_CENTS
                        && payment.customerWarehouse() == payment.warehouse()
                        && payment.customerDistrict() == payment.district()
                ? scale.customersPerDistrict()
                : 0;
    }
}
