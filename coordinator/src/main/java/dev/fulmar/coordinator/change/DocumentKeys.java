package dev.fulmar.coordinator.change;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.Column;
import dev.fulmar.engine.catalog.Index;
import dev.fulmar.engine.catalog.IndexColumn;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;

/**
 * Keeps documents, intervals and arrays out of keys. Documents and intervals that are equal may have other bytes, and
 * indexes and partitions know bytes alone. Arrays are longer than keys may be.
 */
final class DocumentKeys {
    private DocumentKeys() {}

    /** Refuses a change after which such a value is the key of an index or places rows. */
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
                check(key.type(table), key.text(table), "is no key of " + index.name());
            }
        }
        table.partitioningColumn().ifPresent(place -> {
            Column column = table.columns().get(place);
            check(column.type(), column.name(), "places no rows");
        });
    }

    private static void check(ColumnType type, String key, String what) {
        if (type.isArray()) {
            throw new FulmarException(
                    ErrorCode.NOT_SUPPORTED,
                    key + " is an array and " + what
                            + "; keep the elements that are looked for in a table of their own, with an index");
        }
        if (!type.kind().isKey()) {
            throw refused(key, type.kind(), what);
        }
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
