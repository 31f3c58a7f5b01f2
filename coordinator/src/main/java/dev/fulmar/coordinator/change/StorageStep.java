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
    record CreateIndex(Table table, Index index) implements StorageStep {}

    /** @param table without the index */
    record DropIndex(Table table, Index index) implements StorageStep {}
}
