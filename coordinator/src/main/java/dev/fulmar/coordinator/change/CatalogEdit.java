package dev.fulmar.coordinator.change;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.CatalogChange;
import dev.fulmar.engine.catalog.CatalogChange.AddLabel;
import dev.fulmar.engine.catalog.CatalogChange.AlterProcedure;
import dev.fulmar.engine.catalog.CatalogChange.AlterTable;
import dev.fulmar.engine.catalog.CatalogChange.ChangeAccess;
import dev.fulmar.engine.catalog.CatalogChange.Comment;
import dev.fulmar.engine.catalog.CatalogChange.ComputedKey;
import dev.fulmar.engine.catalog.CatalogChange.CreateEnumeration;
import dev.fulmar.engine.catalog.CatalogChange.CreateFunction;
import dev.fulmar.engine.catalog.CatalogChange.CreateIndex;
import dev.fulmar.engine.catalog.CatalogChange.CreateMaterializedView;
import dev.fulmar.engine.catalog.CatalogChange.CreateProcedure;
import dev.fulmar.engine.catalog.CatalogChange.CreateSchema;
import dev.fulmar.engine.catalog.CatalogChange.CreateSequence;
import dev.fulmar.engine.catalog.CatalogChange.CreateTable;
import dev.fulmar.engine.catalog.CatalogChange.CreateView;
import dev.fulmar.engine.catalog.CatalogChange.DropEnumeration;
import dev.fulmar.engine.catalog.CatalogChange.DropFunction;
import dev.fulmar.engine.catalog.CatalogChange.DropIndex;
import dev.fulmar.engine.catalog.CatalogChange.DropProcedure;
import dev.fulmar.engine.catalog.CatalogChange.DropSchema;
import dev.fulmar.engine.catalog.CatalogChange.DropSequence;
import dev.fulmar.engine.catalog.CatalogChange.DropTable;
import dev.fulmar.engine.catalog.CatalogChange.DropView;
import dev.fulmar.engine.catalog.CatalogChange.HandOver;
import dev.fulmar.engine.catalog.CatalogChange.IndexFilter;
import dev.fulmar.engine.catalog.CatalogChange.PartitionTable;
import dev.fulmar.engine.catalog.CatalogChange.Presence;
import dev.fulmar.engine.catalog.CatalogChange.RenameIndex;
import dev.fulmar.engine.catalog.CatalogChange.RenameLabel;
import dev.fulmar.engine.catalog.CatalogChange.RestartSequence;
import dev.fulmar.engine.catalog.CatalogChange.Retarget;
import dev.fulmar.engine.catalog.CatalogChange.UsePlan;
import dev.fulmar.engine.catalog.CatalogChange.Validity;
import dev.fulmar.engine.catalog.GlobalKeys;
import dev.fulmar.engine.catalog.Index;
import dev.fulmar.engine.catalog.ProcedureDefinition;
import dev.fulmar.engine.catalog.SchemaName;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.catalog.TablePartitioning;
import dev.fulmar.engine.execution.ReferencePlaces;
import dev.fulmar.engine.partitioning.HandOff;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.engine.partitioning.TargetChange;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Result of applying a change to the catalog: the next catalog, and the {@linkplain StorageStep storage steps} by which
 * every partition follows it.
 *
 * @param catalog the new version, or the old one if nothing changes
 */
public record CatalogEdit(Catalog catalog, List<StorageStep> steps) {
    /** Temporary tables of one session, and their sequences. */
    private static final int MOST_TEMPORARY = 100;

    public CatalogEdit {
        steps = List.copyOf(steps);
    }

    /** Applies the change to the catalog, or says why it cannot be. */
    public static CatalogEdit of(CatalogChange change, Catalog catalog) {
        SequenceEdit.checkIsTable(change, catalog);
        AggregationEdit.checkIsTable(change, catalog);
        CatalogEdit edit = EnumerationEdit.checked(
                ForeignKeyEdit.checked(SequenceEdit.withoutOrphans(edit(change, catalog)), catalog));
        CatalogEdit checked = DocumentKeys.checked(
                RepartitioningEdit.checked(ExpiryEdit.checked(AggregationEdit.checked(edit, catalog)), catalog),
                catalog);
        if (Invariants.EXPENSIVE) {
            checked.checkIds(catalog);
        }
        return checked;
    }

    private void checkIds(Catalog before) {
        Set<Integer> known = ids(before);
        Set<Integer> met = new HashSet<>();
        for (int id : idList(catalog)) {
            Invariants.check(met.add(id), "a table or an index has an id of its own");
            Invariants.check(
                    known.contains(id) || id >= before.nextId(), "a new table or index has an id that none ever had");
            Invariants.check(id < catalog.nextId(), "a catalog knows which ids were given");
        }
    }

    private static Set<Integer> ids(Catalog catalog) {
        return new HashSet<>(idList(catalog));
    }

    private static List<Integer> idList(Catalog catalog) {
        List<Integer> ids = new ArrayList<>();
        for (Table table : catalog.tables().values()) {
            ids.add(table.id());
            table.indexes().forEach(index -> ids.add(index.id()));
        }
        return ids;
    }

    private static CatalogEdit edit(CatalogChange change, Catalog catalog) {
        return switch (change) {
            case CreateTable create -> createTable(create, catalog);
            case AlterTable alter -> TableEdit.of(alter, catalog);
            case DropTable drop -> dropTable(drop, catalog);
            case CreateView create -> ViewEdit.create(create, catalog);
            case CreateMaterializedView create -> AggregationEdit.create(create, catalog);
            case DropView drop -> ViewEdit.drop(drop, catalog);
            case CreateSequence create -> SequenceEdit.create(create, catalog);
            case RestartSequence restart -> SequenceEdit.restart(restart, catalog);
            case CatalogChange.AlterSequence alter -> SequenceEdit.alter(alter, catalog);
            case DropSequence drop -> SequenceEdit.drop(drop, catalog);
            case CreateSchema create -> SchemaEdit.create(create, catalog);
            case DropSchema drop -> SchemaEdit.drop(drop, catalog);
            case PartitionTable partition -> partitionTable(partition, catalog);
            case CreateIndex create -> createIndex(create, catalog);
            case RenameIndex rename -> renameIndex(rename, catalog);
            case DropIndex drop -> dropIndex(drop, catalog);
            case CreateProcedure create -> createProcedure(create, catalog);
            case AlterProcedure alter -> alterProcedure(alter, catalog);
            case DropProcedure drop -> dropProcedure(drop, catalog);
            case CreateFunction create -> FunctionEdit.create(create, catalog);
            case DropFunction drop -> FunctionEdit.drop(drop, catalog);
            case CreateEnumeration create -> EnumerationEdit.create(create, catalog);
            case AddLabel add -> EnumerationEdit.addLabel(add, catalog);
            case RenameLabel rename -> EnumerationEdit.renameLabel(rename, catalog);
            case DropEnumeration drop -> EnumerationEdit.drop(drop, catalog);
            case Comment comment -> CommentEdit.of(comment, catalog);
            case UsePlan(PartitionPlan plan, List<HandOff> handOffs) -> planned(plan, handOffs, catalog);
            case HandOver(List<HandOff> handOffs) -> handedOver(handOffs, catalog);
            case Retarget(TargetChange target, Optional<PartitionPlan> configured) ->
                retargeted(target, configured, catalog);
            case ChangeAccess access -> AccessEdit.of(access.change(), catalog);
        };
    }

    /** Another plan, with which buckets change their partitions. */
    public static CatalogEdit planned(PartitionPlan plan, List<HandOff> handOffs, Catalog catalog) {
        return new CatalogEdit(catalog.withPlan(plan), steps(handOffs));
    }

    /** Buckets change their partitions, and the plan with them. */
    public static CatalogEdit handedOver(List<HandOff> handOffs, Catalog catalog) {
        return new CatalogEdit(catalog.withHandOffs(handOffs), steps(handOffs));
    }

    private static List<StorageStep> steps(List<HandOff> handOffs) {
        return handOffs.stream().<StorageStep>map(StorageStep.HandOver::new).toList();
    }

    /** A reconfiguration begins or changes its state. */
    public static CatalogEdit retargeted(TargetChange change, Optional<PartitionPlan> configured, Catalog catalog) {
        return withoutSteps(catalog.withTarget(change, configured));
    }

    static CatalogEdit unchanged(Catalog catalog) {
        return withoutSteps(catalog);
    }

    /** The storage has nothing to do for it. */
    static CatalogEdit withoutSteps(Catalog catalog) {
        return new CatalogEdit(catalog, List.of());
    }

    private static CatalogEdit createTable(CreateTable create, Catalog catalog) {
        if (!SchemaName.isPending(create.name())) {
            SchemaEdit.check(create.name(), catalog);
        }
        if (catalog.tables().containsKey(create.name())) {
            if (create.presence() == Presence.LENIENT) {
                return unchanged(catalog);
            }
            throw exists("table", create.name());
        }
        checkNoView(catalog, create.name());
        checkTemporary(create.name(), catalog);
        Table draft = ForeignKeyEdit.complete(new TableDraft(create, catalog).toTable(), create, catalog);
        Table table = ExpiryEdit.complete(draft, create.expiry(), catalog);
        for (Index index : table.indexes()) {
            if (findIndex(catalog, index.name()) != null) {
                throw exists("index", index.name());
            }
        }
        Table placed = placed(table, create, catalog);
        CatalogEdit edit = SequenceEdit.withIdentities(placed, create.identities(), catalog);
        if (!(create.partitioning() instanceof TablePartitioning.Unsaid)) {
            ReferencePlaces.check(edit.catalog().table(placed.name()), edit.catalog());
        }
        return placed.isReplicated()
                ? edit
                : SequenceEdit.partitioned(edit, edit.catalog().table(placed.name()));
    }

    /** A session has so many temporary tables at most. */
    static void checkTemporary(String name, Catalog catalog) {
        if (!SchemaName.isInTemporary(name)) {
            return;
        }
        String schema = SchemaName.of(name);
        long count = catalog.tables().tailMap(schema).keySet().stream()
                .takeWhile(other -> other.startsWith(schema))
                .count();
        if (count >= MOST_TEMPORARY) {
            throw new FulmarException(
                    ErrorCode.TRANSACTION_TOO_LARGE,
                    "a session has at most " + MOST_TEMPORARY
                            + " temporary tables and sequences; DROP some, or use DISCARD TEMP");
        }
    }

    /** The new table, partitioned if its statement says so. */
    private static Table placed(Table table, CreateTable create, Catalog catalog) {
        return switch (create.partitioning()) {
            case TablePartitioning.Unsaid _ ->
                table.withAwaitsKey(table.primaryKey().isEmpty());
            case TablePartitioning.Replicated _ -> table;
            case TablePartitioning.OnColumn(String column) -> partitioned(table, column);
            case TablePartitioning.OnRow _ -> onRow(table);
            case TablePartitioning.ByKey _ ->
                TablePartitioning.keyColumn(create, catalog)
                        .map(column -> partitioned(table, column))
                        .orElseGet(() -> onRow(table));
        };
    }

    private static Table onRow(Table table) {
        Table after = table.withRowId();
        after.indexes().forEach(index -> TableDraft.checkUniqueness(after, index));
        return after;
    }

    /** The table partitioned on the column, if it can be. */
    static Table partitioned(Table table, String name) {
        int column = TableDraft.columnIndex(table.name(), table.columns(), name);
        TableDraft.checkPartitioningColumn(table.name(), table.columns().get(column));
        Table after = table.withPartitioningColumn(column);
        after.indexes().forEach(index -> TableDraft.checkUniqueness(after, index));
        return after;
    }

    /** Tables and views have different names. */
    static void checkNoView(Catalog catalog, String name) {
        if (catalog.views().containsKey(name)) {
            throw exists("view", name);
        }
    }

    static CatalogEdit dropTable(DropTable drop, Catalog catalog) {
        if (!catalog.tables().containsKey(drop.name()) && drop.presence() == Presence.LENIENT) {
            return unchanged(catalog);
        }
        Table table = catalog.table(drop.name());
        CatalogEdit withoutViews = AggregationEdit.withoutViewsOf(table, catalog, drop.cascade());
        Catalog remaining = ViewEdit.withoutUsers(withoutViews.catalog(), "table", drop.name(), drop.cascade())
                .withoutTable(drop.name());
        if (drop.cascade()) {
            for (Table other : remaining.tables().values()) {
                if (other.foreignKeys().stream().anyMatch(key -> key.parent().equals(drop.name()))) {
                    remaining = remaining.withTable(other.withForeignKeys(other.foreignKeys().stream()
                            .filter(key -> !key.parent().equals(drop.name()))
                            .toList()));
                }
            }
        }
        for (ProcedureDefinition procedure : catalog.procedures().values()) {
            if (procedure.body() instanceof ProcedureDefinition.RowAccess access
                    && access.table().equals(drop.name())) {
                remaining = remaining.withoutProcedure(procedure.name()); // an automatic procedure goes with its table
            }
        }
        List<StorageStep> steps = new ArrayList<>(withoutViews.steps());
        steps.add(new StorageStep.DropTable(table));
        return new CatalogEdit(remaining, steps);
    }

    private static CatalogEdit partitionTable(PartitionTable partition, Catalog catalog) {
        Table before = catalog.table(partition.table());
        if (!before.isReplicated()) {
            return RepartitioningEdit.withoutRows(before, partition.column(), catalog);
        }
        Table after = partitioned(before, partition.column());
        CatalogEdit edit =
                new CatalogEdit(catalog.withTable(after), List.of(new StorageStep.RebuildEmptyTable(before, after)));
        return SequenceEdit.partitioned(edit, after);
    }

    static CatalogEdit createIndex(CreateIndex create, Catalog catalog) {
        if (findIndex(catalog, create.name()) != null) {
            if (create.presence() == Presence.LENIENT) {
                return unchanged(catalog);
            }
            throw exists("index", create.name());
        }
        Table before = catalog.table(create.table());
        boolean isOutdated = Stream.concat(
                        create.filter().stream().map(IndexFilter::basis),
                        create.columns().stream()
                                .flatMap(key -> key.computed().stream())
                                .map(ComputedKey::basis))
                .anyMatch(basis -> !basis.equals(before));
        if (isOutdated) {
            throw TableEdit.changedMeanwhile(before);
        }
        Index index = new Index(
                catalog.nextId(),
                create.name(),
                create.kind(),
                create.unique(),
                false,
                TableDraft.indexColumns(before.name(), before.columns(), create.columns()),
                create.filter().map(IndexFilter::condition));
        boolean isGlobal = GlobalKeys.isGlobal(index, before);
        boolean isUnvalidated = isGlobal && create.validity() == Validity.LATER;
        if (isUnvalidated) {
            index = index.withUnvalidatedSince(catalog.version() + 1);
        }
        List<Index> indexes = new ArrayList<>(before.indexes());
        indexes.add(index);
        Table after = before.withIndexes(indexes);
        TableDraft.checkUniqueness(after, index);
        StorageStep.CreateIndex built = new StorageStep.CreateIndex(after, index);
        if (!isGlobal) {
            return new CatalogEdit(catalog.withTable(after), List.of(built));
        }
        Catalog changed = catalog.withTable(after);
        List<StorageStep> steps = new ArrayList<>(StorageStep.VerifyEmpty.ofRefused(catalog, changed));
        if (!isUnvalidated) {
            steps.add(StorageStep.VerifyEmpty.before(after, "unique index " + index.name()));
        }
        steps.add(built);
        return new CatalogEdit(changed, steps);
    }

    private static CatalogEdit renameIndex(RenameIndex rename, Catalog catalog) {
        Table before = findIndex(catalog, rename.name());
        if (before == null) {
            throw new FulmarException(ErrorCode.UNKNOWN_OBJECT, "there is no index " + rename.name());
        }
        checkNewIndex(catalog, rename.newName());
        TableEdit.checkNewConstraint(before, rename.newName());
        Table after = before.withIndexes(before.indexes().stream()
                .map(index -> index.name().equals(rename.name()) ? index.withName(rename.newName()) : index)
                .toList());
        return new CatalogEdit(catalog.withTable(after), List.of(new StorageStep.RedefineTable(before, after)));
    }

    /** Indexes of all tables have different names. */
    static void checkNewIndex(Catalog catalog, String name) {
        if (findIndex(catalog, name) != null) {
            throw exists("index", name);
        }
    }

    static CatalogEdit dropIndex(DropIndex drop, Catalog catalog) {
        Table before = findIndex(catalog, drop.name());
        if (before == null) {
            if (drop.presence() == Presence.LENIENT) {
                return unchanged(catalog);
            }
            throw new FulmarException(ErrorCode.UNKNOWN_OBJECT, "there is no index " + drop.name());
        }
        Index index = before.indexes().stream()
                .filter(candidate -> candidate.name().equals(drop.name()))
                .findFirst()
                .orElseThrow();
        if (index.primary()) {
            throw new FulmarException(
                    ErrorCode.NOT_SUPPORTED,
                    "index " + drop.name() + " enforces the primary key of " + before.name()
                            + " and goes with its table");
        }
        Table after = before.withIndexes(before.indexes().stream()
                .filter(candidate -> candidate.id() != index.id())
                .toList());
        return new CatalogEdit(catalog.withTable(after), List.of(new StorageStep.DropIndex(after, index)));
    }

    private static CatalogEdit createProcedure(CreateProcedure create, Catalog catalog) {
        ProcedureDefinition definition = create.definition();
        if (!create.replace() && catalog.procedure(definition.name()) != null) {
            throw exists("procedure", definition.name());
        }
        FunctionEdit.checkNoFunction(definition.name(), catalog);
        return new CatalogEdit(catalog.withProcedure(definition), List.of());
    }

    private static CatalogEdit alterProcedure(AlterProcedure alter, Catalog catalog) {
        ProcedureDefinition definition = catalog.procedure(alter.name());
        if (definition == null) {
            throw new FulmarException(
                    ErrorCode.UNKNOWN_PROCEDURE,
                    "there is no procedure " + alter.name() + " that was created; automatic ones cannot be altered");
        }
        return definition.byValue() == alter.byValue()
                ? unchanged(catalog)
                : new CatalogEdit(catalog.withProcedure(definition.withByValue(alter.byValue())), List.of());
    }

    private static CatalogEdit dropProcedure(DropProcedure drop, Catalog catalog) {
        if (catalog.procedure(drop.name()) == null) {
            if (drop.presence() == Presence.LENIENT) {
                return unchanged(catalog);
            }
            throw new FulmarException(ErrorCode.UNKNOWN_PROCEDURE, "there is no procedure " + drop.name());
        }
        return new CatalogEdit(catalog.withoutProcedure(drop.name()), List.of());
    }

    /** The table that has the index, or null. */
    static @Nullable Table findIndex(Catalog catalog, String name) {
        for (Table table : catalog.tables().values()) {
            if (table.indexes().stream().anyMatch(index -> index.name().equals(name))) {
                return table;
            }
        }
        return null;
    }

    static FulmarException exists(String kind, String name) {
        return new FulmarException(
                ErrorCode.OBJECT_EXISTS, kind + " " + name + " exists already; drop it first or choose another name");
    }
}
