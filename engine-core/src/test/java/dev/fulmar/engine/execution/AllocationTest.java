package dev.fulmar.engine.execution;

import static dev.fulmar.engine.execution.Plans.BIGINT;
import static dev.fulmar.engine.execution.Plans.INTEGER;
import static dev.fulmar.engine.execution.Plans.TEXT;
import static dev.fulmar.engine.execution.Plans.call;
import static dev.fulmar.engine.execution.Plans.column;
import static dev.fulmar.engine.execution.Plans.parameter;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.plan.ConflictAction;
import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.plan.Operation;
import dev.fulmar.engine.plan.Operation.Assignment;
import dev.fulmar.engine.plan.Relation;
import dev.fulmar.engine.plan.ScalarFunction;
import dev.fulmar.engine.procedure.budget.BudgetLimits;
import dev.fulmar.engine.procedure.invocation.FunctionExecution;
import dev.fulmar.engine.userfunction.UserFunction;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.ResultBlockWriter;
import dev.fulmar.foundation.time.real.SystemClock;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Statements by key, range reads and inserts leave no garbage per row: what a thread allocates is counted, parameters
 * and undo included.
 */
class AllocationTest {
    private static final int ROWS = 1000;
    private static final int WARM_UP = 30_000;
    private static final int WINDOW = 5000;
    private static final int LEAST_STATEMENTS = 100;
    private static final int WINDOWS = 5;
    /** Less than any object takes; growth of what is kept between statements comes to less. */
    private static final double MOST_BYTES = 4;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final Database database = new Database();
    private final ResultBlockWriter writer = new ResultBlockWriter(1 << 16, 1 << 20);
    private final Table table = database.table("T")
            .column("A", INTEGER)
            .column("B", INTEGER)
            .nullable("N", BIGINT)
            .nullable("S", TEXT)
            .partitionedOn(0)
            .primaryKey(0, 1)
            .create();
    private long timestamp;

    @BeforeEach
    void fill() {
        PartitionStatement insert = insert();
        for (int i = 0; i < ROWS; i++) {
            database.run(insert, i % 10, i, (long) i, "some text");
        }
        commit();
    }

    @AfterEach
    void close() {
        database.close();
    }

    private void commit() {
        database.storage().undoLog().commit(++timestamp);
    }

    private PartitionStatement insert() {
        Operation.Insert insert = new Operation.Insert(table.id(), Plans.parameters(Database.types(table)), false);
        return database.statement(Plans.write(insert, INTEGER, INTEGER, BIGINT, TEXT));
    }

    /** The row of the key in the parameters from there on. */
    private Relation.IndexScan byKey(int firstParameter) {
        return new Relation.IndexScan(
                table.id(),
                Database.types(table),
                Plans.key(
                        table.indexes().getFirst().id(),
                        parameter(firstParameter, INTEGER),
                        parameter(firstParameter + 1, INTEGER)),
                false,
                null);
    }

    /** The least that any of several windows of statements allocates: the compiler works beside the first ones. */
    private void allocatesNothing(int rowsPerStatement, IntConsumer statement) {
        for (int i = 0; i < WARM_UP / rowsPerStatement; i++) {
            statement.accept(i);
        }
        double least = Double.MAX_VALUE;
        int statements = Math.max(LEAST_STATEMENTS, WINDOW / rowsPerStatement);
        int next = WARM_UP;
        for (int window = 0; window < WINDOWS; window++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < statements; i++) {
                statement.accept(next++);
            }
            long bytes = threads.getCurrentThreadAllocatedBytes() - before;
            least = Math.min(least, bytes / ((double) statements * rowsPerStatement));
        }
        assertThat(least).as("bytes per row").isLessThan(MOST_BYTES);
    }

    private void bindKey(Bindings bindings, int firstParameter, int i) {
        bindings.setLong(firstParameter, i % ROWS % 10);
        bindings.setLong(firstParameter + 1, i % ROWS);
    }

    @Test
    void aRowIsReadByKey() {
        Relation columns = new Relation.Project(byKey(0), List.of(column(2, BIGINT), column(3, TEXT)));
        PartitionStatement select = database.statement(Plans.query(columns, INTEGER, INTEGER));
        Bindings bindings = select.compiled().newBindings();
        allocatesNothing(1, i -> {
            writer.clear();
            bindings.reset(select.compiled().parameterTypes());
            bindKey(bindings, 0, i);
            assertOne(select.run(bindings, writer));
        });
    }

    @Test
    void aFunctionOfUsersIsCalledWithNumbers() {
        UserFunction function = new UserFunction(
                        "F",
                        List.of(new UserFunction.Parameter("A", BIGINT), new UserFunction.Parameter("B", INTEGER)),
                        BIGINT,
                        false,
                        new UserFunction.JavaMethod("x.Y", "", ""))
                .boundTo(() -> new FunctionExecution(
                        "F",
                        arguments -> arguments.result(arguments.toLong(0) + arguments.toInt(1)),
                        List.of(BIGINT, INTEGER),
                        new SystemClock(),
                        BudgetLimits.DEFAULT));
        Expression value = call(
                ScalarFunction.USER_DEFINED,
                BIGINT,
                Plans.literal(BIGINT, function),
                column(2, BIGINT),
                column(1, INTEGER));
        PartitionStatement select =
                database.statement(Plans.query(new Relation.Project(byKey(0), List.of(value)), INTEGER, INTEGER));
        Bindings bindings = select.compiled().newBindings();
        allocatesNothing(1, i -> {
            writer.clear();
            bindings.reset(select.compiled().parameterTypes());
            bindKey(bindings, 0, i);
            assertOne(select.run(bindings, writer));
        });
    }

    @Test
    void aRowWhoseKeyIsThereIsLeftOut() {
        PartitionStatement insert = database.statement(Plans.write(
                new Operation.Insert(
                        table.id(),
                        Plans.parameters(Database.types(table)),
                        new ConflictAction.Skip(ConflictAction.Skip.ANY),
                        List.of()),
                INTEGER,
                INTEGER,
                BIGINT,
                TEXT));
        Bindings bindings = insert.compiled().newBindings();
        allocatesNothing(1, i -> {
            bindings.reset(insert.compiled().parameterTypes());
            bindKey(bindings, 0, i);
            bindings.setLong(2, i);
            assertRows(0, insert.run(bindings, writer));
        });
    }

    @Test
    void aRowWhoseKeyIsThereIsChanged() {
        List<ColumnType> types = Database.types(table);
        Expression sum = call(ScalarFunction.PLUS, BIGINT, column(2, BIGINT), column(types.size() + 2, BIGINT));
        ConflictAction onConflict =
                new ConflictAction.Change(table.indexes().getFirst().id(), List.of(new Assignment(2, sum)), null);
        PartitionStatement insert = database.statement(Plans.write(
                new Operation.Insert(table.id(), Plans.parameters(types), onConflict, List.of()),
                INTEGER,
                INTEGER,
                BIGINT,
                TEXT));
        Bindings bindings = insert.compiled().newBindings();
        allocatesNothing(1, i -> {
            bindings.reset(insert.compiled().parameterTypes());
            bindKey(bindings, 0, i);
            bindings.setLong(2, i);
            assertOne(insert.run(bindings, writer));
            commit();
        });
    }

    @Test
    void aRowIsUpdatedByKey() {
        PartitionStatement update = database.statement(Plans.write(
                new Operation.Update(
                        table.id(),
                        byKey(2),
                        List.of(
                                new Assignment(
                                        2, call(ScalarFunction.PLUS, BIGINT, column(2, BIGINT), parameter(0, BIGINT))),
                                new Assignment(3, parameter(1, TEXT)))),
                BIGINT,
                TEXT,
                INTEGER,
                INTEGER));
        Bindings bindings = update.compiled().newBindings();
        byte[] text = {'t', 'e', 'x', 't'};
        allocatesNothing(1, i -> {
            bindings.reset(update.compiled().parameterTypes());
            bindings.setLong(0, i);
            bindings.setBytes(1, text, 0, 1 + i % 4);
            bindKey(bindings, 2, i);
            assertOne(update.run(bindings, writer));
            commit();
        });
    }

    @Test
    void aRowIsInserted() {
        PartitionStatement insert = insert();
        Bindings bindings = insert.compiled().newBindings();
        byte[] text = "a text that is new".getBytes(StandardCharsets.UTF_8);
        allocatesNothing(1, i -> {
            bindings.reset(insert.compiled().parameterTypes());
            bindings.setLong(0, i % 10);
            bindings.setLong(1, ROWS + i);
            bindings.setLong(2, i);
            bindings.setBytes(3, text, 0, text.length);
            assertOne(insert.run(bindings, writer));
            commit();
        });
    }

    @Test
    void rowsAreReadByRange() {
        Relation.IndexScan range = new Relation.IndexScan(
                table.id(),
                Database.types(table),
                Plans.key(table.indexes().get(1).id(), parameter(0, INTEGER)),
                false,
                null);
        PartitionStatement select = database.statement(Plans.query(range, INTEGER));
        Bindings bindings = select.compiled().newBindings();
        allocatesNothing(ROWS / 10, i -> {
            writer.clear();
            bindings.reset(select.compiled().parameterTypes());
            bindings.setLong(0, i % 10);
            if (select.run(bindings, writer) != ROWS / 10) {
                throw new AssertionError("a tenth of the rows has the value");
            }
        });
    }

    @Test
    void statementsOfABatchAreReadAhead() {
        PartitionStatement select = database.statement(Plans.query(byKey(0), INTEGER, INTEGER));
        Bindings[] bindings = new Bindings[10];
        for (int i = 0; i < bindings.length; i++) {
            bindings[i] = select.compiled().newBindings();
        }
        ReadAhead ahead = new ReadAhead();
        allocatesNothing(bindings.length, batch -> {
            writer.clear();
            ahead.clear();
            for (int i = 0; i < bindings.length; i++) {
                bindings[i].reset(select.compiled().parameterTypes());
                bindKey(bindings[i], 0, batch * bindings.length + i);
                ahead.add(select, bindings[i]);
            }
            ahead.run();
            for (int i = 0; i < bindings.length; i++) {
                assertOne(select.run(bindings[i], writer, ahead.row(i)));
            }
        });
    }

    /** Without AssertJ, which allocates. */
    private static void assertOne(long rows) {
        assertRows(1, rows);
    }

    private static void assertRows(int expected, long rows) {
        if (rows != expected) {
            throw new AssertionError(expected + " rows are expected, not " + rows);
        }
    }
}
