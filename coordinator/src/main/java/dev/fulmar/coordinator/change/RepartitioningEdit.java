package dev.fulmar.coordinator.change;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.Column;
import dev.fulmar.engine.catalog.ForeignKey;
import dev.fulmar.engine.catalog.Index;
import dev.fulmar.engine.catalog.ProcedureDefinition;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.catalog.TableAlteration.AddPrimaryKey;
import dev.fulmar.engine.catalog.TableAlteration.Repartition;
import dev.fulmar.engine.catalog.TableAlteration.RepartitioningStage;
import dev.fulmar.engine.catalog.TablePartitioning;
import dev.fulmar.engine.execution.ReferencePlaces;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/**
 * Builds the next catalog when the rows of a table are placed anew. A first change gives the table a successor, and
 * from then on nothing writes the table. Its rows are copied. A second change lets the successor take its place. If the
 * successor is dropped instead, the table is as it was.
 */
final class RepartitioningEdit {
    private static final String COPIED =
            "they have to be copied to where they belong; send ALTER TABLE outside of a transaction";

    private RepartitioningEdit() {}

    static CatalogEdit of(Repartition place, Table before, Catalog catalog) {
        Optional<String> column = column(place.partitioning(), before, catalog);
        if (isPlaced(before, column)) {
            return before.awaitsKey() ? declared(before, catalog) : CatalogEdit.unchanged(catalog);
        }
        Table after = placed(before, column, catalog);
        return switch (place.stage()) {
            case RepartitioningStage.All _ -> all(before, after, COPIED, catalog);
            case RepartitioningStage.Begin(String name) -> begin(name, before, after, catalog);
            case RepartitioningStage.End(String name) -> end(name, before, after, catalog);
        };
    }

    /**
     * PARTITION TABLE of a table that is partitioned, as those are of which nothing is said. If its rows lie otherwise,
     * there are none. Its sequences are partitioned already.
     */
    static CatalogEdit withoutRows(Table before, String name, Catalog catalog) {
        if (isPlaced(before, Optional.of(name))) {
            return CatalogEdit.unchanged(catalog);
        }
        checkViews(before, catalog);
        if (!before.hasRowId()) { // earlier builds placed a table with row ids whatever its constraints were
            checkValidated(before, catalog);
        }
        checkProcedures(before, catalog);
        Table plain = before.hasRowId() ? before.withoutRowId() : before;
        return ColumnEdit.withoutRows(
                catalog,
                before,
                CatalogEdit.partitioned(plain, name),
                "they have to be copied to where they belong; ALTER TABLE " + before.name()
                        + " PARTITION ON COLUMN does so");
    }

    /** The column by which rows are to be placed; empty for a replicated table. */
    static Optional<String> column(TablePartitioning partitioning, Table table, Catalog catalog) {
        return switch (partitioning) {
            case TablePartitioning.OnColumn(String column) -> Optional.of(column);
            case TablePartitioning.Replicated _, TablePartitioning.Unsaid _ -> Optional.empty();
            case TablePartitioning.OnRow _ ->
                throw new FulmarException(
                        ErrorCode.NOT_SUPPORTED,
                        "rows are spread by row ids from CREATE TABLE on; INSERT ... SELECT the rows of " + table.name()
                                + " into a table that is made so");
            case TablePartitioning.ByKey _ ->
                TablePartitioning.keyColumn(table, catalog).or(() -> {
                    throw new FulmarException(
                            ErrorCode.NOT_SUPPORTED,
                            "table " + table.name() + " has no primary key to be partitioned by;" + " ALTER TABLE "
                                    + table.name() + " ADD PRIMARY KEY, or PARTITION ON COLUMN");
                });
        };
    }

    /** Whether the rows lie so already. */
    static boolean isPlaced(Table table, Optional<String> column) {
        return column.map(name -> OptionalInt.of(TableDraft.columnIndex(table.name(), table.columns(), name)))
                .orElse(OptionalInt.empty())
                .equals(table.partitioningColumn());
    }

    /** The table as it will be but for its ids, if it can be. */
    private static Table placed(Table before, Optional<String> column, Catalog catalog) {
        checkViews(before, catalog);
        checkValidated(before, catalog);
        Table plain = before.hasRowId() ? before.withoutRowId() : before;
        Table after = column.isPresent()
                ? CatalogEdit.partitioned(plain, column.get())
                : plain.withPartitioning(OptionalInt.empty());
        checkSequences(before, after, catalog);
        checkProcedures(before, catalog);
        ReferencePlaces.newlyRefused(catalog, catalog.withTable(after)).stream()
                .flatMap(each -> ReferencePlaces.refusal(each, catalog.withTable(after)).stream())
                .findFirst()
                .ifPresent(reason -> {
                    throw new FulmarException(ErrorCode.NOT_SUPPORTED, reason);
                });
        return after;
    }

    /** Refuses what rests on the place of the rows. */
    private static void checkViews(Table table, Catalog catalog) {
        Optional<String> view = catalog.tables().values().stream()
                .filter(other -> other.aggregates(table))
                .map(Table::name)
                .findFirst();
        if (table.isAggregation() || view.isPresent()) {
            String name = view.orElse(table.name());
            throw new FulmarException(
                    ErrorCode.DEPENDENT_OBJECTS,
                    "the rows of materialized view " + name + " lie with those that they are made of; DROP VIEW " + name
                            + " first, and make it again afterwards");
        }
    }

    /** Refuses what rests on rows of which it is not known whether they keep it. */
    private static void checkValidated(Table table, Catalog catalog) {
        Optional<String> unvalidated = table.indexes().stream()
                .filter(index -> !index.isValidated())
                .map(Index::name)
                .findFirst()
                .or(() -> ReferencePlaces.referring(table, catalog).stream()
                        .map(ReferencePlaces.Referring::key)
                        .filter(key -> !key.isValidated())
                        .map(ForeignKey::name)
                        .findFirst())
                .or(() -> table.foreignKeys().stream()
                        .filter(key -> !key.isValidated())
                        .map(ForeignKey::name)
                        .findFirst());
        unvalidated.ifPresent(name -> {
            throw new FulmarException(
                    ErrorCode.DEPENDENT_OBJECTS,
                    "constraint " + name + " is not valid, so the rows of " + table.name()
                            + " cannot be placed by another column; VALIDATE CONSTRAINT " + name
                            + " first, or drop it");
        });
    }

    /** Numbers that partitions have drawn by themselves are known at no one place. */
    private static void checkSequences(Table before, Table after, Catalog catalog) {
        if (!after.isReplicated()) {
            return;
        }
        for (Column column : before.columns()) {
            boolean isDrawnApart = column.drawsFrom().isPresent()
                    && !catalog.isDenseSequence(column.drawsFrom().getAsInt());
            if (isDrawnApart) {
                throw new FulmarException(
                        ErrorCode.NOT_SUPPORTED,
                        "each partition draws the numbers of " + column.name() + " of " + before.name()
                                + " by itself, and those of a replicated table are drawn by all together;"
                                + " INSERT ... SELECT the rows into a new table");
            }
        }
    }

    private static void checkProcedures(Table table, Catalog catalog) {
        for (ProcedureDefinition procedure : catalog.procedures().values()) {
            boolean isPartitioned = procedure
                    .partitioning()
                    .filter(by -> by.table().equals(table.name()))
                    .isPresent();
            if (isPartitioned && !(procedure.body() instanceof ProcedureDefinition.RowAccess)) {
                throw new FulmarException(
                        ErrorCode.DEPENDENT_OBJECTS,
                        "procedure " + procedure.name() + " is declared PARTITION ON TABLE " + table.name() + " COLUMN "
                                + procedure.partitioning().orElseThrow().column()
                                + "; drop it first, or replace it by one that is partitioned otherwise");
            }
        }
    }

    /** The table is replicated for good, whatever key it gets. */
    private static CatalogEdit declared(Table before, Catalog catalog) {
        Table after = before.withAwaitsKey(false);
        return new CatalogEdit(catalog.withTable(after), List.of(new StorageStep.RedefineTable(before, after)));
    }

    /** A primary key, and the place of rows with it; in one change, for a table without rows. */
    static CatalogEdit withKey(AddPrimaryKey add, Table before, Catalog catalog) {
        AddPrimaryKey alone = add.alone(add.validity());
        Catalog keyed = PrimaryKeyEdit.add(alone, before, catalog).catalog();
        Table table = keyed.table(before.name());
        Optional<String> column = column(new TablePartitioning.ByKey(), table, keyed);
        if (!before.isReplicated()) {
            throw new FulmarException(
                    ErrorCode.NOT_SUPPORTED,
                    before.hasRowId()
                            ? "table " + before.name()
                                    + " is partitioned by row ids; ADD PRIMARY KEY without PARTITIONED"
                                    + " places its rows by the key"
                            : "table " + before.name() + " is partitioned already; ADD PRIMARY KEY, and ALTER TABLE "
                                    + before.name() + " PARTITIONED then");
        }
        String reason = "the primary key would place them by " + column.orElseThrow()
                + "; send ADD PRIMARY KEY outside of a transaction, or, for rows that stay on every partition, ALTER TABLE "
                + before.name() + " REPLICATED before the transaction";
        return all(before, placed(table, column, keyed), reason, keyed);
    }

    /**
     * In one change, for a table without rows.
     *
     * @param reason for which it is refused if there are any
     */
    private static CatalogEdit all(Table before, Table after, String reason, Catalog catalog) {
        Invariants.check(after.columns().size() <= before.columns().size(), "rows that are placed anew get no columns");
        // Without the row id, which comes last.
        List<Integer> places =
                IntStream.range(0, after.columns().size()).boxed().toList();
        Table renumbered = ColumnEdit.renumbered(after, catalog.nextId());
        StorageStep none = new StorageStep.VerifyEmpty(before, reason);
        CatalogEdit spread = SequenceEdit.spread(before, renumbered, catalog.withTable(renumbered));
        List<StorageStep> steps = new ArrayList<>(List.of(none));
        steps.add(new StorageStep.ConvertTable(before, spread.catalog().table(before.name()), places));
        steps.addAll(spread.steps());
        return new CatalogEdit(spread.catalog(), steps);
    }

    /** The successor has the table's columns and indexes, and nothing that concerns others. */
    private static CatalogEdit begin(String name, Table before, Table after, Catalog catalog) {
        checkFree(before, catalog);
        Invariants.check(!after.hasRowId(), "rows that a column places have no row ids");
        List<Column> columns = after.columns().stream()
                .map(column -> column.withDefault(null, null))
                .toList();
        List<Index> indexes = after.indexes().stream()
                .map(index -> index.withName(name + "." + index.name()))
                .toList();
        Table successor =
                new Table(before.id(), name, columns, after.partitioningColumn(), before.primaryKey(), indexes);
        Table made = ColumnEdit.renumbered(successor, catalog.nextId()).withSuccessorOf(before.name());
        return new CatalogEdit(catalog.withTable(made), List.of(new StorageStep.CreateTable(made)));
    }

    private static CatalogEdit end(String name, Table before, Table after, Catalog catalog) {
        Table successor = catalog.table(name);
        if (!successor.successorOf().equals(Optional.of(before.name()))
                || !successor.partitioningColumn().equals(after.partitioningColumn())) {
            throw new FulmarException(
                    ErrorCode.TRANSACTION_RESTART,
                    "table " + before.name() + " is placed by another statement; try again");
        }
        Invariants.check(
                successor.indexes().size() == after.indexes().size()
                        && successor.columns().size() == after.columns().size(),
                "a successor has the columns and indexes of the table that stays as it is meanwhile");
        List<Index> indexes = new ArrayList<>();
        for (int i = 0; i < after.indexes().size(); i++) {
            indexes.add(after.indexes().get(i).withId(successor.indexes().get(i).id()));
        }
        Table placed = after.withIds(successor.id(), indexes);
        CatalogEdit spread =
                SequenceEdit.spread(before, placed, catalog.withoutTable(name).withTable(placed));
        List<StorageStep> steps = new ArrayList<>();
        steps.add(new StorageStep.RedefineTable(successor, spread.catalog().table(before.name())));
        steps.addAll(spread.steps());
        steps.add(new StorageStep.DropTable(before));
        return new CatalogEdit(spread.catalog(), steps);
    }

    private static void checkFree(Table table, Catalog catalog) {
        if (catalog.successor(table.name()).isPresent()) {
            throw underWay(table);
        }
    }

    private static FulmarException underWay(Table table) {
        return new FulmarException(
                ErrorCode.SERVER_BUSY,
                "ALTER TABLE is placing the rows of " + table.name() + " anew; wait for its end, and try again");
    }

    /** Refuses a change of a table whose rows are being copied; what ends that is none. */
    static CatalogEdit checked(CatalogEdit edit, Catalog before) {
        for (Table successor : before.pending()) {
            Table table = successor.successorOf().map(before.tables()::get).orElse(null);
            boolean goesOn = edit.catalog().tables().containsKey(successor.name());
            if (table != null && goesOn && !table.equals(edit.catalog().tables().get(table.name()))) {
                throw underWay(table);
            }
        }
        return edit;
    }
}
