package dev.fulmar.simulator.reconfiguration;

import dev.fulmar.benchmarks.cluster.RunningCluster;
import dev.fulmar.client.FulmarClient;
import dev.fulmar.client.ResultTable;
import dev.fulmar.engine.partitioning.KeyRange;
import dev.fulmar.engine.partitioning.KeySpace;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.foundation.error.FulmarException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * Reads the state of reconfigurations and plans at each node by itself. A client that was connected to a node which has
 * ended goes on elsewhere, so clients are made anew after each fault.
 */
final class NodeViews implements AutoCloseable {
    private static final Pattern MOVE = Pattern.compile("bucket \\d+ from partition P(\\d+) to P(\\d+)");
    private static final int OUTSTANDING = 16;
    private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(5);

    private final RunningCluster cluster;
    private final Map<Integer, FulmarClient> clients = new TreeMap<>();

    NodeViews(RunningCluster cluster) {
        this.cluster = cluster;
    }

    /** Numbers of the nodes. */
    List<Integer> nodes() {
        return IntStream.rangeClosed(1, cluster.plan().nodes()).boxed().toList();
    }

    /** Lets the next question go to the node itself, though it had ended since the last one. */
    void reconnect() {
        close();
        clients.clear();
    }

    /** A client that prefers this node. */
    FulmarClient client(int node) {
        return clients.computeIfAbsent(
                node,
                number -> FulmarClient.builder()
                        .hosts(cluster.address(number))
                        .directRoute(false)
                        .maxOutstanding(OUTSTANDING)
                        .callTimeout(ANSWER_TIMEOUT)
                        .connect());
    }

    /** A step of keys from a partition to another. */
    record Move(int source, int destination) {}

    /**
     * Status of the newest reconfiguration as a node has it.
     *
     * @param moves those that are under way, as far as the node knows
     */
    record Status(String state, String message, long bucketsMoved, long rowsMoved, List<Move> moves) {
        boolean isRunning() {
            return state.equals("RUNNING");
        }

        boolean isDone() {
            return state.equals("DONE");
        }
    }

    /** The status at the node; its state is the error's code if the node does not answer. */
    Status status(int node) {
        try {
            ResultTable table =
                    client(node).call("@Reconfigure", "STATUS").table().first();
            return new Status(
                    String.valueOf(table.getString(table.column("STATE"))),
                    String.valueOf(table.getString(table.column("MESSAGE"))),
                    table.getLong(table.column("BUCKETS_MOVED")),
                    table.getLong(table.column("ROWS_MOVED")),
                    moves(String.valueOf(table.getString(table.column("CURRENT")))));
        } catch (FulmarException failed) {
            return new Status(failed.code().name(), String.valueOf(failed.getMessage()), 0, 0, List.of());
        }
    }

    static List<Move> moves(String current) {
        List<Move> moves = new ArrayList<>();
        Matcher found = MOVE.matcher(current);
        while (found.find()) {
            moves.add(new Move(Integer.parseInt(found.group(1)), Integer.parseInt(found.group(2))));
        }
        return moves;
    }

    /** Moves of ranges that are left, as the node has them. */
    List<Move> left(int node) {
        ResultTable table = client(node).call("@Reconfigure", "RANGES").table();
        List<Move> moves = new ArrayList<>();
        while (table.next()) {
            moves.add(new Move(
                    table.getInt(table.column("SOURCE_PARTITION")),
                    table.getInt(table.column("DESTINATION_PARTITION"))));
        }
        return moves;
    }

    /** The plan at the node, from the ranges that it shows. */
    PartitionPlan plan(int node) {
        ResultTable table = client(node).call("@Catalog", "PLAN").table();
        PartitionPlan plan = PartitionPlan.hash(cluster.plan().partitions());
        while (table.next()) {
            if (!table.isNull(table.column("KEYS"))) {
                KeyRange range = new KeyRange(
                        KeySpace.valueOf(String.valueOf(table.getString(table.column("KEYS")))),
                        table.getLong(table.column("FIRST_POSITION")),
                        table.getLong(table.column("LAST_POSITION")));
                plan = plan.with(range, table.getInt(table.column("PARTITION")));
            }
        }
        return plan;
    }

    /** The partition of each warehouse by the plan. */
    static Map<Integer, Integer> owners(PartitionPlan plan, int warehouses) {
        Map<Integer, Integer> owners = new TreeMap<>();
        for (int warehouse = 1; warehouse <= warehouses; warehouse++) {
            owners.put(warehouse, plan.partitionOf(warehouse));
        }
        return owners;
    }

    @Override
    public void close() {
        clients.values().forEach(FulmarClient::close);
    }
}
