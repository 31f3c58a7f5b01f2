package dev.fulmar.simulator.cluster;

import dev.fulmar.coordinator.membership.PartitionRecord;
import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.foundation.simulated.SimulatedWorld;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Judges a catalog that clients changed, once all is mended. The catalog is the same everywhere, has all acknowledged
 * changes and no refused ones. Each table has the acknowledged rows, once, and no others; and no row breaks a
 * constraint.
 */
final class CatalogVerdict {
    private static final long AGREEMENT_NANOS = 10_000_000_000L;
    private static final int SHOWN = 200;

    private final SimulatedCluster cluster;
    private final SimulatedWorld world;
    private final ClusterVerdict executor;
    private final CatalogKnowledge knowledge;
    private final AtomicLong lastRow;
    private SortedSet<String> before = new TreeSet<>();

    CatalogVerdict(SimulatedCluster cluster, ClusterVerdict executor, CatalogKnowledge knowledge, AtomicLong lastRow) {
        this.cluster = cluster;
        this.world = cluster.world();
        this.executor = executor;
        this.knowledge = knowledge;
        this.lastRow = lastRow;
    }

    private Catalog catalogOf(SimulatedNode node) {
        return node.database().catalog();
    }

    private Catalog catalog() {
        return catalogOf(cluster.nodes().iterator().next());
    }

    /** Notes the catalog before the first change. */
    void begin() {
        before = CatalogNames.of(catalog(), true);
    }

    /** Every table that was acknowledged takes a row. */
    void askTables() {
        AtomicLong due = new AtomicLong();
        for (ChangingTable table : knowledge.tables()) {
            if (knowledge.isThere(CatalogNames.table(table.name()))) {
                ChangingTable.Row row = table.harmless(lastRow.incrementAndGet());
                due.incrementAndGet();
                executor.execute(
                        RowClient.insert(table),
                        reply -> {
                            row.is(ChangingTable.RowState.THERE);
                            due.decrementAndGet();
                        },
                        row.arguments());
            }
        }
        if (!world.runUntil(() -> due.get() == 0, AGREEMENT_NANOS)) {
            cluster.violation("tables that were acknowledged take no rows\n" + cluster.describe());
        }
    }

    private boolean agree() {
        long version = catalog().version();
        return cluster.nodes().stream()
                .allMatch(node -> node.hasBegun() && node.database().catalog().version() == version);
    }

    /** Judges the catalog when all copies are in sync and all wishes are done. */
    void judge() {
        if (!world.runUntil(this::agree, AGREEMENT_NANOS)) {
            cluster.violation("nodes have different versions of the catalog: "
                    + cluster.nodes().stream()
                            .map(node -> node.node() + " " + catalogOf(node).version())
                            .toList()
                    + "\n" + cluster.describe());
            return;
        }
        String text = CatalogNames.text(catalog());
        for (SimulatedNode node : cluster.nodes()) {
            String other = CatalogNames.text(catalogOf(node));
            if (!other.equals(text)) {
                int place = Arrays.mismatch(text.toCharArray(), other.toCharArray());
                cluster.violation(node.node() + " has another catalog: " + from(other, place) + " instead of "
                        + from(text, place));
            }
        }
        knowledge
                .contradictions(before, CatalogNames.of(catalog(), !knowledge.isFull()))
                .forEach(cluster::violation);
        for (ChangingTable table : knowledge.tables()) {
            Table found = catalog().tables().get(table.name());
            if (found != null && !table.mayBeDropped()) {
                judge(table, found);
            }
        }
    }

    private static String from(String text, int place) {
        int begin = Math.max(0, place - SHOWN / 2);
        return text.substring(begin, Math.min(text.length(), begin + SHOWN));
    }

    private void judge(ChangingTable table, Table found) {
        List<List<long[]>> places = rows(found);
        boolean isPartitioned = found.partitioningColumn().isPresent();
        if (isPartitioned) {
            judge(table, found, places.stream().flatMap(List::stream).toList());
        } else {
            places.forEach(rows -> judge(table, found, rows));
        }
    }

    private void judge(ChangingTable table, Table found, List<long[]> rows) {
        Map<Long, long[]> byNumber = new TreeMap<>();
        Map<String, Long> pairs = new TreeMap<>();
        boolean isUnique = found.indexes().stream().anyMatch(index -> index.unique() && !index.primary());
        for (long[] columns : rows) {
            ChangingTable.Row row = table.rows().get(columns[1]);
            String text = table.name() + " has " + Arrays.toString(columns);
            if (byNumber.put(columns[1], columns) != null) {
                cluster.violation(text + " twice");
            }
            if (row == null || !row.has(columns) || row.state() == ChangingTable.RowState.ABSENT) {
                cluster.violation(text + ", of which is known " + row);
            }
            if (columns.length != found.columns().size()) {
                cluster.violation(text + " and " + found.columns().size() + " columns");
            }
            Long other = pairs.put(columns[0] + " " + columns[2], columns[1]);
            if (isUnique && other != null) {
                cluster.violation(text + " beside row " + other + " in spite of a unique index");
            }
            found.checks().forEach(check -> {
                if (table.forbids(check.name(), columns[2])) {
                    cluster.violation(text + " in spite of CHECK " + check.text());
                }
            });
        }
        table.rows().forEach((number, row) -> {
            if (row.state() == ChangingTable.RowState.THERE && !byNumber.containsKey(number)) {
                cluster.violation(table.name() + " misses " + row);
            }
        });
    }

    /** The rows of the table at the primary of each partition. */
    private List<List<long[]>> rows(Table table) {
        List<List<long[]>> rows = new ArrayList<>();
        for (int number = 0; number < cluster.scenario().partitions(); number++) {
            PartitionRecord record = cluster.record(number);
            if (record != null) {
                rows.add(CopyContents.of(
                        cluster.node(record.primary().node())
                                .database()
                                .copies()
                                .of(cluster.partition(number))
                                .runtime(),
                        table));
            }
        }
        return rows;
    }
}
