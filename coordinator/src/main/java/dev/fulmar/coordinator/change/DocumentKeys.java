package dev.fulmar.coordinator.change;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.Index;
import dev.fulmar.engine.catalog.IndexColumn;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;

/**
 * Keeps documents out of keys. Documents that are equal may have other bytes, and indexes and partitions know bytes
 * alone.
 */
final class DocumentKeys {
    private DocumentKeys() {}

    /** Refuses a change after which a document is the key of an index or places rows. */
    static CatalogEdit checked(CatalogEdit edit, Catalog before) {
        for (Table table : edit.catalog().tables().values()) {
            if (!table.equals(before.tables().get(table.name()))) {
                check(table);
            }
        }
        return edit;
    }

    private static void check(Table table) {
        for (Index index : table.indexes()) {
            for (IndexColumn key : index.columns()) {
                if (key.type(table).kind().isJson()) {
                    throw refused(key.text(table), "is no key of " + index.name());
                }
            }
        }
        table.partitioningColumn().ifPresent(place -> {
            if (table.columns().get(place).type().kind().isJson()) {
                throw refused(table.columns().get(place).name(), "places no rows");
            }
        });
    }

    private static FulmarException refused(String key, String what) {
        return new FulmarException(
                ErrorCode.NOT_SUPPORTED,
                key + " is a document of JSON and " + what
                        + "; keep the part that is looked for in a column of its own, or index (column ->> 'key')");
    }
}
