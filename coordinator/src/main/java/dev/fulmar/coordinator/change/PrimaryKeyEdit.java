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
import dev.fulmar.engine.catalog.TablePartitioning;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Builds the next catalog where a table gets a primary key, or loses it. Its rows are copied. */
final class PrimaryKeyEdit {
    private PrimaryKeyEdit() {}

    static CatalogEdit add(AddPrimaryKey add, Table before, Catalog catalog) {
        before.primaryIndex().ifPresent(index -> {
            throw new FulmarException(
                    ErrorCode.OBJECT_EXISTS,
                    "table " + before.name() + " has a primary key already; ALTER TABLE " + before.name()
                            + " DROP CONSTRAINT " + index.name() + " first");
        });
        if (before.hasRowId() && add.validity() == Validity.NOW) {
            Optional<CatalogEdit> placed = placedByKey(add, before, catalog);
            if (placed.isPresent()) {
                return placed.get();
            }
        }
        Table keyed = keyed(add, before, catalog);
        String name = add.name().of(before.name());
        boolean isGlobal = GlobalKeys.isGlobal(keyed.indexes().getLast(), before);
        if (isGlobal && add.validity() == Validity.LATER) {
            keyed = keyed.withIndexes(keyed.indexes().stream()
                    .map(index -> index.primary() ? index.withUnvalidatedSince(catalog.version() + 1) : index)
                    .toList());
        }
        CatalogEdit edit = ColumnEdit.convertedInPlace(catalog, before, keyed);
        if (!isGlobal || add.validity() == Validity.LATER) {
            return edit;
        }
        List<StorageStep> steps = new ArrayList<>();
        steps.add(StorageStep.VerifyEmpty.before(before, "primary key " + name));
        steps.addAll(edit.steps());
        return new CatalogEdit(edit.catalog(), steps);
    }

    /** The table with the key and its indexes. */
    private static Table keyed(AddPrimaryKey add, Table before, Catalog catalog) {
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
        String name = add.name().of(before.name());
        indexes.add(index(name, add.kind().orElse(IndexKind.HASH), key, before, catalog));
        if (add.kind().isEmpty()) {
            indexes.add(index(
                    TableDraft.orderName(add.name(), before.name(), catalog), IndexKind.ORDERED, key, before, catalog));
        }
        return before.withColumns(columns).withIndexes(indexes).withPrimaryKey(places);
    }

    /**
     * The edit that places a table by its key, which was spread by row ids and has no rows. Empty if the key's column
     * cannot place rows, and where a materialized view lies with them.
     */
    private static Optional<CatalogEdit> placedByKey(AddPrimaryKey add, Table before, Catalog catalog) {
        Table keyed = keyed(add, before.withoutRowId(), catalog);
        String column = TablePartitioning.keyColumn(add.columns(), before.foreignKeys(), catalog)
                .orElseThrow();
        Column placing = keyed.columns().get(keyed.columnIndex(column));
        boolean isViewed = catalog.tables().values().stream().anyMatch(other -> other.aggregates(before));
        if (TablePartitioning.isApproximate(placing) || isViewed) {
            return Optional.empty();
        }
        return Optional.of(ColumnEdit.withoutRows(
                catalog,
                before,
                CatalogEdit.partitioned(keyed, column),
                "primary key " + add.name().of(before.name())
                        + " would place them anew; add it by a statement of its own, outside of a transaction"));
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
