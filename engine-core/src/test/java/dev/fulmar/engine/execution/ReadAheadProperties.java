package dev.fulmar.engine.execution;

import static dev.fulmar.engine.execution.Plans.BIGINT;
import static dev.fulmar.engine.execution.Plans.INTEGER;
import static dev.fulmar.engine.execution.Plans.TEXT;
import static dev.fulmar.engine.execution.Plans.column;
import static dev.fulmar.engine.execution.Plans.parameter;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.plan.Operation;
import dev.fulmar.engine.plan.Operation.Assignment;
import dev.fulmar.engine.plan.Relation;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.ResultBlockWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Batches of dependent statements, read ahead, against a sorted map: hints that earlier statements made wrong change
 * nothing.
 */
class ReadAheadProperties {
    private static final int KEYS = 12;

    private final Database database = new Database();
    private final ReadAhead ahead = new ReadAhead();
    private final ResultBlockWriter writer = new ResultBlockWriter(1 << 10, 1 << 20);
    private final SortedMap<Long, String> expected = new TreeMap<>();

    private Table table =
            database.table("UNUSED").column("K", INTEGER).primaryKey(0).create();
    private List<PartitionStatement> statements = List.of();

    /** A statement of a batch, with its arguments and what it must yield: rows of a query or a count. */
    private record Step(
            PartitionStatement statement,
            List<@Nullable Object> arguments,
            List<List<@Nullable Object>> rows,
            long count) {}

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void batchesOnAnIntegerKeyDoWhatTheirStatementsDo() {
        run(INTEGER);
    }

    @Test
    void batchesOnALongKeyDoWhatTheirStatementsDo() {
        run(BIGINT);
    }

    @Test
    void batchesOnATextKeyDoWhatTheirStatementsDo() {
        run(TEXT);
    }

    /** The key is (A, B); A routes to buckets and has the type, B is an INTEGER. */
    private void run(ColumnType type) {
        table = database.table("T_" + type.kind())
                .column("A", type)
                .column("B", INTEGER)
                .nullable("V", TEXT)
                .partitionedOn(0)
                .primaryKey(0, 1)
                .create();
        Operation.Insert insert = new Operation.Insert(table.id(), Plans.parameters(Database.types(table)), false);
        Relation.Project select =
                new Relation.Project(byKey(type, 0), List.of(column(2, TEXT), column(1, INTEGER), column(0, type)));
        statements = List.of(
                database.statement(Plans.query(select, type, INTEGER)),
                database.statement(Plans.write(insert, type, INTEGER, TEXT)),
                database.statement(Plans.write(
                        new Operation.Update(
                                table.id(), byKey(type, 1), List.of(new Assignment(2, parameter(0, TEXT)))),
                        TEXT,
                        type,
                        INTEGER)),
                database.statement(Plans.write(new Operation.Delete(table.id(), byKey(type, 0)), type, INTEGER)),
                database.statement(Plans.write(
                        new Operation.Update(
                                table.id(), byKey(type, 1), List.of(new Assignment(0, parameter(0, type)))),
                        type,
                        type,
                        INTEGER)));
        Random random = new Random(5);
        for (int batch = 0; batch < 3000; batch++) {
            List<Step> steps = new ArrayList<>();
            for (int i = 1 + random.nextInt(ReadAhead.MOST); i > 0; i--) {
                steps.add(step(type, random));
            }
            check(steps);
            if (batch % 3 == 0) {
                database.storage().undoLog().commit(batch + 1);
            }
        }
        assertThat(database.all(table)).hasSize(expected.size());
    }

    private Relation byKey(ColumnType type, int firstParameter) {
        Expression[] key = {parameter(firstParameter, type), parameter(firstParameter + 1, INTEGER)};
        return new Relation.IndexScan(
                table.id(),
                Database.types(table),
                Plans.key(table.indexes().getFirst().id(), key),
                false,
                null);
    }

    /** Draws a statement and does to the map what it must do to the table. */
    private Step step(ColumnType type, Random random) {
        long key = random.nextInt(KEYS);
        Object a = value(type, key / 3);
        Object b = key % 3;
        String text = "v".repeat(random.nextInt(20)) + random.nextInt(100);
        boolean exists = expected.containsKey(key);
        switch (random.nextInt(8)) {
            case 0 -> {
                if (exists) {
                    expected.remove(key);
                    return new Step(statements.get(3), List.of(a, b), List.of(), 1);
                }
                expected.put(key, text);
                return new Step(statements.get(1), List.of(a, b, text), List.of(), 1);
            }
            case 1, 2 -> {
                expected.replace(key, text);
                return new Step(statements.get(2), List.of(text, a, b), List.of(), exists ? 1 : 0);
            }
            case 3 -> {
                long other = random.nextInt(KEYS / 3) * 3L + key % 3;
                if (other != key && expected.containsKey(other)) {
                    return select(key, a, b);
                }
                String moved = expected.remove(key);
                if (moved != null) {
                    expected.put(other, moved);
                }
                return new Step(statements.get(4), List.of(value(type, other / 3), a, b), List.of(), exists ? 1 : 0);
            }
            default -> {
                return select(key, a, b);
            }
        }
    }

    private Step select(long key, Object a, Object b) {
        String text = expected.get(key);
        List<List<@Nullable Object>> rows = text == null ? List.of() : List.of(List.of(text, b, a));
        return new Step(statements.getFirst(), List.of(a, b), rows, rows.size());
    }

    private static Object value(ColumnType type, long number) {
        return type.equals(TEXT) ? "key" + number : number;
    }

    private void check(List<Step> steps) {
        List<Bindings> bindings = steps.stream()
                .map(step -> Database.bind(
                        step.statement().compiled(), step.arguments().toArray()))
                .toList();
        ahead.clear();
        IntStream.range(0, steps.size()).forEach(i -> ahead.add(steps.get(i).statement(), bindings.get(i)));
        ahead.run();
        for (int i = 0; i < steps.size(); i++) {
            Step step = steps.get(i);
            writer.clear();
            assertThat(step.statement().run(bindings.get(i), writer, ahead.row(i)))
                    .isEqualTo(step.count());
            if (step.statement().compiled().isQuery()) {
                assertThat(Database.rows(writer)).isEqualTo(step.rows());
            }
        }
    }

    @Test
    void theRowOfACommittedKeyIsFoundAhead() {
        table = database.table("T")
                .column("A", INTEGER)
                .column("B", INTEGER)
                .nullable("V", TEXT)
                .primaryKey(0, 1)
                .create();
        database.insert(table, new Object[] {1, 2, "x"});
        PartitionStatement select = database.statement(Plans.query(byKey(INTEGER, 0), INTEGER, INTEGER));
        ahead.clear();
        ahead.add(select, Database.bind(select.compiled(), 1, 2));
        ahead.add(null, Database.bind(select.compiled(), 1, 2));
        ahead.add(select, Database.bind(select.compiled(), 1, null));
        ahead.run();
        assertThat(ahead.row(0)).isNotZero();
        assertThat(ahead.row(1)).isZero();
        assertThat(ahead.row(2)).isZero();
    }

    /**
     * Two look-ups by key in one statement: the hint is for the first, also when only columns of the second are asked
     * for.
     */
    @Test
    void aHintIsNotTakenForAnotherTable() {
        Table first = database.table("FIRST")
                .column("A", INTEGER)
                .column("B", INTEGER)
                .nullable("V", TEXT)
                .primaryKey(0, 1)
                .create();
        table = database.table("SECOND")
                .column("A", INTEGER)
                .column("B", INTEGER)
                .nullable("V", TEXT)
                .primaryKey(0, 1)
                .create();
        database.insert(first, new Object[] {1, 2, "first"});
        database.insert(table, new Object[] {1, 2, "second"});
        Relation join = new Relation.IndexJoin(
                byKey(first, Plans.equal(column(2, TEXT), Plans.text("first"))),
                byKey(table, Plans.equal(column(2, TEXT), Plans.text("second"))),
                Relation.JoinKind.INNER,
                null);
        for (int asked : new int[] {2, 5}) {
            PartitionStatement select = database.statement(
                    Plans.query(new Relation.Project(join, List.of(column(asked, TEXT))), INTEGER, INTEGER));
            Bindings bindings = Database.bind(select.compiled(), 1, 2);
            ahead.clear();
            ahead.add(select, bindings);
            ahead.run();
            assertThat(ahead.row(0) != 0)
                    .as("only a row of the first table is read ahead")
                    .isEqualTo(asked == 2);
            writer.clear();
            select.run(bindings, writer, ahead.row(0));
            assertThat(Database.rows(writer)).containsExactly(List.of(asked == 2 ? "first" : "second"));
        }
    }

    private static Relation.IndexScan byKey(Table table, Expression filter) {
        return new Relation.IndexScan(
                table.id(),
                Database.types(table),
                Plans.key(table.indexes().getFirst().id(), parameter(0, INTEGER), parameter(1, INTEGER)),
                false,
                filter);
    }
}
