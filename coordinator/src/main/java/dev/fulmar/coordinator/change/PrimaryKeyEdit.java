package dev.fulmar.coordinator.change;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.CatalogChange.NamedColumn;
import dev.fulmar.engine.catalog.CatalogChange.Validity;
import dev.fulmar.engine.catalog.Column;
import dev.fulmar.engine.catalog.GlobalKeys;
import dev.fulmar.engine.catalog.Index;
import dev.fulmar.engine.catalog.IndexColumn;
import dev.fulmar.engine.catalog.IndexKind;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.catalog.TableAlteration.AddPrimaryKey;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayList;
import java.util.List;

/** Builds the next catalog where a table gets a primary key, or loses it. Its rows are copied. */
final class PrimaryKeyEdit {
    private PrimaryKeyEdit() {}

    static CatalogEdit add(AddPrimaryKey add, Table before, Catalog catalog) {
        if (!before.primaryKey().isEmpty()) {
            throw new FulmarException(
                    ErrorCode.OBJECT_EXISTS,
                    "table " + before.name() + " has a primary key already; ALTER TABLE " + before.name()
                            + " DROP CONSTRAINT " + TableDraft.primaryKeyName(before.name()) + " first");
        }
        List<NamedColumn> named = add.columns().stream()
                .map(column -> new NamedColumn(column, false))
                .toList();
        List<IndexColumn> key = TableDraft.indexColumns(before.name(), before.columns(), named);
        List<Integer> places = key.stream().map(IndexColumn::column).toList();
        List<Column> columns = new ArrayList<>(before.columns());
        for (int place : places) {
            columns.set(place, columns.get(place).withNullable(false));
        }
        List<Index> indexes = new ArrayList<>(before.indexes());
        String name = TableDraft.primaryKeyName(before.name());
        indexes.add(index(name, add.kind().orElse(IndexKind.HASH), key, before, catalog));
        if (add.kind().isEmpty()) {
            indexes.add(index(TableDraft.orderName(before.name()), IndexKind.ORDERED, key, before, catalog));
        }
        boolean isGlobal = GlobalKeys.isGlobal(indexes.getLast(), before);
        if (isGlobal && add.validity() == Validity.LATER) {
            indexes.replaceAll(index -> index.primary() ? index.withUnvalidatedSince(catalog.version() + 1) : index);
        }
        CatalogEdit edit = ColumnEdit.convertedInPlace(
                catalog,
                before,
                before.withColumns(columns).withIndexes(indexes).withPrimaryKey(places));
        if (!isGlobal || add.validity() == Validity.LATER) {
            return edit;
        }
        List<StorageStep> steps = new ArrayList<>();
        steps.add(StorageStep.VerifyEmpty.before(before, "primary key " + name));
        steps.addAll(edit.steps());
        return new CatalogEdit(edit.catalog(), steps);
    }

    /** Its id comes when all indexes get new ones. */
    private static Index index(String name, IndexKind kind, List<IndexColumn> key, Table table, Catalog catalog) {
        CatalogEdit.checkNewIndex(catalog, name);
        TableEdit.checkNewConstraint(table, name);
        return new Index(0, name, kind, true, true, key);
    }

    /** Whether the constraint is the table's primary key. */
    static boolean isName(String name, Table table) {
        return table.indexes().stream()
                .anyMatch(index -> index.primary() && index.name().equals(name));
    }

    /** Its columns stay as they are, and not null. */
    static CatalogEdit drop(Table before, Catalog catalog) {
        List<Index> rest =
                before.indexes().stream().filter(index -> !index.primary()).toList();
        return ColumnEdit.convertedInPlace(
                catalog, before, before.withIndexes(rest).withPrimaryKey(List.of()));
    }
}
