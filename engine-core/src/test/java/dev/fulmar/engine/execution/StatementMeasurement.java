package dev.fulmar.engine.execution;

import static dev.fulmar.engine.execution.Plans.BIGINT;
import static dev.fulmar.engine.execution.Plans.INTEGER;
import static dev.fulmar.engine.execution.Plans.call;
import static dev.fulmar.engine.execution.Plans.column;
import static dev.fulmar.engine.execution.Plans.parameter;

import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.plan.Operation;
import dev.fulmar.engine.plan.Operation.Assignment;
import dev.fulmar.engine.plan.PartitionScope;
import dev.fulmar.engine.plan.Relation;
import dev.fulmar.engine.plan.ScalarFunction;
import dev.fulmar.engine.plan.StatementPlan;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.ResultBlockWriter;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;

/** Prints nanoseconds per statement for the statements of TPC-C-lite, parameters and undo included, on 200,000 rows. */
final class StatementMeasurement {
    private static final int ROWS = 200_000;
    private static final int WARM_UP = 20;
    /** Many short ones: the best of them met little other work on the machine. */
    private static final int TURNS = 100;

    private static final int STATEMENTS = 60_000;
    private static final int STATEMENTS_PER_TRANSACTION = 30;

    private final Database database = new Database();
    private final Table stock;
    private final Table lines;
    private final ResultBlockWriter writer = new ResultBlockWriter(1 << 16, 1 << 24);
    private final Random random = new Random(1);
    private final int[] keys = random.ints(1 << 16, 0, ROWS).toArray();
    private long timestamp;
    private int nextLine;

    private StatementMeasurement() {
        Database.Builder builder = database.table("STOCK")
                .column("W", INTEGER)
                .column("I", INTEGER)
                .nullable("QTY", INTEGER);
        for (int i = 1; i <= 10; i++) {
            builder.nullable("DIST" + i, ColumnType.varchar(24));
        }
        stock = builder.nullable("YTD", BIGINT)
                .nullable("CNT", INTEGER)
                .nullable("RCNT", INTEGER)
                .nullable("DATA", ColumnType.varchar(50))
                .primaryKey(0, 1)
                .partitionedOn(0)
                .create();
        lines = database.table("ORDER_LINE")
                .column("W", INTEGER)
                .column("D", INTEGER)
                .column("O", INTEGER)
                .column("L", INTEGER)
                .nullable("I", INTEGER)
                .nullable("SW", INTEGER)
                .nullable("Q", INTEGER)
                .nullable("AMT", BIGINT)
                .nullable("DIST", ColumnType.varchar(24))
                .primaryKey(0, 1, 2, 3)
                .partitionedOn(0)
                .create();
        load();
    }

    public static void main(String[] arguments) {
        new StatementMeasurement().measure();
    }

    private void load() {
        PartitionStatement insert = database.statement(insert(stock));
        Bindings bindings = insert.compiled().newBindings();
        for (int i = 0; i < ROWS; i++) {
            bindings.reset(insert.compiled().parameterTypes());
            bindings.setLong(0, 1);
            bindings.setLong(1, i);
            bindings.setLong(2, 50);
            for (int d = 3; d < 13; d++) {
                bindings.setString(d, "abcdefghijklmnopqrstuvwx");
            }
            bindings.setLong(13, 0);
            bindings.setLong(14, 0);
            bindings.setLong(15, 0);
            bindings.setString(16, "some data of the stock that is rather long");
            insert.run(bindings, writer);
            commit();
        }
    }

    private void commit() {
        database.storage().undoLog().commit(++timestamp);
    }

    private static StatementPlan insert(Table table) {
        List<ColumnType> types = Database.types(table);
        return Plans.write(
                new PartitionScope.Keys(List.of(parameter(0, INTEGER))),
                new Operation.Insert(table.id(), Plans.parameters(types), false),
                types.toArray(ColumnType[]::new));
    }

    private Relation.IndexScan byKey(int firstParameter) {
        Relation.IndexKey key = Plans.key(
                stock.indexes().getFirst().id(),
                parameter(firstParameter, INTEGER),
                parameter(firstParameter + 1, INTEGER));
        return new Relation.IndexScan(stock.id(), Database.types(stock), key, false, null);
    }

    private void measure() {
        PartitionStatement select = database.statement(select());
        Bindings selectBindings = select.compiled().newBindings();
        print("SELECT 14 columns by unique key", i -> select(select, selectBindings, i));
        PartitionStatement one = database.statement(selectOne());
        Bindings oneBindings = one.compiled().newBindings();
        print("SELECT 1 column by unique key", i -> select(one, oneBindings, i));
        PartitionStatement set = database.statement(updateSet());
        Bindings setBindings = set.compiled().newBindings();
        print("UPDATE 3 columns = ? by key", i -> {
            setBindings.reset(set.compiled().parameterTypes());
            setBindings.setLong(0, i & 63);
            setBindings.setLong(1, i);
            setBindings.setLong(2, i & 1023);
            setBindings.setLong(3, 1);
            setBindings.setLong(4, keys[i & 0xFFFF]);
            set.run(setBindings, writer);
        });
        PartitionStatement add = database.statement(updateAdd());
        Bindings addBindings = add.compiled().newBindings();
        print("UPDATE YTD = YTD + ?, CNT = CNT + 1 by key", i -> {
            addBindings.reset(add.compiled().parameterTypes());
            addBindings.setLong(0, i & 7);
            addBindings.setLong(1, 1);
            addBindings.setLong(2, keys[i & 0xFFFF]);
            add.run(addBindings, writer);
        });
        PartitionStatement insert = database.statement(insert(lines));
        Bindings insertBindings = insert.compiled().newBindings();
        print("INSERT 9 columns, hash and ordered primary key", i -> insertLine(insert, insertBindings));
        PartitionStatement range = database.statement(range());
        Bindings rangeBindings = range.compiled().newBindings();
        print("SELECT 10 rows from a range, LIMIT", i -> select(range, rangeBindings, i));
        PartitionStatement count = database.statement(aggregate());
        Bindings countBindings = count.compiled().newBindings();
        print("COUNT, SUM, MIN over 100 rows of an index", i -> {
            countBindings.reset(count.compiled().parameterTypes());
            int from = keys[i & 0xFFFF] % (ROWS - 100);
            countBindings.setLong(0, 1);
            countBindings.setLong(1, from);
            countBindings.setLong(2, from + 100);
            count.run(countBindings, writer);
        });
        database.close();
    }

    private void select(PartitionStatement statement, Bindings bindings, int turn) {
        bindings.reset(statement.compiled().parameterTypes());
        bindings.setLong(0, 1);
        bindings.setLong(1, keys[turn & 0xFFFF]);
        statement.run(bindings, writer);
    }

    private void insertLine(PartitionStatement statement, Bindings bindings) {
        int line = nextLine++;
        bindings.reset(statement.compiled().parameterTypes());
        bindings.setLong(0, 1);
        bindings.setLong(1, line / 10 % 10);
        bindings.setLong(2, line / 100);
        bindings.setLong(3, line % 10);
        bindings.setLong(4, line & 0xFFFF);
        bindings.setLong(5, 1);
        bindings.setLong(6, 5);
        bindings.setLong(7, 500);
        bindings.setString(8, "abcdefghijklmnopqrstuvwx");
        statement.run(bindings, writer);
    }

    private StatementPlan select() {
        List<Expression> columns = new ArrayList<>();
        for (int i : new int[] {2, 13, 14, 16, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}) {
            columns.add(column(i, Database.types(stock).get(i)));
        }
        return routed(new Relation.Project(byKey(0), columns), INTEGER, INTEGER);
    }

    private StatementPlan selectOne() {
        return routed(new Relation.Project(byKey(0), List.of(column(13, BIGINT))), INTEGER, INTEGER);
    }

    private static StatementPlan routed(Relation relation, ColumnType... parameters) {
        StatementPlan plan = Plans.query(relation, parameters);
        PartitionScope scope = new PartitionScope.Keys(List.of(parameter(0, INTEGER)));
        return new StatementPlan(
                plan.sql(),
                plan.parameters(),
                plan.columns(),
                List.of(new StatementPlan.Fragment(scope, new Operation.Query(relation))),
                Optional.empty());
    }

    private StatementPlan updateSet() {
        return Plans.write(
                new PartitionScope.Keys(List.of(parameter(3, INTEGER))),
                new Operation.Update(
                        stock.id(),
                        byKey(3),
                        List.of(
                                new Assignment(2, parameter(0, INTEGER)),
                                new Assignment(13, parameter(1, BIGINT)),
                                new Assignment(14, parameter(2, INTEGER)))),
                INTEGER,
                BIGINT,
                INTEGER,
                INTEGER,
                INTEGER);
    }

    private StatementPlan updateAdd() {
        return Plans.write(
                new PartitionScope.Keys(List.of(parameter(1, INTEGER))),
                new Operation.Update(
                        stock.id(),
                        byKey(1),
                        List.of(
                                new Assignment(
                                        13,
                                        call(ScalarFunction.PLUS, BIGINT, column(13, BIGINT), parameter(0, BIGINT))),
                                new Assignment(
                                        14,
                                        call(
                                                ScalarFunction.PLUS,
                                                INTEGER,
                                                column(14, INTEGER),
                                                Plans.literal(INTEGER, 1L))))),
                BIGINT,
                INTEGER,
                INTEGER);
    }

    private StatementPlan range() {
        Relation.IndexKey key = new Relation.IndexKey(
                stock.indexes().get(1).id(),
                List.of(parameter(0, INTEGER)),
                Optional.of(new Relation.Bound(parameter(1, INTEGER), true)),
                Optional.empty());
        Relation scan = new Relation.IndexScan(stock.id(), Database.types(stock), key, false, null);
        Relation project = new Relation.Project(
                scan, List.of(column(1, INTEGER), column(2, INTEGER), column(3, ColumnType.varchar(24))));
        return routed(new Relation.Limit(project, null, Plans.integer(10)), INTEGER, INTEGER);
    }

    private StatementPlan aggregate() {
        Relation.IndexKey key = new Relation.IndexKey(
                stock.indexes().get(1).id(),
                List.of(parameter(0, INTEGER)),
                Optional.of(new Relation.Bound(parameter(1, INTEGER), true)),
                Optional.of(new Relation.Bound(parameter(2, INTEGER), false)));
        Relation scan = new Relation.IndexScan(stock.id(), Database.types(stock), key, false, null);
        Relation aggregate = new Relation.Aggregate(
                scan,
                List.of(),
                List.of(
                        new Relation.AggregateCall(Relation.AggregateFunction.COUNT, null, false, null, BIGINT),
                        new Relation.AggregateCall(
                                Relation.AggregateFunction.SUM, column(2, INTEGER), false, null, BIGINT),
                        new Relation.AggregateCall(
                                Relation.AggregateFunction.MIN, column(13, BIGINT), false, null, BIGINT)));
        return routed(aggregate, INTEGER, INTEGER, INTEGER);
    }

    /** Time that this thread had a core: other work on the machine counts little. */
    private static long threadNanos() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    /** One statement of a loop. */
    private interface Work {
        void run(int turn);
    }

    private void print(String name, Work work) {
        double best = Double.MAX_VALUE;
        for (int turn = 0; turn < WARM_UP + TURNS; turn++) {
            int statements = name.startsWith("COUNT") ? STATEMENTS / 10 : STATEMENTS;
            long start = threadNanos();
            for (int i = 0; i < statements; i++) {
                work.run(i);
                if (i % STATEMENTS_PER_TRANSACTION == 0) {
                    writer.clear();
                    commit();
                }
            }
            double nanos = (double) (threadNanos() - start) / statements;
            best = turn < WARM_UP ? best : Math.min(best, nanos);
        }
        commit();
        System.out.printf(Locale.ROOT, "%-50s %7.0f ns%n", name, best);
    }
}
