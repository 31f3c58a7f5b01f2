package dev.fulmar.coordinator.change;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.CatalogChange.CreateTable;
import dev.fulmar.engine.catalog.CatalogChange.NamedColumn;
import dev.fulmar.engine.catalog.CatalogChange.Unique;
import dev.fulmar.engine.catalog.Check;
import dev.fulmar.engine.catalog.Column;
import dev.fulmar.engine.catalog.GlobalKeys;
import dev.fulmar.engine.catalog.Index;
import dev.fulmar.engine.catalog.IndexColumn;
import dev.fulmar.engine.catalog.IndexKind;
import dev.fulmar.engine.catalog.KeyName;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeSet;

/** A new table, built from a definition with names, which become ids. */
final class TableDraft {
    private final CreateTable create;
    private final int tableId;
    private final Catalog catalog;
    private final List<Index> indexes = new ArrayList<>();

    TableDraft(CreateTable create, Catalog catalog) {
        this.create = create;
        tableId = catalog.nextId();
        this.catalog = catalog;
    }

    Table toTable() {
        checkColumnNames();
        List<Integer> primaryKey = create.primaryKey().stream()
                .map(name -> columnIndex(create.name(), create.columns(), name))
                .toList();
        if (!primaryKey.isEmpty()) {
            addPrimaryIndexes();
        }
        for (Unique unique : create.uniques()) {
            addIndex(unique.name(), IndexKind.HASH, false, unique.columns());
        }
        checkCheckNames();
        return new Table(
                tableId,
                create.name(),
                columns(primaryKey),
                OptionalInt.empty(),
                primaryKey,
                indexes,
                create.checks(),
                Optional.empty(),
                create.foreignKeys());
    }

    private void checkCheckNames() {
        TreeSet<String> names = new TreeSet<>();
        indexes.forEach(index -> names.add(index.name()));
        for (Check check : create.checks()) {
            if (!names.add(check.name())) {
                throw new FulmarException(
                        ErrorCode.OBJECT_EXISTS, "table " + create.name() + " has two constraints " + check.name());
            }
        }
    }

    private void checkColumnNames() {
        TreeSet<String> names = new TreeSet<>();
        for (Column column : create.columns()) {
            if (!names.add(column.name())) {
                throw new FulmarException(
                        ErrorCode.OBJECT_EXISTS, "table " + create.name() + " has two columns " + column.name());
            }
        }
    }

    /** Key columns are never null. */
    private List<Column> columns(List<Integer> primaryKey) {
        List<Column> columns = new ArrayList<>(create.columns());
        for (int position : primaryKey) {
            Column column = columns.get(position);
            columns.set(position, column.withNullable(false));
        }
        return columns;
    }

    /**
     * The name of the second index of a primary key. Nobody has said it, so it gives way to others if it is not that of
     * a usual key.
     */
    static String orderName(KeyName key, String table, Catalog catalog) {
        String name = key.of(table) + "_ORDER";
        String free = name;
        for (int number = 1; key instanceof KeyName.Given && CatalogEdit.findIndex(catalog, free) != null; number++) {
            free = name + number;
        }
        return free;
    }

    private void addPrimaryIndexes() {
        String name = create.keyName().of(create.name());
        addIndex(name, create.primaryKeyKind().orElse(IndexKind.HASH), true, create.primaryKey());
        if (create.primaryKeyKind().isEmpty()) {
            String order = orderName(create.keyName(), create.name(), catalog);
            addIndex(order, IndexKind.ORDERED, true, create.primaryKey());
        }
    }

    private void addIndex(String name, IndexKind kind, boolean primary, List<String> columns) {
        if (indexes.stream().anyMatch(index -> index.name().equals(name))) {
            throw new FulmarException(
                    ErrorCode.OBJECT_EXISTS, "table " + create.name() + " has two constraints " + name);
        }
        List<NamedColumn> named =
                columns.stream().map(column -> new NamedColumn(column, false)).toList();
        indexes.add(new Index(
                tableId + 1 + indexes.size(),
                name,
                kind,
                true,
                primary,
                indexColumns(create.name(), create.columns(), named)));
    }

    static List<IndexColumn> indexColumns(String table, List<Column> columns, List<NamedColumn> named) {
        List<IndexColumn> indexed = new ArrayList<>();
        for (NamedColumn column : named) {
            if (column.computed().isPresent()) {
                indexed.add(new IndexColumn(column.computed().get().expression(), column.descending()));
                continue;
            }
            int position = columnIndex(table, columns, column.column());
            if (indexed.stream().anyMatch(other -> other.column() == position)) {
                throw new FulmarException(
                        ErrorCode.SYNTAX, "column " + column.column() + " stands twice in a key of " + table);
            }
            indexed.add(new IndexColumn(position, column.descending()));
        }
        return indexed;
    }

    static int columnIndex(String table, List<Column> columns, String name) {
        int place = Table.columnIndex(columns, name);
        if (place < 0) {
            throw new FulmarException(ErrorCode.UNKNOWN_OBJECT, Table.noColumn(table, columns, name));
        }
        return place;
    }

    static void checkPartitioningColumn(String table, Column column) {
        if (column.nullable()) {
            throw new FulmarException(
                    ErrorCode.NOT_SUPPORTED,
                    "column " + column.name() + " of " + table + " may be null and so cannot say where a row belongs;"
                            + " declare it NOT NULL");
        }
        if (column.isGenerated()) {
            throw new FulmarException(
                    ErrorCode.INVALID_DEFINITION,
                    "column " + column.name() + " of " + table + " is generated and so cannot say where a row belongs;"
                            + " partition on a column that it is computed from");
        }
        if (column.type().storage() == TypeKind.Storage.DOUBLE) {
            throw new FulmarException(
                    ErrorCode.NOT_SUPPORTED,
                    "table " + table + " cannot be partitioned on " + column.name() + ", which is approximate;"
                            + " use an exact type");
        }
    }

    /**
     * Refuses a unique index whose equal keys may lie on different partitions if no statement could look them up. That
     * is so for keys that are computed, or of some rows only.
     */
    static void checkUniqueness(Table table, Index index) {
        if (GlobalKeys.isGlobal(index, table) && !index.isConstraint() && table.hasRowId()) {
            throw new FulmarException(
                    ErrorCode.NOT_SUPPORTED,
                    "unique index " + index.name() + " has a condition or a computed key, and the rows of "
                            + table.name()
                            + " are spread by row ids; make the index not unique, or partition the table by a column of it");
        }
        if (GlobalKeys.isGlobal(index, table) && !index.isConstraint()) {
            Column partitioning = table.columns().get(table.partitioningColumn().getAsInt());
            throw new FulmarException(
                    ErrorCode.NOT_SUPPORTED,
                    "unique index " + index.name() + " must contain " + partitioning.name()
                            + ", the partitioning column of " + table.name()
                            + ", as it has a condition or a computed key; add it, or make the index not unique");
        }
    }
}
