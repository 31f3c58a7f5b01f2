package dev.fulmar.engine.execution;

import static dev.fulmar.engine.execution.Plans.BIGINT;
import static dev.fulmar.engine.execution.Plans.INTEGER;
import static dev.fulmar.engine.execution.Plans.TEXT;
import static dev.fulmar.engine.execution.Plans.column;
import static dev.fulmar.engine.execution.Plans.integer;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.engine.plan.Operation;
import dev.fulmar.engine.plan.PartitionScope;
import dev.fulmar.engine.plan.Relation;
import dev.fulmar.engine.plan.Relation.AggregateCall;
import dev.fulmar.engine.plan.Relation.AggregateFunction;
import dev.fulmar.engine.plan.StatementPlan;
import dev.fulmar.foundation.data.ResultBlockWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class MergeTest {
    private static final PartitionPlan PLAN = PartitionPlan.ranges(0, 10, 20);

    private final List<Database> partitions = new ArrayList<>();
    private final List<Table> tables = new ArrayList<>();
    private final ExecutionContext mergeContext = ExecutionContext.withoutPartition(1 << 20, () -> {});

    @BeforeEach
    void fill() {
        for (int i = 0; i < PLAN.partitionCount(); i++) {
            Database partition = new Database(PLAN, i, Database.INTERMEDIATE_BYTES);
            partitions.add(partition);
            Table table = partition
                    .table("T")
                    .column("K", INTEGER)
                    .nullable("S", TEXT)
                    .primaryKey(0)
                    .partitionedOn(0)
                    .create();
            tables.add(table);
            for (int k = 0; k < 5; k++) {
                partition.insert(table, new @Nullable Object[] {10 * i + k, k % 2 == 0 ? null : "s" + k});
            }
        }
    }

    @AfterEach
    void close() {
        partitions.forEach(Database::close);
    }

    private StatementPlan plan(Relation fragment, @Nullable Relation merge) {
        return new StatementPlan(
                "by hand",
                List.of(BIGINT),
                Plans.resultColumns(merge == null ? fragment : merge),
                List.of(new StatementPlan.Fragment(new PartitionScope.All(), new Operation.Query(fragment))),
                Optional.ofNullable(merge));
    }

    private List<List<@Nullable Object>> runEverywhere(StatementPlan plan, long argument) {
        CompiledStatement compiled =
                StatementCompiler.compile(partitions.getFirst().catalog(), plan);
        Bindings bindings = Database.bind(compiled, argument);
        StatementMerge merge = compiled.newMerge(mergeContext);
        merge.begin(bindings);
        for (Database partition : partitions) {
            ResultBlockWriter yielded = new ResultBlockWriter(16, 1 << 20);
            compiled.on(partition.context()).runFragment(0, bindings, yielded);
            merge.addRows(0, yielded.array(), 0, yielded.size());
        }
        ResultBlockWriter result = new ResultBlockWriter(16, 1 << 20);
        long rows = merge.finish(result);
        List<List<@Nullable Object>> all = Database.rows(result);
        assertThat(all).hasSize((int) rows);
        return all;
    }

    @Test
    void rowsComeInPartitionOrderWithoutAMerge() {
        Relation fragment = new Relation.Project(Database.scan(tables.getFirst()), List.of(column(0, INTEGER)));
        assertThat(runEverywhere(plan(fragment, null), 0))
                .extracting(row -> row.get(0))
                .containsExactly(0L, 1L, 2L, 3L, 4L, 10L, 11L, 12L, 13L, 14L, 20L, 21L, 22L, 23L, 24L);
    }

    @Test
    void partialAggregatesAddUp() {
        AggregateCall count = new AggregateCall(AggregateFunction.COUNT, column(1, TEXT), false, null, BIGINT);
        AggregateCall most = new AggregateCall(AggregateFunction.MAX, column(1, TEXT), false, null, TEXT);
        Relation fragment = new Relation.Aggregate(Database.scan(tables.getFirst()), List.of(), List.of(count, most));
        AggregateCall sum = new AggregateCall(AggregateFunction.SUM, column(0, BIGINT), false, null, BIGINT);
        Relation merge =
                new Relation.Aggregate(new Relation.Receive(0, fragment.columns()), List.of(), List.of(sum, most));
        assertThat(runEverywhere(plan(fragment, merge), 0)).containsExactly(Arrays.asList(6L, "s3"));
    }

    @Test
    void receivedRowsAreSortedAndCut() {
        Relation fragment = Database.scan(tables.getFirst());
        Relation merge = new Relation.Limit(
                new Relation.Sort(
                        new Relation.Receive(0, fragment.columns()),
                        List.of(
                                new Relation.SortKey(column(1, TEXT), true, false),
                                new Relation.SortKey(column(0, INTEGER), false, false))),
                integer(1),
                Plans.parameter(0, BIGINT));
        assertThat(runEverywhere(plan(fragment, merge), 3))
                .containsExactly(Arrays.asList(13L, "s3"), Arrays.asList(23L, "s3"), Arrays.asList(1L, "s1"));
    }

    @Test
    void aMergeAlsoRunsWhereThereIsOnePartition() {
        try (Database alone = new Database()) {
            Table table = alone.table("T").column("K", INTEGER).primaryKey(0).create();
            alone.insert(table, new Object[] {1}, new Object[] {2});
            AggregateCall count = new AggregateCall(AggregateFunction.COUNT, null, false, null, BIGINT);
            AggregateCall sum = new AggregateCall(AggregateFunction.SUM, column(0, BIGINT), false, null, BIGINT);
            Relation fragment = new Relation.Aggregate(Database.scan(table), List.of(), List.of(count));
            Relation merge =
                    new Relation.Aggregate(new Relation.Receive(0, fragment.columns()), List.of(), List.of(sum));
            assertThat(alone.query(plan(fragment, merge), 0)).containsExactly(List.of(2L));
        }
    }

    @Test
    void countsOfReplicasAreTheCountOfOne() {
        Table table = tables.getFirst();
        Operation delete = new Operation.Delete(table.id(), Database.scan(table));
        for (PartitionScope scope : List.of(new PartitionScope.Replicas(), new PartitionScope.All())) {
            CompiledStatement compiled =
                    StatementCompiler.compile(partitions.getFirst().catalog(), Plans.write(scope, delete));
            StatementMerge merge = compiled.newMerge(mergeContext);
            merge.begin(compiled.newBindings());
            for (int i = 0; i < 3; i++) {
                merge.addCount(0, 5);
            }
            long expected = scope instanceof PartitionScope.Replicas ? 5 : 15;
            assertThat(merge.finish(new ResultBlockWriter(0, 0))).isEqualTo(expected);
        }
    }
}
