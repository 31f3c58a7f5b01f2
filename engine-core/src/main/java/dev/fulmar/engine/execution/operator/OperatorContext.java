package dev.fulmar.engine.execution.operator;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.execution.value.ScratchMemory;
import dev.fulmar.engine.table.PartitionStorage;
import dev.fulmar.engine.version.Snapshot;
import dev.fulmar.foundation.check.Invariants;
import org.jspecify.annotations.Nullable;

/**
 * The context that the operators of one partition share.
 *
 * @param storage the partition's tables; null where only a merge runs
 * @param retained memory for rows that are kept until the statement ends
 * @param snapshot what a query reads that runs in slices; null where the newest versions are read
 * @param place where it runs, for a statement that is measured
 */
public record OperatorContext(
        Catalog catalog,
        @Nullable PartitionStorage storage,
        ScratchMemory retained,
        RowBudget budget,
        @Nullable Snapshot snapshot,
        MeasuredPlace place) {
    public PartitionStorage requiredStorage() {
        if (storage == null) {
            throw Invariants.breach("a merge reads no table");
        }
        return storage;
    }

    Snapshot requiredSnapshot() {
        if (snapshot == null) {
            throw Invariants.breach("only a query that runs in slices reads a snapshot");
        }
        return snapshot;
    }

    /** The table with the id. */
    public Table table(int id) {
        for (Table table : catalog.tables().values()) {
            if (table.id() == id) {
                return table;
            }
        }
        throw Invariants.breach("a plan names tables of its catalog only");
    }
}
