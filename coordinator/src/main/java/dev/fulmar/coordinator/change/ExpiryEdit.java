package dev.fulmar.coordinator.change;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.Expiry;
import dev.fulmar.engine.catalog.Index;
import dev.fulmar.engine.catalog.IndexColumn;
import dev.fulmar.engine.catalog.IndexKind;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.catalog.TableAlteration.SetExpiry;
import dev.fulmar.engine.execution.ExpiredRows;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Completes and checks changes of tables whose rows expire (TTL). An index finds the oldest rows; if there is none, one
 * is made.
 */
final class ExpiryEdit {
    private ExpiryEdit() {}

    /** The new table with its index. */
    static Table complete(Table draft, Optional<Expiry> expiry, Catalog catalog) {
        if (expiry.isEmpty()) {
            return draft;
        }
        int column = column(draft, expiry.get());
        Table table = draft.withExpiry(expiry);
        if (isServed(table, column)) {
            return table;
        }
        int last = draft.indexes().stream().mapToInt(Index::id).max().orElse(draft.id());
        return with(table, index(table, column, last + 1, catalog));
    }

    private static int column(Table table, Expiry expiry) {
        int column = TableDraft.columnIndex(table.name(), table.columns(), expiry.column());
        if (!isTimestamp(table, column)) {
            throw new FulmarException(
                    ErrorCode.TYPE_MISMATCH,
                    "TTL is counted from a TIMESTAMP column, and " + expiry.column() + " of " + table.name() + " is "
                            + table.columns().get(column).type());
        }
        return column;
    }

    private static boolean isTimestamp(Table table, int column) {
        TypeKind kind = table.columns().get(column).type().kind();
        return kind == TypeKind.TIMESTAMP || kind == TypeKind.TIMESTAMP_TZ;
    }

    private static boolean isServed(Table table, int column) {
        return table.indexes().stream().anyMatch(index -> ExpiredRows.serves(index, column));
    }

    private static Index index(Table table, int column, int id, Catalog catalog) {
        String name = Expiry.indexName(table.name());
        CatalogEdit.checkNewIndex(catalog, name);
        return new Index(id, name, IndexKind.ORDERED, false, false, List.of(new IndexColumn(column, false)));
    }

    private static Table with(Table table, Index index) {
        List<Index> indexes = new ArrayList<>(table.indexes());
        indexes.add(index);
        return table.withIndexes(indexes);
    }

    /** ALTER TABLE. */
    static CatalogEdit set(Catalog catalog, Table before, SetExpiry set) {
        if (before.expiry().equals(set.expiry())) {
            return CatalogEdit.unchanged(catalog);
        }
        Table after = before.withExpiry(set.expiry());
        Catalog changed = catalog.withTable(after);
        List<StorageStep> steps = new ArrayList<>(StorageStep.VerifyEmpty.ofRefused(catalog, changed));
        if (set.expiry().isPresent()) {
            int column = column(before, set.expiry().get());
            if (isServed(after, column)) {
                return new CatalogEdit(changed, steps);
            }
            Index index = index(after, column, catalog.nextId(), catalog);
            Table indexed = with(after, index);
            steps.add(new StorageStep.CreateIndex(indexed, index));
            return new CatalogEdit(catalog.withTable(indexed), steps);
        }
        for (Index index : after.indexes()) {
            if (!index.isConstraint() && index.name().equals(Expiry.indexName(before.name()))) {
                Table without = after.withIndexes(after.indexes().stream()
                        .filter(other -> other.id() != index.id())
                        .toList());
                return new CatalogEdit(catalog.withTable(without), List.of(new StorageStep.DropIndex(without, index)));
            }
        }
        return new CatalogEdit(catalog.withTable(after), List.of());
    }

    /** Refuses a change after which the oldest rows cannot be found. */
    static CatalogEdit checked(CatalogEdit edit) {
        for (Table table : edit.catalog().tables().values()) {
            Expiry expiry = table.expiry().orElse(null);
            if (expiry == null) {
                continue;
            }
            int column = table.columnIndex(expiry.column());
            if (column < 0 || !isTimestamp(table, column) || !isServed(table, column)) {
                throw new FulmarException(
                        ErrorCode.DEPENDENT_OBJECTS,
                        "rows of " + table.name() + " go by themselves by their " + expiry.column()
                                + " and its index; ALTER TABLE " + table.name() + " DROP TTL first");
            }
        }
        return edit;
    }
}
