package dev.fulmar.simulator.crash;

import dev.fulmar.foundation.id.TransactionId;
import dev.fulmar.simulator.crash.CommitOrder.Commit;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Judges the tables after a crash: each partition must hold a prefix of its commits, with all that were acknowledged.
 * Multi-partition transactions must be there whole or not at all.
 *
 * @param base numbers of the workload before the first of the commits
 * @param orders what each partition committed
 * @param asks what was asked for, by number of the request
 * @param acknowledged requests that were answered with a commit
 * @param open requests without an answer
 */
record Expectation(
        CrashWorkload workload,
        long[] base,
        List<List<Commit>> orders,
        Map<Long, Ask> asks,
        Set<Long> acknowledged,
        Set<Long> open) {

    /** Commits of a partition that the tables hold: at least the first so many and at most. */
    private record Held(int least, int most) {}

    /** The breach in the numbers; null if they are right. */
    @Nullable String breach(long[] numbers) {
        List<TransactionId> unknown = new ArrayList<>();
        for (List<Commit> order : orders) {
            for (Commit commit : order) {
                TransactionId transaction = commit.transaction();
                if (commit.request() == 0 && transaction != null && !unknown.contains(transaction)) {
                    unknown.add(transaction);
                }
            }
        }
        return breach(numbers, unknown, new TreeMap<>());
    }

    /**
     * The breach in the numbers that only grow, for a database in which keys changed their partitions. Each number has
     * what was acknowledged, and no more than was asked for.
     */
    @Nullable String breachOfCounts(long[] numbers) {
        long[] least = base.clone();
        long[] most = base.clone();
        asks.forEach((request, ask) -> {
            if (acknowledged.contains(request)) {
                workload.apply(ask, least, partition -> true);
            }
            if (acknowledged.contains(request) || open.contains(request)) {
                workload.apply(ask, most, partition -> true);
            }
        });
        for (int number = 0; number < numbers.length; number++) {
            if (workload.isCount(number) && (numbers[number] < least[number] || numbers[number] > most[number])) {
                return workload.describe(number) + " is " + numbers[number] + ", but " + least[number]
                        + " were acknowledged and " + most[number] + " asked for";
            }
        }
        return null;
    }

    /**
     * The breach, with requests guessed for the unknown transactions: each is one of the open requests, so one of them
     * must fit.
     */
    private @Nullable String breach(long[] numbers, List<TransactionId> unknown, Map<TransactionId, Long> guessed) {
        if (guessed.size() == unknown.size()) {
            return breach(numbers, guessed);
        }
        TransactionId next = unknown.get(guessed.size());
        String first = null;
        for (long request : open) {
            if (!guessed.containsValue(request)) {
                guessed.put(next, request);
                String breach = breach(numbers, unknown, guessed);
                guessed.remove(next);
                if (breach == null) {
                    return null;
                }
                first = first == null ? breach : first;
            }
        }
        return first == null ? "a transaction that nobody asked for: " + next : first;
    }

    private @Nullable String breach(long[] numbers, Map<TransactionId, Long> guessed) {
        List<Held> held = new ArrayList<>();
        for (int partition = 0; partition < orders.size(); partition++) {
            Held found = null;
            BitSet fitting = fitting(partition, numbers, guessed);
            int acknowledgedEnd = acknowledgedEnd(partition);
            int least = fitting.nextSetBit(acknowledgedEnd);
            if (least >= 0) {
                found = new Held(least, fitting.length() - 1);
            }
            if (found == null) {
                return fitting.isEmpty()
                        ? "partition " + partition + " shows no beginning of its "
                                + orders.get(partition).size() + " commits: " + difference(partition, numbers, guessed)
                        : "partition " + partition + " has " + (fitting.length() - 1) + " of its "
                                + orders.get(partition).size() + " commits, but " + acknowledgedEnd
                                + " must be there for what was acknowledged";
            }
            held.add(found);
        }
        return torn(held);
    }

    /** Number of the partition's commits that must be there because they were acknowledged. */
    private int acknowledgedEnd(int partition) {
        List<Commit> order = orders.get(partition);
        for (int end = order.size(); end > 0; end--) {
            if (acknowledged.contains(order.get(end - 1).request())) {
                return end;
            }
        }
        return 0;
    }

    private BitSet fitting(int partition, long[] numbers, Map<TransactionId, Long> guessed) {
        int[] partitions = workload.partitions();
        long[] expected = base.clone();
        BitSet fitting = new BitSet();
        List<Commit> order = orders.get(partition);
        for (int count = 0; ; count++) {
            if (firstDifference(partition, partitions, numbers, expected) < 0) {
                fitting.set(count);
            }
            if (count == order.size()) {
                return fitting;
            }
            apply(order.get(count), expected, partition, guessed);
        }
    }

    private void apply(Commit commit, long[] expected, int partition, Map<TransactionId, Long> guessed) {
        TransactionId transaction = commit.transaction();
        Long request = commit.request() == 0 && transaction != null
                ? guessed.get(transaction)
                : Long.valueOf(commit.request());
        Ask ask = request == null ? null : asks.get(request);
        if (ask != null) {
            workload.apply(ask, expected, other -> other == partition);
        }
    }

    private static int firstDifference(int partition, int[] partitions, long[] numbers, long[] expected) {
        for (int number = 0; number < numbers.length; number++) {
            if (partitions[number] == partition && numbers[number] != expected[number]) {
                return number;
            }
        }
        return -1;
    }

    private String difference(int partition, long[] numbers, Map<TransactionId, Long> guessed) {
        long[] expected = base.clone();
        for (Commit commit : orders.get(partition)) {
            apply(commit, expected, partition, guessed);
        }
        int number = firstDifference(partition, workload.partitions(), numbers, expected);
        return workload.describe(number) + " is " + numbers[number] + ", was " + base[number] + " at first and "
                + expected[number] + " in the end";
    }

    private @Nullable String torn(List<Held> held) {
        Map<TransactionId, Integer> present = new TreeMap<>();
        Map<TransactionId, Integer> absent = new TreeMap<>();
        for (int partition = 0; partition < orders.size(); partition++) {
            List<Commit> order = orders.get(partition);
            for (int place = 0; place < order.size(); place++) {
                TransactionId transaction = order.get(place).transaction();
                if (transaction != null && place < held.get(partition).least()) {
                    present.put(transaction, partition);
                } else if (transaction != null && place >= held.get(partition).most()) {
                    absent.put(transaction, partition);
                }
            }
        }
        for (Map.Entry<TransactionId, Integer> each : present.entrySet()) {
            Integer without = absent.get(each.getKey());
            if (without != null) {
                return "transaction " + each.getKey() + " is on partition " + each.getValue() + " and not on partition "
                        + without;
            }
        }
        return null;
    }
}
