package dev.fulmar.coordinator;

import dev.fulmar.coordinator.transaction.PartitionRuntime;
import dev.fulmar.coordinator.transaction.PartitionRuntimes;
import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.partition.PartitionTask;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Row count and memory of one table, summed over this node's copies of the partitions, for monitoring.
 *
 * @param rows a replicated table's are counted once, in the first partition
 * @param memoryBytes rows and indexes; those of a replicated table are counted in every partition
 */
public record TableContents(Table table, long rows, long memoryBytes) {
    /** Asks every partition between two of its transactions. */
    static CompletableFuture<List<TableContents>> of(Catalog catalog, PartitionRuntimes runtimes) {
        List<Table> tables = List.copyOf(catalog.tables().values());
        AtomicLongArray rows = new AtomicLongArray(tables.size());
        AtomicLongArray bytes = new AtomicLongArray(tables.size());
        AtomicInteger missing = new AtomicInteger(runtimes.count());
        CompletableFuture<List<TableContents>> result = new CompletableFuture<>();
        for (PartitionRuntime runtime : runtimes.all()) {
            runtime.partition().inbox().put((PartitionTask) partition -> {
                for (int i = 0; i < tables.size(); i++) {
                    Table table = tables.get(i);
                    if (runtime.storage().hasTable(table.id())) {
                        bytes.addAndGet(i, runtime.storage().table(table.id()).usedBytesWithIndexes());
                        if (!table.isReplicated() || partition.id().number() == 0) {
                            rows.addAndGet(
                                    i, runtime.storage().table(table.id()).rowCount());
                        }
                    }
                }
                if (missing.decrementAndGet() == 0) {
                    result.complete(collect(tables, rows, bytes));
                }
            });
        }
        return result;
    }

    private static List<TableContents> collect(List<Table> tables, AtomicLongArray rows, AtomicLongArray bytes) {
        List<TableContents> contents = new ArrayList<>();
        for (int i = 0; i < tables.size(); i++) {
            contents.add(new TableContents(tables.get(i), rows.get(i), bytes.get(i)));
        }
        return contents;
    }
}
