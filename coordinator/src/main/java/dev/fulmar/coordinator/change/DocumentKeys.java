package dev.fulmar.coordinator.change;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.Index;
import dev.fulmar.engine.catalog.IndexColumn;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;

/**
 * Keeps documents and intervals out of keys. Those that are equal may have other bytes, and indexes and partitions know
 * bytes alone.
 */
final class DocumentKeys {
    private DocumentKeys() {}

    /** Refuses a change after which a document or interval is the key of an index or places rows. */
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
                TypeKind kind = key.type(table).kind();
                if (kind.hasEqualForms()) {
                    throw refused(key.text(table), kind, "is no key of " + index.name());
                }
            }
        }
        table.partitioningColumn().ifPresent(place -> {
            TypeKind kind = table.columns().get(place).type().kind();
            if (kind.hasEqualForms()) {
                throw refused(table.columns().get(place).name(), kind, "places no rows");
            }
        });
    }

    private static FulmarException refused(String key, TypeKind kind, String what) {
        return new FulmarException(
                ErrorCode.NOT_SUPPORTED,
                kind.isJson()
                        ? key + " is a document of JSON and " + what
                                + "; keep the part that is looked for in a column of its own, or index (column ->> 'key')"
                        : key + " is an interval and " + what
                                + "; keep its seconds in a BIGINT, for 1 month is equal to 30 days");
    }
}
