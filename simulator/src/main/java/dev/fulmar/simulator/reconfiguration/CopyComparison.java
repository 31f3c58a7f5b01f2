package dev.fulmar.simulator.reconfiguration;

import dev.fulmar.benchmarks.cluster.RunningCluster;
import dev.fulmar.benchmarks.tpcc.TpccScale;
import dev.fulmar.benchmarks.workload.Statements;
import dev.fulmar.client.Consistency;
import dev.fulmar.client.FulmarClient;
import dev.fulmar.client.ResultTable;
import dev.fulmar.coordinator.membership.CopyId;
import dev.fulmar.coordinator.membership.PartitionRecord;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Compares the copies of all partitions row by row, while no load runs. A copy is read on its own node as a snapshot. A
 * node that leads nothing passes such readers on, so its copies are compared when they lead: {@link #afterTakeOvers}.
 */
final class CopyComparison {
    private static final int MOST_ATTEMPTS = 5;

    /** Of tables by warehouse; those of many rows are read district by district. */
    private enum Table {
        WAREHOUSE("w_id", ""),
        DISTRICT("d_w_id", ""),
        CUSTOMER("c_w_id", "c_d_id"),
        HISTORY("h_w_id", "h_d_id"),
        STOCK("s_w_id", ""),
        ORDERS("o_w_id", "o_d_id"),
        NEW_ORDER("no_w_id", "no_d_id"),
        ORDER_LINE("ol_w_id", "ol_d_id");

        private final String warehouse;
        private final String district;

        Table(String warehouse, String district) {
            this.warehouse = warehouse;
            this.district = district;
        }

        private String statement() {
            return "SELECT * FROM " + name() + " WHERE " + warehouse + " = ?"
                    + (district.isEmpty() ? "" : " AND " + district + " = ?");
        }
    }

    /** Number of rows, and the sum of their hashes, in whatever order they are read. */
    record Digest(long rows, long hash) {
        static final Digest NOTHING = new Digest(0, 0);

        Digest and(Digest other) {
            return new Digest(rows + other.rows, hash + other.hash);
        }
    }

    private final RunningCluster cluster;
    private final NodeViews views;
    private final FulmarClient client;
    private final int warehouses;
    private final List<String> problems = new ArrayList<>();
    private int compared;

    /** @param client which asks the primaries */
    CopyComparison(RunningCluster cluster, NodeViews views, FulmarClient client, int warehouses) {
        this.cluster = cluster;
        this.views = views;
        this.client = client;
        this.warehouses = warehouses;
    }

    /** All that was found wrong. */
    List<String> problems() {
        return problems;
    }

    /** Copies of warehouses that were read beside their primary. */
    int compared() {
        return compared;
    }

    /**
     * Compares the copies that take readers, then counts the rows of all partitions together: rows that a move has left
     * behind are found.
     *
     * @param owners partitions of the warehouses
     */
    void asTheyAre(Map<Integer, Integer> owners) {
        Set<Integer> leaders = new TreeSet<>();
        for (int partition = 0; partition < cluster.plan().partitions(); partition++) {
            leaders.add(cluster.recordOf(partition).primary().node().number());
        }
        Map<Table, Long> rows = new TreeMap<>();
        for (int warehouse = 1; warehouse <= warehouses; warehouse++) {
            int partition = owners.getOrDefault(warehouse, 0);
            PartitionRecord record = cluster.recordOf(partition);
            Map<Table, Digest> wanted = read(client, Consistency.DECLARED, warehouse);
            wanted.forEach((table, digest) -> rows.merge(table, digest.rows, Long::sum));
            for (CopyId copy : record.inSync()) {
                int node = copy.node().number();
                if (!copy.equals(record.primary()) && leaders.contains(node)) {
                    compare(node, partition, warehouse, wanted);
                }
            }
        }
        rows.forEach((table, count) -> {
            long found = Statements.longOf(client, "SELECT COUNT(*) FROM " + table);
            if (found != count) {
                problems.add("all partitions have " + found + " rows of " + table + ", and the warehouses " + count);
            }
        });
    }

    private void compare(int node, int partition, int warehouse, Map<Table, Digest> wanted) {
        Map<Table, Digest> found = Map.of();
        long served = 0;
        for (int attempt = 1; attempt <= MOST_ATTEMPTS && served != statements(); attempt++) {
            long before = served(node, partition);
            found = read(views.client(node), Consistency.SNAPSHOT, warehouse);
            served = served(node, partition) - before;
        }
        if (served != statements()) {
            problems.add("the copy of partition " + partition + " on node " + node + " answers " + served + " of "
                    + statements() + " readers");
        } else {
            compared++;
            equal(warehouse, wanted, found, "the copy of partition " + partition + " on node " + node);
        }
    }

    private void equal(int warehouse, Map<Table, Digest> wanted, Map<Table, Digest> found, String where) {
        if (!found.equals(wanted)) {
            problems.add("warehouse " + warehouse + " is " + wanted + " and on " + where + " " + found);
        }
    }

    /** Stops each node in turn, so that the other copies of what it leads take over, and reads those. */
    void afterTakeOvers(Duration recovery) throws IOException, InterruptedException {
        Map<Integer, Map<Table, Digest>> wanted = new TreeMap<>();
        for (int warehouse = 1; warehouse <= warehouses; warehouse++) {
            wanted.put(warehouse, read(client, Consistency.DECLARED, warehouse));
        }
        for (int node : views.nodes()) {
            cluster.stop(node);
            wanted.forEach((warehouse, digests) -> {
                compared++;
                equal(warehouse, digests, read(client, Consistency.DECLARED, warehouse), "the copy that took over");
            });
            cluster.startNode(node);
            cluster.awaitAllInSync(recovery);
        }
    }

    private static int statements() {
        return Arrays.stream(Table.values())
                .mapToInt(table -> table.district.isEmpty() ? 1 : TpccScale.DISTRICTS)
                .sum();
    }

    private static Map<Table, Digest> read(FulmarClient reader, Consistency consistency, int warehouse) {
        Map<Table, Digest> digests = new TreeMap<>();
        for (Table table : Table.values()) {
            Digest sum = Digest.NOTHING;
            if (table.district.isEmpty()) {
                sum = digest(reader.execute(consistency, table.statement(), warehouse)
                        .table());
            } else {
                for (int district = 1; district <= TpccScale.DISTRICTS; district++) {
                    sum = sum.and(digest(reader.execute(consistency, table.statement(), warehouse, district)
                            .table()));
                }
            }
            digests.put(table, sum);
        }
        return digests;
    }

    private static Digest digest(ResultTable table) {
        long rows = 0;
        long hash = 0;
        while (table.next()) {
            rows++;
            long row = 1;
            for (int column = 0; column < table.columnCount(); column++) {
                String text = table.getString(column);
                row = mix(row + (text == null ? -1 : text.hashCode()));
            }
            hash += row;
        }
        return new Digest(rows, hash);
    }

    /** The finalizer of SplitMix64, so that each column has its own weight. */
    private static long mix(long value) {
        long mixed = (value ^ (value >>> 30)) * 0xbf58476d1ce4e5b9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
        return mixed ^ (mixed >>> 31);
    }

    private long served(int node, int partition) {
        ResultTable copies = views.client(node).call("@Statistics", "COPY").table();
        while (copies.next()) {
            if (copies.getInt(copies.column("PARTITION")) == partition) {
                return copies.getLong(copies.column("SNAPSHOTS_SERVED"));
            }
        }
        return 0;
    }
}
