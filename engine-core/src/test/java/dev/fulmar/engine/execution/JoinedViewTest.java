package dev.fulmar.engine.execution;

import static dev.fulmar.engine.execution.Plans.BIGINT;
import static dev.fulmar.engine.execution.Plans.BINARY;
import static dev.fulmar.engine.execution.Plans.INTEGER;
import static dev.fulmar.engine.execution.Plans.call;
import static dev.fulmar.engine.execution.Plans.column;
import static dev.fulmar.engine.execution.Plans.equal;
import static dev.fulmar.engine.execution.Plans.parameter;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.engine.catalog.Aggregation;
import dev.fulmar.engine.catalog.Aggregation.Function;
import dev.fulmar.engine.catalog.Aggregation.Measure;
import dev.fulmar.engine.catalog.Column;
import dev.fulmar.engine.catalog.Index;
import dev.fulmar.engine.catalog.IndexColumn;
import dev.fulmar.engine.catalog.IndexKind;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.plan.Operation;
import dev.fulmar.engine.plan.Relation;
import dev.fulmar.engine.plan.ScalarFunction;
import dev.fulmar.engine.table.ViewBackfill;
import dev.fulmar.engine.undo.UndoLog;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A materialized view of a join is what the join of the rows yields: made while both tables are written, and written
 * with them.
 */
class JoinedViewTest {
    private static final int KEYS = 6;
    private static final int NUMBERS = 5;

    private final Database database = new Database();
    private final UndoLog undo = database.storage().undoLog();
    private final Table sale = database.table("SALE")
            .column("K", INTEGER)
            .column("ID", INTEGER)
            .nullable("ITEM", INTEGER)
            .nullable("AMOUNT", INTEGER)
            .partitionedOn(0)
            .primaryKey(0, 1)
            .index(IndexKind.ORDERED, false, false, 0, 2)
            .create();
    private final Table item = database.table("ITEM")
            .column("K", INTEGER)
            .column("NR", INTEGER)
            .nullable("AREA", INTEGER)
            .nullable("RATE", INTEGER)
            .partitionedOn(0)
            .primaryKey(0, 1)
            .index(IndexKind.ORDERED, false, false, 0, 2, 3)
            .create();
    private long clock = 1;

    @AfterEach
    void close() {
        database.close();
    }

    /**
     * K and AREA, COUNT(*), SUM(AMOUNT * RATE), MIN(AMOUNT), MAX(RATE) of all with equal K, and with AREA equal to the
     * column if it is none before 0, of which AMOUNT + RATE > 3.
     */
    private Table view(int byColumn, int searched) {
        List<Aggregation.Equal> equal = new ArrayList<>(List.of(new Aggregation.Equal(0, 0)));
        List<Expression> conditions = new ArrayList<>(List.of(
                equal(column(0, INTEGER), column(4, INTEGER)),
                Plans.compare(
                        ScalarFunction.GREATER,
                        call(ScalarFunction.PLUS, BIGINT, column(3, INTEGER), column(7, INTEGER)),
                        Plans.integer(3))));
        if (byColumn >= 0) {
            equal.add(new Aggregation.Equal(byColumn, 2));
            conditions.add(equal(column(byColumn, INTEGER), column(6, INTEGER)));
        }
        Aggregation aggregation = new Aggregation(
                "SALE",
                Optional.of(new Aggregation.Join("ITEM", 4, equal, searched)),
                "",
                List.of(new Aggregation.Group(0, "K", false), new Aggregation.Group(6, "AREA", true)),
                false,
                Optional.of(call(ScalarFunction.AND, Plans.BOOLEAN, conditions.toArray(Expression[]::new))),
                List.of(
                        new Measure(Function.COUNT, Optional.empty(), BIGINT),
                        new Measure(
                                Function.SUM,
                                Optional.of(call(ScalarFunction.TIMES, BIGINT, column(3, INTEGER), column(7, INTEGER))),
                                ColumnType.decimal(38, 0)),
                        new Measure(Function.MIN, Optional.of(column(3, INTEGER)), INTEGER),
                        new Measure(Function.MAX, Optional.of(column(7, INTEGER)), INTEGER)),
                List.of());
        int id = database.catalog().nextId();
        List<IndexColumn> key = List.of(new IndexColumn(0, false), new IndexColumn(2, false));
        return new Table(
                        id,
                        "VIEW",
                        List.of(
                                new Column("K", INTEGER, false, null),
                                new Column("AREA", INTEGER, true, null),
                                new Column("#KEY", BINARY, false, null),
                                new Column("#0", BIGINT, false, null),
                                new Column("#1", ColumnType.decimal(38, 0), false, null),
                                new Column("#2", INTEGER, true, null),
                                new Column("#3", INTEGER, true, null)),
                        OptionalInt.of(0),
                        List.of(0, 2),
                        List.of(new Index(id + 1, "VIEW_KEY", IndexKind.HASH, true, true, key)))
                .withAggregation(aggregation);
    }

    private TreeMap<String, String> expected(int byColumn) {
        TreeMap<String, long[]> groups = new TreeMap<>();
        for (List<@Nullable Object> one : database.all(sale)) {
            for (List<@Nullable Object> other : database.all(item)) {
                Long amount = (Long) one.get(3);
                Long rate = (Long) other.get(3);
                boolean isPair = Objects.equals(one.get(0), other.get(0))
                        && (byColumn < 0
                                || (one.get(byColumn) != null
                                        && one.get(byColumn).equals(other.get(2))))
                        && amount != null
                        && rate != null
                        && amount + rate > 3;
                if (isPair) {
                    long[] group = groups.computeIfAbsent(
                            one.get(0) + " " + other.get(2), any -> new long[] {0, 0, Long.MAX_VALUE, Long.MIN_VALUE});
                    group[0]++;
                    group[1] += amount * rate;
                    group[2] = Math.min(group[2], amount);
                    group[3] = Math.max(group[3], rate);
                }
            }
        }
        TreeMap<String, String> rows = new TreeMap<>();
        groups.forEach((name, group) -> rows.put(name, group[0] + " " + group[1] + " " + group[2] + " " + group[3]));
        return rows;
    }

    private TreeMap<String, String> contents(Table view) {
        TreeMap<String, String> rows = new TreeMap<>();
        for (List<@Nullable Object> row : database.all(view)) {
            rows.put(
                    row.get(0) + " " + row.get(1), row.get(3) + " " + row.get(4) + " " + row.get(5) + " " + row.get(6));
        }
        return rows;
    }

    private static @Nullable Object number(Random random, int bound) {
        return random.nextInt(8) == 0 ? null : (long) random.nextInt(bound);
    }

    private Object[] row(Random random) {
        return new Object[] {
            (long) random.nextInt(KEYS), (long) random.nextInt(NUMBERS), number(random, NUMBERS), number(random, 5)
        };
    }

    /** Upserts, deletes and updates of either table, of all of its columns: by one key, or by a range of them. */
    private final class Writes {
        private final List<PartitionStatement> statements = new ArrayList<>();

        Writes() {
            for (Table table : List.of(sale, item)) {
                List<ColumnType> types = Database.types(table);
                statements.add(database.statement(Plans.write(
                        new Operation.Insert(table.id(), Plans.parameters(types), true),
                        types.toArray(ColumnType[]::new))));
                Expression isKey = call(
                        ScalarFunction.AND,
                        Plans.BOOLEAN,
                        equal(column(0, INTEGER), parameter(0, INTEGER)),
                        equal(column(1, INTEGER), parameter(1, INTEGER)));
                statements.add(database.statement(Plans.write(
                        new Operation.Delete(table.id(), scan(table, isKey)), INTEGER, INTEGER, INTEGER, INTEGER)));
                for (int column = 0; column < types.size(); column++) {
                    statements.add(database.statement(Plans.write(
                            new Operation.Update(
                                    table.id(),
                                    scan(table, isKey),
                                    List.of(new Operation.Assignment(column, parameter(2, INTEGER)))),
                            INTEGER,
                            INTEGER,
                            INTEGER,
                            INTEGER)));
                }
                statements.add(database.statement(Plans.write(
                        new Operation.Update(
                                table.id(),
                                scan(table, equal(column(0, INTEGER), parameter(0, INTEGER))),
                                List.of(new Operation.Assignment(3, parameter(3, INTEGER)))),
                        INTEGER,
                        INTEGER,
                        INTEGER,
                        INTEGER)));
            }
        }

        private static Relation scan(Table table, Expression filter) {
            return new Relation.TableScan(table.id(), Database.types(table), filter);
        }

        void transaction(Random random) {
            for (int i = random.nextInt(4); i >= 0; i--) {
                try {
                    database.run(statements.get(random.nextInt(statements.size())), row(random));
                } catch (FulmarException e) {
                    assertThat(e.code().name()).as(e.getMessage()).contains("VIOLATION");
                }
            }
            if (random.nextInt(3) == 0) {
                undo.rollback();
            } else {
                undo.commit(clock++);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void theViewIsWhatTheJoinYields(long seed) {
        Random random = new Random(seed);
        int byColumn = List.of(-1, 1, 2)
                .get((int) (seed % 3)); // by column 1 it is ITEM that is walked: SALE has one row at most
        Writes before = new Writes();
        for (int i = 0; i < 60; i++) {
            before.transaction(random);
        }
        Table view = view(byColumn, (int) (seed / 3 % 2));
        List<Table> sources = List.of(sale, item);
        ViewBackfill fold = ViewFilling.begin(database.storage(), sources, view);
        for (int round = random.nextInt(100); round > 0; round--) {
            before.transaction(random);
            database.storage().prepareNext(fold, 1 + random.nextInt(6));
        }
        before.transaction(random);
        ViewFilling.fill(database.storage(), sources, view);
        database.know(view);
        assertThat(contents(view)).isEqualTo(expected(byColumn));
        Writes after = new Writes();
        for (int i = 0; i < 300; i++) {
            after.transaction(random);
            assertThat(contents(view)).as("after %s", i).isEqualTo(expected(byColumn));
        }
    }
}
