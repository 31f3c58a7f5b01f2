package dev.fulmar.coordinator.change;

import dev.fulmar.engine.catalog.Index;
import dev.fulmar.engine.catalog.Table;

/** What a change of the catalog means for the storage of every partition. */
public sealed interface StorageStep {
    record CreateTable(Table table) implements StorageStep {}

    record DropTable(Table table) implements StorageStep {}

    /** The table, which must be empty, gets another layout. */
    record RebuildEmptyTable(Table before, Table after) implements StorageStep {}

    /** @param table with the index */
    record CreateIndex(Table table, Index index) implements StorageStep {
        /** The table as it was before. */
        Table withoutIndex() {
            return new Table(
                    table.id(),
                    table.name(),
                    table.columns(),
                    table.partitioningColumn(),
                    table.primaryKey(),
                    table.indexes().stream()
                            .filter(other -> other.id() != index.id())
                            .toList());
        }
    }

    /** @param table without the index */
    record DropIndex(Table table, Index index) implements StorageStep {}
}
