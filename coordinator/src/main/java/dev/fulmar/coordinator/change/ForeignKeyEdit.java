package dev.fulmar.coordinator.change;

import dev.fulmar.coordinator.change.StorageStep.NewReference;
import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.CatalogChange.CreateTable;
import dev.fulmar.engine.catalog.CatalogChange.Validity;
import dev.fulmar.engine.catalog.Column;
import dev.fulmar.engine.catalog.ForeignKey;
import dev.fulmar.engine.catalog.Index;
import dev.fulmar.engine.catalog.IndexColumn;
import dev.fulmar.engine.catalog.IndexKind;
import dev.fulmar.engine.catalog.SchemaName;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.execution.ReferencePlaces;
import dev.fulmar.engine.plan.Drawing;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Completes and checks changes of the catalog for foreign keys. Columns and indexes that a foreign key is made of stay
 * as they are while it exists.
 */
final class ForeignKeyEdit {
    private ForeignKeyEdit() {}

    /** The new table with its foreign keys, if they can be, and an index for each of them. */
    static Table complete(Table draft, CreateTable create, Catalog catalog) {
        Table table = draft;
        List<ForeignKey> keys = new ArrayList<>();
        Set<String> names = new HashSet<>();
        draft.indexes().forEach(index -> names.add(index.name()));
        draft.checks().forEach(check -> names.add(check.name()));
        for (ForeignKey written : create.foreignKeys()) {
            Table parent = written.parent().equals(draft.name()) ? draft : catalog.table(written.parent());
            ForeignKey key = resolved(written, parent);
            if (!names.add(key.name())) {
                throw new FulmarException(
                        ErrorCode.OBJECT_EXISTS, "table " + draft.name() + " has two constraints " + key.name());
            }
            check(key, draft, parent);
            keys.add(key);
            int last = table.indexes().stream().mapToInt(Index::id).max().orElse(table.id());
            table = indexed(table, key, last + 1, catalog);
        }
        return table.withForeignKeys(keys);
    }

    /** A table that there is gets a foreign key, and an index for it if none serves. */
    static CatalogEdit add(ForeignKey written, Validity validity, Table before, Catalog catalog) {
        Table parent = written.parent().equals(before.name()) ? before : catalog.table(written.parent());
        boolean isValidated = validity == Validity.NOW;
        ForeignKey key = resolved(written, parent).withUnvalidatedSince(isValidated ? 0 : catalog.version() + 1);
        TableEdit.checkNewConstraint(before, key.name());
        check(key, before, parent);
        checkNotReferredTo(key, before, catalog);
        List<ForeignKey> keys = new ArrayList<>(before.foreignKeys());
        keys.add(key);
        Table after = indexed(before, key, catalog.nextId(), catalog).withForeignKeys(keys);
        Catalog changed = catalog.withTable(after);
        ReferencePlaces.check(after, changed);
        List<StorageStep> steps = new ArrayList<>(StorageStep.VerifyEmpty.ofRefused(catalog, changed));
        NewReference reference = new NewReference(after, changed.table(key.parent()), key);
        boolean hasIndex = after.indexes().size() == before.indexes().size();
        if (!isValidated || !ReferencePlaces.isTogether(after, key, changed)) {
            if (isValidated) {
                steps.add(StorageStep.VerifyEmpty.before(before, "foreign key " + key.name()));
            }
            if (!hasIndex) {
                steps.add(new StorageStep.CreateIndex(after, after.indexes().getLast(), Optional.empty()));
            }
            return new CatalogEdit(changed, steps);
        }
        steps.add(
                hasIndex
                        ? new StorageStep.VerifyReference(reference)
                        : new StorageStep.CreateIndex(after, after.indexes().getLast(), Optional.of(reference)));
        return new CatalogEdit(changed, steps);
    }

    /**
     * The table, whose last column is new, with foreign keys of that column, and an index for each that none serves.
     */
    static Table withNew(List<ForeignKey> added, Table draft, Catalog catalog) {
        Table table = draft;
        for (ForeignKey written : added) {
            Table parent = written.parent().equals(draft.name()) ? draft : catalog.table(written.parent());
            ForeignKey key = resolved(written, parent);
            TableEdit.checkNewConstraint(table, key.name());
            check(key, table, parent);
            List<ForeignKey> keys = new ArrayList<>(table.foreignKeys());
            keys.add(key);
            table = indexed(table, key, 0, catalog).withForeignKeys(keys);
        }
        return table;
    }

    /**
     * Steps that verify the existing rows for new foreign keys. Those rows all refer to the same row; or to nothing, if
     * the new column has no default.
     */
    static List<StorageStep> looks(Table before, Table after, Catalog catalog) {
        ReferencePlaces.check(after, catalog);
        List<StorageStep> steps = new ArrayList<>();
        for (ForeignKey key : after.foreignKeys()) {
            if (before.foreignKeys().contains(key)) {
                continue;
            }
            Column added = after.visibleColumns().getLast();
            if (!added.isGenerated() && ReferencePlaces.isTogether(after, key, catalog)) {
                steps.add(new StorageStep.VerifyAlike(new NewReference(after, catalog.table(key.parent()), key)));
            } else if (added.isGenerated() || added.defaultValue() != null) {
                steps.add(StorageStep.VerifyEmpty.before(before, "foreign key " + key.name()));
            }
        }
        return steps;
    }

    /** Refuses a foreign key that by itself changes columns to which another one refers. */
    private static void checkNotReferredTo(ForeignKey key, Table table, Catalog catalog) {
        boolean isReferredTo = catalog.tables().values().stream()
                .flatMap(other -> other.foreignKeys().stream())
                .anyMatch(other -> other.parent().equals(table.name())
                        && other.parentColumns().stream().anyMatch(key.columns()::contains));
        if (changes(key) && isReferredTo) {
            throw new FulmarException(
                    ErrorCode.NOT_SUPPORTED,
                    key.name() + " would change columns of " + table.name()
                            + " by itself (ON UPDATE) to which another foreign key refers; changes are not passed on");
        }
    }

    private static boolean changes(ForeignKey key) {
        return key.onUpdate() != ForeignKey.Action.NO_ACTION || key.onDelete().setsColumns();
    }

    /** The key to columns of its parent: those of its primary key if it names none. */
    static ForeignKey resolved(ForeignKey key, Table parent) {
        List<String> columns = !key.parentColumns().isEmpty()
                ? key.parentColumns()
                : parent.primaryKey().stream()
                        .map(place -> parent.columns().get(place).name())
                        .toList();
        return key.withParentColumns(columns);
    }

    private static void check(ForeignKey key, Table table, Table parent) {
        if (parent.isSequence()) {
            throw new FulmarException(ErrorCode.NOT_SUPPORTED, key.name() + " refers to a sequence");
        }
        if (SchemaName.isInTemporary(table.name()) != SchemaName.isInTemporary(parent.name())) {
            throw new FulmarException(
                    ErrorCode.NOT_SUPPORTED,
                    "foreign keys of temporary tables refer to temporary tables, and those of others to others; leave "
                            + key.name() + " out");
        }
        if (key.columns().size() != key.parentColumns().size()
                || new HashSet<>(key.columns()).size() < key.columns().size()) {
            throw new FulmarException(
                    ErrorCode.SYNTAX,
                    key.name() + " refers by " + key.columns() + " to " + key.parentColumns() + " of " + parent.name()
                            + "; it needs as many different columns here as there");
        }
        List<Integer> places = new ArrayList<>();
        for (int i = 0; i < key.columns().size(); i++) {
            Column column = column(table, key.columns().get(i));
            Column other = column(parent, key.parentColumns().get(i));
            if (!isAlike(column.type(), other.type())) {
                throw new FulmarException(
                        ErrorCode.TYPE_MISMATCH,
                        key.name() + ": " + column.name() + " is " + column.type() + ", and " + other.name() + " of "
                                + parent.name() + " is " + other.type() + "; give both the same type");
            }
            places.add(parent.columnIndex(other.name()));
        }
        if (parent.indexes().stream().noneMatch(index -> isKey(index, places))) {
            throw new FulmarException(
                    ErrorCode.NOT_SUPPORTED,
                    key.name() + " refers to " + key.parentColumns() + " of " + parent.name()
                            + ", which is neither its primary key nor unique; make it so");
        }
        boolean isReferredTo =
                key.parent().equals(table.name()) && key.columns().stream().anyMatch(key.parentColumns()::contains);
        boolean passesOn = parent.foreignKeys().stream()
                .anyMatch(above -> above.onUpdate() != ForeignKey.Action.NO_ACTION
                        && above.columns().stream().anyMatch(key.parentColumns()::contains));
        if ((changes(key) && isReferredTo) || passesOn) {
            throw new FulmarException(
                    ErrorCode.NOT_SUPPORTED,
                    key.name() + " refers to columns of " + parent.name()
                            + " that another foreign key changes by itself (ON UPDATE); changes are not passed on");
        }
    }

    private static Column column(Table table, String name) {
        return table.columns().get(TableDraft.columnIndex(table.name(), table.columns(), name));
    }

    private static boolean isAlike(ColumnType one, ColumnType other) {
        return one.kind() == other.kind() && (one.kind().isCharacter() || one.equals(other));
    }

    private static boolean isKey(Index index, List<Integer> places) {
        return index.isConstraint()
                && index.columns().size() == places.size()
                && index.columns().stream().map(IndexColumn::column).allMatch(places::contains);
    }

    /** Whether the table has an index by which the rows are found that refer to a row. */
    static boolean isServed(ForeignKey key, Table table) {
        return table.indexes().stream().anyMatch(index -> serves(index, key, table));
    }

    /** The name of the index that comes with the key where none serves. */
    static String indexName(ForeignKey key) {
        return key.name() + "_INDEX";
    }

    /** Rows that refer to a row are found by an index whose first columns are those of the foreign key. */
    private static Table indexed(Table table, ForeignKey key, int indexId, Catalog catalog) {
        if (isServed(key, table)) {
            return table;
        }
        String name = indexName(key);
        CatalogEdit.checkNewIndex(catalog, name);
        List<IndexColumn> columns = Arrays.stream(key.places(table))
                .mapToObj(place -> new IndexColumn(place, false))
                .toList();
        List<Index> indexes = new ArrayList<>(table.indexes());
        indexes.add(new Index(indexId, name, IndexKind.ORDERED, false, false, columns));
        return table.withIndexes(indexes);
    }

    private static boolean serves(Index index, ForeignKey key, Table table) {
        List<Integer> places = Arrays.stream(key.places(table)).boxed().toList();
        return index.kind() == IndexKind.ORDERED
                && index.condition().isEmpty()
                && index.columns().size() >= places.size()
                && index.columns().subList(0, places.size()).stream()
                        .allMatch(column -> places.contains(column.column()));
    }

    /** Refuses a change of columns or indexes that a foreign key is made of. */
    static CatalogEdit checked(CatalogEdit edit, Catalog before) {
        for (Table table : edit.catalog().tables().values()) {
            for (ForeignKey key : table.foreignKeys()) {
                checkDefaults(key, table);
                Table parent = edit.catalog().tables().get(key.parent());
                boolean isWhole = parent != null
                        && isSame(before.tables().get(table.name()), table, key.columns(), before, key)
                        && isSame(before.tables().get(key.parent()), parent, key.parentColumns(), before, key)
                        && parent.indexes().stream()
                                .anyMatch(index -> isKey(
                                        index,
                                        Arrays.stream(key.parentPlaces(parent))
                                                .boxed()
                                                .toList()))
                        && table.indexes().stream().anyMatch(index -> serves(index, key, table));
                if (!isWhole) {
                    throw new FulmarException(
                            ErrorCode.DEPENDENT_OBJECTS,
                            "the foreign key " + key.name() + " of " + table.name() + " to " + key.parent()
                                    + " is made of what would change; ALTER TABLE " + table.name() + " DROP CONSTRAINT "
                                    + key.name() + " first");
                }
            }
        }
        return edit;
    }

    /** A number that is drawn from a sequence is nothing to refer to, and no action sets what is computed. */
    private static void checkDefaults(ForeignKey key, Table table) {
        boolean isSet = key.onUpdate() != ForeignKey.Action.NO_ACTION
                || key.onDelete() == ForeignKey.Action.SET_NULL
                || key.onDelete() == ForeignKey.Action.SET_DEFAULT;
        if (isSet && key.columns().stream().anyMatch(name -> column(table, name).isGenerated())) {
            throw new FulmarException(
                    ErrorCode.SYNTAX,
                    key.name() + " would set a generated column; use NO ACTION, or ON DELETE CASCADE");
        }
        if (key.setsDefaults()
                && key.columns().stream()
                        .map(name -> column(table, name).defaultValue())
                        .anyMatch(value -> value != null && Drawing.happensIn(value))) {
            throw new FulmarException(
                    ErrorCode.NOT_SUPPORTED,
                    key.name() + " would SET DEFAULT what is drawn from a sequence; give its columns another default, "
                            + "or use SET NULL, CASCADE or NO ACTION");
        }
    }

    /** Whether the columns are what they were; a table that was not there, or not with this key, is as it should be. */
    private static boolean isSame(
            @Nullable Table before, Table after, List<String> columns, Catalog catalog, ForeignKey key) {
        if (columns.stream().anyMatch(column -> after.columnIndex(column) < 0)) {
            return false;
        }
        boolean isNew = catalog.tables().values().stream()
                .noneMatch(table -> table.foreignKeys().contains(key));
        if (before == null || isNew) {
            return true;
        }
        for (String column : columns) {
            boolean isThere = before.columnIndex(column) >= 0;
            if (!isThere
                    || !column(before, column)
                            .type()
                            .isSame(column(after, column).type())) {
                return false;
            }
        }
        return true;
    }
}
