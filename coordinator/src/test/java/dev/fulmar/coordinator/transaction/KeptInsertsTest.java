package dev.fulmar.coordinator.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.coordinator.change.CatalogEdit;
import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.CatalogChange;
import dev.fulmar.engine.catalog.Column;
import dev.fulmar.engine.catalog.IndexKind;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.execution.Bindings;
import dev.fulmar.engine.execution.StatementCompiler;
import dev.fulmar.engine.partition.FragmentWork;
import dev.fulmar.engine.plan.ConflictAction;
import dev.fulmar.engine.plan.Demand;
import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.plan.Operation;
import dev.fulmar.engine.plan.PartitionScope;
import dev.fulmar.engine.plan.Relation;
import dev.fulmar.engine.plan.StatementPlan;
import dev.fulmar.engine.plan.Upkeep;
import dev.fulmar.engine.procedure.ProcedureStatement;
import dev.fulmar.engine.procedure.StatementBatch;
import dev.fulmar.engine.procedure.StatementRunner;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.ResultBlock;
import dev.fulmar.foundation.data.ResultBlockWriter;
import dev.fulmar.foundation.data.ResultColumn;
import dev.fulmar.foundation.data.ResultLayout;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.procedure.Expectation;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.SortedMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Inserts of rows into a table of two partitions, of which each knows the keys of its own rows only. A row may refer to
 * one by its id.
 */
class KeptInsertsTest {
    private static final ColumnType BIGINT = ColumnType.of(TypeKind.BIGINT);
    private static final int PARTITIONS = 2;
    private static final int NULL = -1;

    /** A row, whose id says on which partition it is; {@link #NULL} for no key. */
    private record Row(long id, long key, long refersTo) {
        Row(long id, long key) {
            this(id, key, NULL);
        }

        private boolean meets(Row other) {
            return id == other.id || hasKeyOf(other);
        }

        private boolean hasKeyOf(Row other) {
            return key != NULL && key == other.key;
        }

        private boolean isBeside(Row other) {
            return id % PARTITIONS == other.id % PARTITIONS;
        }
    }

    /** The partitions, and the number of the statement that wrote each row. */
    private static final class Partitions implements StatementRunner, FragmentDispatch {
        private final ProcedureStatement.Steps insert;
        private final List<Row> rows = new ArrayList<>();
        private final List<Integer> writers = new ArrayList<>();
        private int next;
        private int batches;

        Partitions(ProcedureStatement.Steps insert) {
            this.insert = insert;
        }

        @Override
        public void execute(StatementBatch batch) {
            batches++;
            for (int i = 0; i < batch.size(); i++) {
                int statement = nextStatement();
                Bindings bindings = batch.bindings(i);
                ResultLayout layout = batch.statement(i).compiled().resultLayout();
                if (batch.statement(i) == insert.source()) {
                    Row row = new Row(bindings.getLong(0), value(bindings, 1), value(bindings, 2));
                    if (row.id() < 0) {
                        throw new FulmarException(ErrorCode.CHECK_VIOLATION, "no such id");
                    }
                    boolean isThere = rows.stream().anyMatch(each -> row.isBeside(each) && row.meets(each));
                    if (!isThere) {
                        rows.add(row);
                        writers.add(statement);
                    }
                    write(batch, layout, isThere ? 0 : 1, row);
                } else {
                    boolean isKey = batch.statement(i) == insert.changes().getFirst();
                    long sought = bindings.getLong(0);
                    long found = rows.stream()
                            .filter(row -> (isKey ? row.key() : row.id()) == sought)
                            .count();
                    write(batch, layout, (int) found, new Row(0, sought));
                }
            }
        }

        private static long value(Bindings bindings, int parameter) {
            return bindings.isNull(parameter) ? NULL : bindings.getLong(parameter);
        }

        private static void write(StatementBatch batch, ResultLayout layout, int count, Row row) {
            int start = batch.writer().begin(layout);
            for (int i = 0; i < count; i++) {
                batch.writer().startRow();
                set(batch.writer(), 0, row.key());
                if (layout.columnCount() > 1) {
                    set(batch.writer(), 1, row.refersTo());
                    batch.writer().setLong(2, row.id());
                }
                batch.writer().endRow();
            }
            batch.writer().end();
            batch.completeRows(start);
        }

        @Override
        public Outcome run(SortedMap<PartitionId, List<FragmentWork>> work) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void undoFrom(int firstStatement) {
            while (!writers.isEmpty() && writers.getLast() >= firstStatement) {
                writers.removeLast();
                rows.removeLast();
            }
        }

        @Override
        public int nextStatement() {
            return next++;
        }
    }

    private static void set(ResultBlockWriter writer, int column, long value) {
        if (value == NULL) {
            writer.setNull(column);
        } else {
            writer.setLong(column, value);
        }
    }

    private static Expression column(int place) {
        return new Expression.ColumnReference(place, BIGINT, true);
    }

    private static StatementPlan plan(
            List<ColumnType> parameters, List<ResultColumn> columns, PartitionScope scope, Operation operation) {
        return new StatementPlan(
                "", parameters, columns, List.of(new StatementPlan.Fragment(scope, operation)), Optional.empty());
    }

    /** Yields the id of each row that is inserted. */
    private static ProcedureStatement insert(ConflictAction onConflict, Demand.Rows alone) {
        Catalog catalog = CatalogEdit.of(
                        new CatalogChange.CreateTable(
                                "T",
                                List.of(
                                        new Column("ID", BIGINT, false, null),
                                        new Column("KEY", BIGINT, true, null),
                                        new Column("REFERS_TO", BIGINT, true, null)),
                                List.of("ID"),
                                Optional.of(IndexKind.HASH),
                                List.of(),
                                CatalogChange.Presence.STRICT),
                        Catalog.empty())
                .catalog();
        Table table = catalog.table("T");
        List<ColumnType> types = List.of(BIGINT, BIGINT, BIGINT);
        List<Expression> values = List.of(
                new Expression.Parameter(0, BIGINT),
                new Expression.Parameter(1, BIGINT),
                new Expression.Parameter(2, BIGINT));
        StatementPlan plan = plan(
                        types,
                        List.of(),
                        new PartitionScope.Any(),
                        new Operation.Insert(
                                table.id(), new Relation.Values(types, List.of(values)), onConflict, List.of()))
                .returning(List.of(new ResultColumn("ID", BIGINT, false)), List.of(column(0)))
                .keptBy(new Upkeep(
                        List.of(column(1), column(2)),
                        List.of(look("KEY"), look("ID")),
                        List.of(
                                new Demand(alone, ErrorCode.UNIQUE_VIOLATION, "%s is there", List.of("KEY")),
                                new Demand(
                                        Demand.Rows.AT_LEAST_ONE,
                                        ErrorCode.FOREIGN_KEY_VIOLATION,
                                        "%s is nowhere",
                                        List.of("REFERS_TO")))));
        return new ProcedureStatement(0, StatementCompiler.compile(catalog, plan), Expectation.ANY);
    }

    private static StatementPlan look(String column) {
        return plan(
                List.of(BIGINT),
                List.of(new ResultColumn(column, BIGINT, true)),
                new PartitionScope.All(),
                new Operation.Query(new Relation.Values(List.of(BIGINT), List.of())));
    }

    private static ProcedureStatement leavingOut() {
        return insert(new ConflictAction.Skip(ConflictAction.Skip.ANY), Demand.Rows.ONE_OR_UNDONE);
    }

    private static ProcedureStatement.Steps steps(ProcedureStatement insert) {
        assertThat(KeptInserts.takes(insert)).isTrue();
        return Objects.requireNonNull(insert.steps());
    }

    private static ResultBlockWriter writer() {
        return new ResultBlockWriter(1 << 10, 1 << 20);
    }

    private static ResultBlock block(List<Row> rows) {
        ResultBlockWriter writer = writer();
        writer.begin(new ResultLayout(List.of(
                new ResultColumn("ID", BIGINT, false),
                new ResultColumn("KEY", BIGINT, true),
                new ResultColumn("REFERS_TO", BIGINT, true))));
        for (Row row : rows) {
            writer.startRow();
            writer.setLong(0, row.id());
            set(writer, 1, row.key());
            set(writer, 2, row.refersTo());
            writer.endRow();
        }
        writer.end();
        return new ResultBlock().wrap(writer.array(), 0, writer.size());
    }

    /** The ids that the inserts yield. */
    private static List<Long> run(Partitions partitions, List<Row> rows) {
        ResultBlockWriter yielded = writer();
        yielded.begin(new ResultLayout(List.of(new ResultColumn("ID", BIGINT, false))));
        KeptInserts inserts = inserts(partitions, rows);
        long count = inserts.run(IntStream.range(0, rows.size()).toArray(), yielded);
        inserts.lookForReferences();
        yielded.end();
        ResultBlock block = new ResultBlock().wrap(yielded.array(), 0, yielded.size());
        List<Long> ids = new ArrayList<>();
        while (block.next()) {
            ids.add(block.getLong(0));
        }
        assertThat(count).isEqualTo(ids.size());
        return ids;
    }

    private static KeptInserts inserts(Partitions partitions, List<Row> rows) {
        return new KeptInserts(partitions, partitions, 1 << 20, partitions.insert, block(rows), 0);
    }

    private static List<Row> rows(int count, long firstId, long firstKey) {
        return IntStream.range(0, count)
                .mapToObj(i -> new Row(firstId + i, firstKey + i))
                .toList();
    }

    @Test
    void rowsAreTreatedAsIfEachCameAfterTheOneBefore() {
        ProcedureStatement.Steps insert = steps(leavingOut());
        for (int seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            Partitions partitions = new Partitions(insert);
            List<Row> expected = new ArrayList<>();
            int bound = 3 + random.nextInt(30);
            for (int statement = 0; statement < 4; statement++) {
                List<Row> given = new ArrayList<>();
                List<Long> stay = new ArrayList<>();
                for (int i = random.nextInt(12); i >= 0; i--) {
                    Row row = new Row(random.nextInt(bound), random.nextInt(8) == 0 ? NULL : random.nextInt(bound));
                    given.add(row);
                    if (expected.stream().noneMatch(row::meets)) {
                        expected.add(row);
                        stay.add(row.id());
                    }
                }
                assertThat(run(partitions, given))
                        .as("seed %d: %s", seed, given)
                        .isEqualTo(stay);
                assertThat(partitions.rows).containsExactlyElementsOf(expected);
            }
        }
    }

    /** Rows refer to any that stay, wherever these are, and however the statement was tried. */
    @Test
    void rowsReferToThoseThatStay() {
        ProcedureStatement.Steps insert = steps(leavingOut());
        int failed = 0;
        for (int seed = 0; seed < 600; seed++) {
            Random random = new Random(seed);
            int bound = 3 + random.nextInt(20);
            Partitions partitions = new Partitions(insert);
            List<Row> given = new ArrayList<>();
            List<Row> stay = new ArrayList<>();
            for (int i = random.nextInt(12); i >= 0; i--) {
                Row row = new Row(
                        random.nextInt(bound),
                        random.nextInt(bound),
                        random.nextInt(3) > 0 ? NULL : random.nextInt(bound));
                given.add(row);
                if (stay.stream().noneMatch(row::meets)) {
                    stay.add(row);
                }
            }
            boolean isWhole = stay.stream()
                    .allMatch(row ->
                            row.refersTo() == NULL || stay.stream().anyMatch(other -> other.id() == row.refersTo()));
            if (isWhole) {
                assertThat(run(partitions, given))
                        .as("seed %d: %s", seed, given)
                        .isEqualTo(stay.stream().map(Row::id).toList());
            } else {
                failed++;
                assertThatThrownBy(() -> run(partitions, given))
                        .as("seed %d: %s", seed, given)
                        .isInstanceOfSatisfying(
                                FulmarException.class,
                                failure -> assertThat(failure.code()).isEqualTo(ErrorCode.FOREIGN_KEY_VIOLATION));
            }
        }
        assertThat(failed).isBetween(100, 500);
    }

    /** One batch writes all rows, and one looks for their keys. */
    @Test
    void rowsAreWrittenAndLookedForTogether() {
        Partitions partitions = new Partitions(steps(leavingOut()));
        assertThat(run(partitions, rows(500, 0, 0))).hasSize(500);
        assertThat(partitions.batches).isEqualTo(2);
        partitions.batches = 0;
        assertThat(run(partitions, rows(500, 1001, 0))).isEmpty(); // on the other partitions
        assertThat(partitions.batches).isEqualTo(3); // and once more for those that are there
        partitions.batches = 0;
        List<Row> some = new ArrayList<>(rows(250, 2001, 0));
        some.addAll(rows(250, 3000, 3000));
        assertThat(run(partitions, some)).hasSize(250);
        assertThat(partitions.batches).isEqualTo(5);
    }

    /** Its rows are undone by the statement that they belong to. */
    @Test
    void anErrorIsTheStatements() {
        Partitions partitions = new Partitions(steps(leavingOut()));
        List<Row> rows = List.of(new Row(1, 1), new Row(-1, 2));
        assertThatThrownBy(() -> run(partitions, rows))
                .isInstanceOfSatisfying(
                        FulmarException.class,
                        failure -> assertThat(failure.code()).isEqualTo(ErrorCode.CHECK_VIOLATION));
    }

    @Test
    void aKeyThatIsThereIsAnErrorWithoutTheClause() {
        Partitions partitions = new Partitions(steps(insert(ConflictAction.FAIL, Demand.Rows.AT_MOST_ONE)));
        assertThat(run(partitions, rows(10, 0, 0))).hasSize(10);
        assertThatThrownBy(() -> run(partitions, List.of(new Row(21, 20), new Row(23, 6))))
                .isInstanceOfSatisfying(
                        FulmarException.class,
                        failure -> assertThat(failure.code()).isEqualTo(ErrorCode.UNIQUE_VIOLATION))
                .hasMessageContaining("KEY = 6");
    }

    @Test
    void otherStatementsAreNotTakenTogether() {
        StatementPlan query = plan(
                List.of(),
                List.of(),
                new PartitionScope.All(),
                new Operation.Query(new Relation.Values(List.of(), List.of())));
        assertThat(KeptInserts.takes(
                        new ProcedureStatement(0, StatementCompiler.compile(Catalog.empty(), query), Expectation.ANY)))
                .isFalse();
    }
}
