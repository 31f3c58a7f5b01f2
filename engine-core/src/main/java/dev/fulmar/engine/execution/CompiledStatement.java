package dev.fulmar.engine.execution;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.plan.AssignedColumns;
import dev.fulmar.engine.plan.Operation;
import dev.fulmar.engine.plan.Pipelining;
import dev.fulmar.engine.plan.Relation;
import dev.fulmar.engine.plan.StatementPlan;
import dev.fulmar.engine.plan.StatementPlan.Fragment;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.ResultColumn;
import dev.fulmar.foundation.data.ResultLayout;
import dev.fulmar.foundation.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A compiled statement, which all partitions share. Immutable. */
public final class CompiledStatement {
    private final Catalog catalog;
    private final StatementPlan plan;
    private final ParameterTypes parameterTypes;
    private final ResultLayout resultLayout;
    private final List<ResultLayout> fragmentLayouts;
    private final @Nullable Steps steps;
    private final @Nullable SemiJoin semiJoin;

    /** A query's other way, compiled: see {@link StatementPlan.SemiJoin}. */
    public record SemiJoin(CompiledStatement keys, CompiledStatement narrow) {}

    /** A write in steps, compiled: see {@link StatementPlan.Steps}. */
    public record Steps(CompiledStatement source, List<CompiledStatement> changes, StepChoice choice) {
        public Steps {
            changes = List.copyOf(changes);
        }

        /** Whether they are an INSERT, and what keeps its keys over partitions whole. */
        public boolean areOfInsert() {
            return choice.isUpkeep()
                    && source.steps() == null
                    && source.plan().fragments().getFirst().operation() instanceof Operation.Insert;
        }
    }

    CompiledStatement(Catalog catalog, StatementPlan plan) {
        this(catalog, plan, true);
    }

    /** @param written whether a client wrote the statement, and knows its parameters by their numbers */
    private CompiledStatement(Catalog catalog, StatementPlan plan, boolean written) {
        this.catalog = catalog;
        this.plan = plan;
        parameterTypes = new ParameterTypes(plan.parameters(), columnTexts(catalog, plan), written);
        resultLayout = new ResultLayout(plan.columns());
        fragmentLayouts = plan.fragments().stream().map(this::fragmentLayout).toList();
        steps = plan.steps().map(each -> steps(catalog, each)).orElse(null);
        semiJoin = plan.narrowing()
                .map(each -> new SemiJoin(
                        new CompiledStatement(catalog, each.keys()), new CompiledStatement(catalog, each.narrow())))
                .orElse(null);
    }

    /** The names of the parameters' columns for messages; none for a statement whose parameters have no columns. */
    private static List<String> columnTexts(Catalog catalog, StatementPlan plan) {
        AssignedColumns assigned = AssignedColumns.of(plan);
        if (assigned.table().isEmpty()) {
            return List.of();
        }
        int id = assigned.table().getAsInt();
        return catalog.tables().values().stream()
                .filter(table -> table.id() == id)
                .findFirst()
                .map(table -> IntStream.range(0, plan.parameters().size())
                        .mapToObj(parameter -> assigned.column(parameter).isEmpty()
                                ? ""
                                : table.columnText(assigned.column(parameter).getAsInt()))
                        .toList())
                .orElse(List.of());
    }

    private static Steps steps(Catalog catalog, StatementPlan.Steps planned) {
        return new Steps(
                new CompiledStatement(catalog, planned.source()),
                planned.changes().stream()
                        .map(change -> new CompiledStatement(catalog, change, false))
                        .toList(),
                new StepChoice(planned));
    }

    /** The steps of the statement, null if it is done at once. */
    public @Nullable Steps steps() {
        return steps;
    }

    /** The way to run it with less, if it needs several partitions; null if there is no other way. */
    public @Nullable SemiJoin semiJoin() {
        return semiJoin;
    }

    private ResultLayout fragmentLayout(Fragment fragment) {
        if (!(fragment.operation() instanceof Operation.Query query)
                || plan.merge().isEmpty()) {
            return resultLayout;
        }
        List<ResultColumn> columns = new ArrayList<>();
        for (ColumnType type : query.relation().columns()) {
            columns.add(new ResultColumn("", type, true));
        }
        return new ResultLayout(columns);
    }

    Catalog catalog() {
        return catalog;
    }

    public StatementPlan plan() {
        return plan;
    }

    public ParameterTypes parameterTypes() {
        return parameterTypes;
    }

    /** Columns of the statement's rows; none for a write that yields a count. */
    public ResultLayout resultLayout() {
        return resultLayout;
    }

    /** Columns of the rows that a fragment yields on a partition. */
    public ResultLayout fragmentLayout(int fragment) {
        return fragmentLayouts.get(fragment);
    }

    public int fragmentCount() {
        return fragmentLayouts.size();
    }

    /** Changes nothing. */
    public boolean isQuery() {
        return plan.isReadOnly();
    }

    /** Yields rows; otherwise it yields a count of changed rows. */
    public boolean yieldsRows() {
        return plan.yieldsRows();
    }

    public Bindings newBindings() {
        return new Bindings(parameterTypes);
    }

    /** The statement on one partition. Costs some microseconds: the caller keeps it. On the partition's thread. */
    public PartitionStatement on(ExecutionContext context) {
        return new PartitionStatement(this, context);
    }

    /**
     * One fragment of the query on one partition, run as of a snapshot in slices. Costs some microseconds. On the
     * partition's thread; good until a table or index that it uses is created or dropped, of which its readers are told
     * by their expiry.
     */
    public SnapshotQuery snapshotFragment(int fragment, ExecutionContext context, Clock clock) {
        return SnapshotFragments.one(this, context, clock, fragment);
    }

    /** The same for the whole query, if its rows are on one partition. */
    public SnapshotQuery snapshotOn(ExecutionContext context, Clock clock) {
        return SnapshotFragments.whole(this, context, clock);
    }

    /**
     * Whether its rows can be handed out in parts as they are read, one partition after the other. Then it needs no
     * merge, and keeps no rows.
     *
     * @param alone whether one partition has all the rows
     */
    public boolean yieldsParts(boolean alone) {
        Relation relation = unmerged(alone);
        return relation != null && Pipelining.happensIn(relation);
    }

    /** Its rows on one partition as of a snapshot, in parts. Like {@link #snapshotFragment} otherwise. */
    public SnapshotPartsQuery snapshotParts(boolean alone, ExecutionContext context, Clock clock) {
        Relation relation = unmerged(alone);
        if (relation == null) {
            throw Invariants.breach("a result is handed out in parts if its rows need no merge");
        }
        return new SnapshotParts(this, relation, context, clock);
    }

    /** The relation that yields rows of the result on each partition; null if they are merged. */
    private @Nullable Relation unmerged(boolean alone) {
        if (plan.merge().isPresent()) {
            return alone ? plan.onOnePartition().orElse(null) : null;
        }
        return plan.fragments().size() == 1
                        && plan.fragments().getFirst().operation() instanceof Operation.Query(Relation relation)
                ? relation
                : null;
    }

    /** Finds the partitions of fragments. */
    public StatementRouter newRouter() {
        return new StatementRouter(plan);
    }

    /** Finds the row that it seeks; null if it seeks none by a unique key. */
    public @Nullable SoughtRow newSoughtRow() {
        return SoughtRow.of(plan, catalog);
    }

    /** Finds the rows that it reads or changes; null if it is about several tables, or does not tell which rows. */
    public @Nullable SoughtArea newSoughtArea() {
        return SoughtArea.of(plan, catalog);
    }

    /** The rows of all its tables, as far as its conditions tell of them; by the tables' ids. */
    public List<SoughtArea> newSoughtAreas() {
        return SoughtArea.all(plan, catalog);
    }

    /** Puts together what the fragments yielded. */
    public StatementMerge newMerge(ExecutionContext context) {
        return new StatementMerge(this, context);
    }
}
