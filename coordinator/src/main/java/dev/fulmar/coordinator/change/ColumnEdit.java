package dev.fulmar.coordinator.change;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.CatalogChange.Presence;
import dev.fulmar.engine.catalog.CatalogChange.Unique;
import dev.fulmar.engine.catalog.Check;
import dev.fulmar.engine.catalog.Column;
import dev.fulmar.engine.catalog.Generation;
import dev.fulmar.engine.catalog.GlobalKeys;
import dev.fulmar.engine.catalog.Index;
import dev.fulmar.engine.catalog.IndexColumn;
import dev.fulmar.engine.catalog.IndexKind;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.catalog.TableAlteration.AddColumn;
import dev.fulmar.engine.catalog.TableAlteration.ChangeColumn;
import dev.fulmar.engine.catalog.TableAlteration.DefaultTime;
import dev.fulmar.engine.catalog.TableAlteration.DropColumn;
import dev.fulmar.engine.execution.TableConversion;
import dev.fulmar.engine.row.RowLayout;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/**
 * Builds the next catalog when a table's columns change. Rows that need another layout move to a table with an id of
 * its own.
 */
final class ColumnEdit {
    private ColumnEdit() {}

    static CatalogEdit add(Catalog catalog, Table before, AddColumn add) {
        Column column = add.column();
        if (before.columnIndex(column.name()) >= 0) {
            if (add.presence() == Presence.LENIENT) {
                return CatalogEdit.unchanged(catalog);
            }
            throw CatalogEdit.exists("column", column.name());
        }
        List<Column> columns = new ArrayList<>(before.visibleColumns());
        columns.add(column);
        int place = columns.size() - 1;
        Table after = before.withColumns(columns);
        if (before.hasRowId()) { // it stays the last column
            after = after.withRowId();
        }
        for (Unique unique : add.uniques()) {
            TableEdit.checkNewConstraint(after, unique.name());
            CatalogEdit.checkNewIndex(catalog, unique.name());
            List<Index> indexes = new ArrayList<>(after.indexes());
            IndexColumn key = new IndexColumn(place, false);
            Index index = new Index(0, unique.name(), IndexKind.HASH, true, false, List.of(key));
            TableDraft.checkUniqueness(after, index);
            indexes.add(index);
            after = after.withIndexes(indexes);
        }
        List<Check> checks = new ArrayList<>(before.checks());
        for (Check check : add.checks()) {
            TableEdit.checkNewConstraint(after.withChecks(checks), check.name());
            checks.add(check);
        }
        List<Integer> sources = new ArrayList<>(places(before));
        sources.add(place, TableConversion.NEW);
        Table complete = ForeignKeyEdit.withNew(add.references(), after.withChecks(checks), catalog);
        Table renumbered = renumbered(complete, catalog.nextId());
        CatalogEdit edit = converted(catalog, before, renumbered, sources, micros(add));
        List<StorageStep> steps = new ArrayList<>(edit.steps());
        if (column.defaultValue() != null || column.isGenerated()) {
            add.uniques().stream()
                    .filter(unique -> renumbered.indexes().stream()
                            .anyMatch(index ->
                                    index.name().equals(unique.name()) && GlobalKeys.isGlobal(index, renumbered)))
                    .forEach(unique ->
                            steps.add(StorageStep.VerifyEmpty.before(before, "unique index " + unique.name())));
        }
        steps.addAll(ForeignKeyEdit.looks(before, renumbered, edit.catalog()));
        return new CatalogEdit(edit.catalog(), steps);
    }

    /** The time of the default in rows that exist. */
    private static long micros(AddColumn add) {
        return switch (add.time()) {
            case DefaultTime.Any _ -> 0;
            case DefaultTime.At(long micros) -> micros;
            case DefaultTime.Unsaid _ -> throw Invariants.breach("the text of a change says the time of a default");
        };
    }

    static CatalogEdit drop(Catalog catalog, Table before, DropColumn drop) {
        int place = before.columnIndex(drop.name());
        if (place < 0 && drop.presence() == Presence.LENIENT) {
            return CatalogEdit.unchanged(catalog);
        }
        if (place < 0) {
            throw unknown(before, drop.name());
        }
        List<Integer> dropped = new ArrayList<>(List.of(place));
        for (int other : places(before)) {
            Generation generation = before.columns().get(other).generation();
            if (generation != null && generation.reads(place)) {
                if (!drop.cascade()) {
                    throw dependent(
                            before,
                            drop.name(),
                            "column " + before.columns().get(other).name());
                }
                dropped.add(other);
            }
        }
        dropped.sort(Comparator.reverseOrder());
        Table after = before;
        List<Integer> sources = new ArrayList<>(places(before));
        for (int each : dropped) {
            after = without(after, each, drop.cascade());
            sources.remove(each);
        }
        return converted(catalog, before, renumbered(after, catalog.nextId()), sources);
    }

    /** The table without a column that no other one is computed from. */
    private static Table without(Table before, int place, boolean cascade) {
        checkDispensable(before, place);
        String name = before.columns().get(place).name();
        List<Index> indexes = new ArrayList<>();
        for (Index index : before.indexes()) {
            if (!index.dependsOn(place)) {
                indexes.add(withoutColumn(index, place));
            } else if (!cascade) {
                throw dependent(before, name, "index " + index.name());
            }
        }
        List<Check> checks = new ArrayList<>();
        for (Check check : before.checks()) {
            if (!check.reads(place)) {
                checks.add(check.withoutColumn(place));
            } else if (!cascade) {
                throw dependent(before, name, "constraint " + check.name());
            }
        }
        Table after = new Table(
                before.id(),
                before.name(),
                places(before).stream()
                        .filter(other -> other != place)
                        .map(other -> before.columns().get(other).withoutColumn(place))
                        .toList(),
                before.partitioningColumn().isPresent()
                        ? OptionalInt.of(shifted(before.partitioningColumn().getAsInt(), place))
                        : OptionalInt.empty(),
                before.primaryKey().stream().map(key -> shifted(key, place)).toList(),
                indexes,
                checks,
                Optional.empty(),
                before.foreignKeys());
        return after.withExpiry(before.expiry()).withAwaitsKey(before.awaitsKey());
    }

    static CatalogEdit change(Catalog catalog, Table before, ChangeColumn change) {
        int place = before.columnIndex(change.name());
        if (place < 0) {
            throw unknown(before, change.name());
        }
        Column old = before.columns().get(place);
        Column column = change.column();
        if (!column.name().equals(old.name()) && before.columnIndex(column.name()) >= 0) {
            throw CatalogEdit.exists("column", column.name());
        }
        boolean isKey = before.primaryKey().contains(place)
                || before.partitioningColumn().orElse(-1) == place;
        if (isKey && column.nullable()) {
            throw new FulmarException(
                    ErrorCode.NOT_SUPPORTED,
                    "column " + old.name() + " of " + before.name()
                            + " belongs to the primary key or says where rows belong, and so is never null");
        }
        checkConditions(before, place, column);
        TypeWidening.check(before, place, column.type());
        List<Column> columns = new ArrayList<>(before.columns());
        columns.set(place, column);
        Table after = before.withColumns(columns).withChecks(change.checks()).withGenerations(change.generations());
        if (after.equals(before)) {
            return CatalogEdit.unchanged(catalog);
        }
        boolean isIndexed = before.indexes().stream()
                .flatMap(index -> index.columns().stream())
                .anyMatch(key -> key.column() == place);
        boolean staysInPlace = RowLayout.isSame(before, after) && (column.nullable() == old.nullable() || !isIndexed);
        if (!staysInPlace) {
            Catalog renamed = catalog.withRenamed(before, after);
            return converted(renamed, before, renumbered(after, catalog.nextId()), places(before));
        }
        List<StorageStep> steps = new ArrayList<>();
        if (old.nullable() && !column.nullable()) {
            steps.add(new StorageStep.VerifyNotNull(before, place));
        }
        steps.add(new StorageStep.RedefineTable(before, after));
        return new CatalogEdit(catalog.withRenamed(before, after), steps);
    }

    /** The conditions and computed keys of indexes know their columns as they are. */
    private static void checkConditions(Table table, int place, Column column) {
        Column old = table.columns().get(place);
        boolean isSame = column.name().equals(old.name())
                && column.type().equals(old.type())
                && column.nullable() == old.nullable();
        for (Index index : table.indexes()) {
            if (!isSame && index.computesFrom(place)) {
                throw dependent(table, old.name(), "index " + index.name());
            }
        }
    }

    /** The edit that makes of the table one with the same columns, and other keys. */
    static CatalogEdit convertedInPlace(Catalog catalog, Table before, Table after) {
        for (int place : places(before)) {
            checkConditions(before, place, after.columns().get(place));
        }
        return converted(catalog, before, renumbered(after, catalog.nextId()), places(before));
    }

    /**
     * The edit that makes of a table without rows one whose rows lie elsewhere, without row ids.
     *
     * @param refusal what the message says of the rows if there are any
     */
    static CatalogEdit withoutRows(Catalog catalog, Table before, Table after, String refusal) {
        after.indexes().forEach(index -> TableDraft.checkUniqueness(after, index));
        List<Integer> sources =
                places(before).subList(0, before.visibleColumns().size());
        CatalogEdit edit = converted(catalog, before, renumbered(after, catalog.nextId()), sources);
        List<StorageStep> steps = new ArrayList<>(StorageStep.VerifyEmpty.ofRefused(catalog, edit.catalog()));
        steps.add(new StorageStep.VerifyEmpty(before, refusal));
        steps.addAll(edit.steps());
        return new CatalogEdit(edit.catalog(), steps);
    }

    private static CatalogEdit converted(Catalog catalog, Table before, Table after, List<Integer> sources) {
        return converted(catalog, before, after, sources, 0);
    }

    private static CatalogEdit converted(
            Catalog catalog, Table before, Table after, List<Integer> sources, long micros) {
        return new CatalogEdit(
                catalog.withTable(after), List.of(new StorageStep.ConvertTable(before, after, sources, micros)));
    }

    private static List<Integer> places(Table table) {
        return IntStream.range(0, table.columns().size()).boxed().toList();
    }

    /** The table and its indexes with new ids. */
    static Table renumbered(Table table, int firstId) {
        List<Index> indexes = new ArrayList<>();
        for (Index index : table.indexes()) {
            indexes.add(index.withId(firstId + 1 + indexes.size()));
        }
        return table.withIds(firstId, indexes);
    }

    private static Index withoutColumn(Index index, int place) {
        return index.withColumns(
                index.columns().stream()
                        .map(column -> column.withoutColumn(place))
                        .toList(),
                index.condition().map(check -> check.withoutColumn(place)));
    }

    private static int shifted(int column, int removed) {
        return column > removed ? column - 1 : column;
    }

    private static void checkDispensable(Table table, int place) {
        String name = table.columns().get(place).name();
        if (table.primaryKey().contains(place)) {
            throw new FulmarException(
                    ErrorCode.NOT_SUPPORTED,
                    "column " + name + " belongs to the primary key of " + table.name() + " and cannot be dropped");
        }
        if (table.partitioningColumn().orElse(-1) == place) {
            throw new FulmarException(
                    ErrorCode.NOT_SUPPORTED,
                    "column " + name + " says where the rows of " + table.name() + " belong and cannot be dropped");
        }
        if (table.visibleColumns().size() == 1) {
            throw new FulmarException(
                    ErrorCode.NOT_SUPPORTED,
                    "column " + name + " is all that " + table.name() + " has; drop the table");
        }
    }

    private static FulmarException dependent(Table table, String column, String what) {
        return new FulmarException(
                ErrorCode.DEPENDENT_OBJECTS,
                what + " of " + table.name() + " uses column " + column + "; drop it first, or say CASCADE");
    }

    private static FulmarException unknown(Table table, String column) {
        return new FulmarException(ErrorCode.UNKNOWN_OBJECT, table.noColumn(column));
    }
}
