package dev.fulmar.engine.execution;

import static dev.fulmar.engine.execution.Plans.BIGINT;
import static dev.fulmar.engine.execution.Plans.INTEGER;
import static dev.fulmar.engine.execution.Plans.TEXT;
import static dev.fulmar.engine.execution.Plans.call;
import static dev.fulmar.engine.execution.Plans.column;
import static dev.fulmar.engine.execution.Plans.integer;
import static dev.fulmar.engine.execution.Plans.literal;
import static dev.fulmar.engine.execution.Plans.parameter;
import static dev.fulmar.engine.execution.Plans.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.engine.catalog.IndexKind;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.plan.Operation;
import dev.fulmar.engine.plan.Operation.Assignment;
import dev.fulmar.engine.plan.PartitionScope;
import dev.fulmar.engine.plan.Relation;
import dev.fulmar.engine.plan.ScalarFunction;
import dev.fulmar.engine.plan.StatementPlan;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.ResultBlockWriter;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ChangeTest {
    private final Database database = new Database();
    private final Table table = database.table("T")
            .column("K", INTEGER)
            .nullable("N", BIGINT)
            .nullable("S", ColumnType.varchar(5))
            .primaryKey(0)
            .index(IndexKind.ORDERED, false, false, 1)
            .create();

    @AfterEach
    void close() {
        database.close();
    }

    private static List<@Nullable Object> row(@Nullable Object... values) {
        return Arrays.asList(values);
    }

    private List<List<@Nullable Object>> rows() {
        return database.query(Plans.query(new Relation.Sort(
                Database.scan(table), List.of(new Relation.SortKey(column(0, INTEGER), false, false)))));
    }

    private void insertThree() {
        database.insert(table, new Object[] {1, 10, "a"}, new Object[] {2, 20, "b"}, new Object[] {3, 30, "c"});
    }

    private static void fails(ErrorCode code, ThrowingCallable work) {
        assertThatThrownBy(work)
                .isInstanceOfSatisfying(
                        FulmarException.class, e -> assertThat(e.code()).isEqualTo(code));
    }

    private Relation.IndexScan byKey(Expression key) {
        return new Relation.IndexScan(
                table.id(),
                Database.types(table),
                Plans.key(table.indexes().getFirst().id(), key),
                false,
                null);
    }

    private Relation.IndexScan byN(Optional<Relation.Bound> lower, boolean backwards) {
        Relation.IndexKey key = new Relation.IndexKey(table.indexes().get(2).id(), List.of(), lower, Optional.empty());
        return new Relation.IndexScan(table.id(), Database.types(table), key, backwards, null);
    }

    private static Expression plus(Expression left, Expression right, ColumnType type) {
        return call(ScalarFunction.PLUS, type, left, right);
    }

    private StatementPlan update(Relation target, Assignment... assignments) {
        return Plans.write(new Operation.Update(table.id(), target, List.of(assignments)), BIGINT);
    }

    @Test
    void insertChecksNullsLengthsAndKeys() {
        insertThree();
        fails(ErrorCode.UNIQUE_VIOLATION, () -> database.insert(table, new Object[] {2, 0, "x"}));
        fails(ErrorCode.NOT_NULL_VIOLATION, () -> database.insert(table, new Object[] {null, 0, "x"}));
        fails(ErrorCode.STRING_TOO_LONG, () -> database.insert(table, new Object[] {9, 0, "123456"}));
        Relation tooLong = Plans.values(
                List.of(INTEGER, BIGINT, TEXT), List.of(List.of(literal(INTEGER, 9L), integer(0), text("123456"))));
        fails(
                ErrorCode.STRING_TOO_LONG,
                () -> database.run(Plans.write(new Operation.Insert(table.id(), tooLong, false))));
        Relation tooLarge =
                Plans.values(List.of(BIGINT, BIGINT, TEXT), List.of(List.of(integer(1L << 40), integer(0), text("1"))));
        fails(
                ErrorCode.VALUE_OUT_OF_RANGE,
                () -> database.run(Plans.write(new Operation.Insert(table.id(), tooLarge, false))));
        assertThat(rows()).containsExactly(row(1L, 10L, "a"), row(2L, 20L, "b"), row(3L, 30L, "c"));
    }

    @Test
    void aFailedStatementUndoesItselfAlone() {
        insertThree();
        Relation source = Plans.values(
                List.of(INTEGER, BIGINT, TEXT),
                List.of(
                        List.of(literal(INTEGER, 4L), integer(40), text("d")),
                        List.of(literal(INTEGER, 5L), integer(50), literal(TEXT, null)),
                        List.of(literal(INTEGER, 1L), integer(60), text("f"))));
        fails(
                ErrorCode.UNIQUE_VIOLATION,
                () -> database.run(Plans.write(new Operation.Insert(table.id(), source, false))));
        assertThat(rows()).containsExactly(row(1L, 10L, "a"), row(2L, 20L, "b"), row(3L, 30L, "c"));

        Expression quotient = call(
                ScalarFunction.DIVIDE,
                BIGINT,
                integer(60),
                call(ScalarFunction.MINUS, BIGINT, column(1, BIGINT), integer(30)));
        fails(
                ErrorCode.DIVISION_BY_ZERO,
                () -> database.run(update(Database.scan(table), new Assignment(1, quotient)), 0));
        assertThat(rows()).containsExactly(row(1L, 10L, "a"), row(2L, 20L, "b"), row(3L, 30L, "c"));

        database.storage().undoLog().rollback();
        assertThat(rows()).isEmpty();
    }

    @Test
    void updatesReadTheOldRow() {
        insertThree();
        StatementPlan plan = update(
                byKey(parameter(0, BIGINT)),
                new Assignment(1, plus(column(1, BIGINT), column(0, INTEGER), BIGINT)),
                new Assignment(2, call(ScalarFunction.CAST, ColumnType.varchar(5), column(1, BIGINT))));
        assertThat(database.run(plan, 2)).isEqualTo(1);
        assertThat(database.run(plan, 9)).isZero();
        assertThat(database.run(plan, new Object[] {null})).isZero();
        assertThat(rows()).containsExactly(row(1L, 10L, "a"), row(2L, 22L, "20"), row(3L, 30L, "c"));
        StatementPlan longText = update(byKey(parameter(0, BIGINT)), new Assignment(2, text("123456")));
        fails(ErrorCode.STRING_TOO_LONG, () -> database.run(longText, 1));
        StatementPlan nothing = update(byKey(parameter(0, BIGINT)), new Assignment(0, literal(INTEGER, null)));
        fails(ErrorCode.NOT_NULL_VIOLATION, () -> database.run(nothing, 1));
    }

    /** Walking the index on N upwards while N grows would meet the same rows again without end. */
    @Test
    void anUpdateDoesNotMeetItsOwnChanges() {
        insertThree();
        Assignment grow = new Assignment(1, plus(column(1, BIGINT), integer(15), BIGINT));
        Optional<Relation.Bound> lower = Optional.of(new Relation.Bound(integer(0), true));
        assertThat(database.run(update(byN(lower, false), grow), 0)).isEqualTo(3);
        assertThat(rows()).containsExactly(row(1L, 25L, "a"), row(2L, 35L, "b"), row(3L, 45L, "c"));
        Assignment shrink = new Assignment(1, plus(column(1, BIGINT), integer(-15), BIGINT));
        assertThat(database.run(update(byN(lower, true), shrink), 0)).isEqualTo(3);
        assertThat(rows()).containsExactly(row(1L, 10L, "a"), row(2L, 20L, "b"), row(3L, 30L, "c"));
    }

    /** Row by row, K + 1 would collide with the next row; only the outcome has to be unique. */
    @Test
    void keysShiftTogether() {
        insertThree();
        Assignment shift = new Assignment(0, plus(column(0, INTEGER), literal(INTEGER, 1L), INTEGER));
        assertThat(database.run(update(Database.scan(table), shift), 0)).isEqualTo(3);
        assertThat(rows()).containsExactly(row(2L, 10L, "a"), row(3L, 20L, "b"), row(4L, 30L, "c"));
        Assignment same = new Assignment(0, literal(INTEGER, 7L));
        fails(ErrorCode.UNIQUE_VIOLATION, () -> database.run(update(Database.scan(table), same), 0));
        assertThat(rows()).containsExactly(row(2L, 10L, "a"), row(3L, 20L, "b"), row(4L, 30L, "c"));
        assertThat(database.run(update(byKey(parameter(0, BIGINT)), same), 3)).isEqualTo(1);
        assertThat(rows()).containsExactly(row(2L, 10L, "a"), row(4L, 30L, "c"), row(7L, 20L, "b"));
    }

    /** The new rows lie ahead in the index that is walked: met again, they would be copied until the key overflows. */
    @Test
    void anInsertDoesNotSeeItsOwnRows() {
        insertThree();
        Optional<Relation.Bound> lower = Optional.of(new Relation.Bound(integer(0), true));
        Relation source = new Relation.Project(
                byN(lower, false),
                List.of(
                        plus(column(0, INTEGER), literal(INTEGER, 1_000_000L), INTEGER),
                        plus(column(1, BIGINT), integer(100), BIGINT),
                        column(2, TEXT)));
        assertThat(database.run(Plans.write(new Operation.Insert(table.id(), source, false))))
                .isEqualTo(3);
        assertThat(rows()).hasSize(6).contains(row(1_000_001L, 110L, "a"), row(1_000_003L, 130L, "c"));
    }

    @Test
    void anUpsertReplacesTheWholeRow() {
        insertThree();
        List<ColumnType> types = Database.types(table);
        StatementPlan upsert = Plans.write(
                new Operation.Insert(table.id(), Plans.parameters(types), true), types.toArray(ColumnType[]::new));
        assertThat(database.run(upsert, 2, null, "new")).isEqualTo(1);
        assertThat(database.run(upsert, 4, 40, null)).isEqualTo(1);
        fails(ErrorCode.NOT_NULL_VIOLATION, () -> database.run(upsert, null, 40, null));
        assertThat(rows())
                .containsExactly(row(1L, 10L, "a"), row(2L, null, "new"), row(3L, 30L, "c"), row(4L, 40L, null));
    }

    @Test
    void deletesWalkWhatTheyDelete() {
        insertThree();
        Optional<Relation.Bound> lower = Optional.of(new Relation.Bound(parameter(0, BIGINT), false));
        StatementPlan plan = Plans.write(new Operation.Delete(table.id(), byN(lower, false)), BIGINT);
        assertThat(database.run(plan, 10)).isEqualTo(2);
        assertThat(rows()).containsExactly(row(1L, 10L, "a"));
        StatementPlan all = Plans.write(new Operation.Delete(table.id(), Database.scan(table)));
        assertThat(database.run(all)).isEqualTo(1);
        assertThat(rows()).isEmpty();
        database.insert(table, new Object[] {1, 11, "a"});
        assertThat(rows()).containsExactly(row(1L, 11L, "a"));
    }

    @Test
    void aFailedQueryLeavesNoBlock() {
        insertThree();
        Expression broken =
                call(ScalarFunction.DIVIDE, BIGINT, integer(1), plus(column(0, INTEGER), integer(-2), BIGINT));
        Relation query = new Relation.Project(Database.scan(table), List.of(broken));
        PartitionStatement statement = database.statement(Plans.query(query));
        ResultBlockWriter writer = new ResultBlockWriter(16, 1000);
        fails(ErrorCode.DIVISION_BY_ZERO, () -> statement.run(Database.bind(statement.compiled()), writer));
        assertThat(writer.size()).isZero();
        PartitionStatement large = database.statement(Plans.query(Database.scan(table)));
        fails(
                ErrorCode.RESULT_TOO_LARGE,
                () -> large.run(Database.bind(large.compiled()), new ResultBlockWriter(16, 60)));
    }

    @Test
    void rowsOfOtherPartitionsAreNeverTouched() {
        PartitionPlan plan = PartitionPlan.ranges(0, 100);
        try (Database second = new Database(plan, 1, Database.INTERMEDIATE_BYTES)) {
            Table parts = second.table("P")
                    .column("K", INTEGER)
                    .nullable("V", BIGINT)
                    .primaryKey(0)
                    .partitionedOn(0)
                    .create();
            List<ColumnType> types = Database.types(parts);
            StatementPlan insert = Plans.write(
                    new PartitionScope.Keys(List.of(parameter(0, INTEGER))),
                    new Operation.Insert(parts.id(), Plans.parameters(types), false),
                    INTEGER,
                    BIGINT);
            assertThat(second.run(insert, 100, 1)).isEqualTo(1);
            assertThatThrownBy(() -> second.run(insert, 99, 1)).isInstanceOf(PartitionMismatch.class);

            Relation two = Plans.values(
                    types,
                    List.of(List.of(literal(INTEGER, 101L), integer(1)), List.of(literal(INTEGER, 5L), integer(2))));
            StatementPlan byRow =
                    Plans.write(new PartitionScope.ByRow(0), new Operation.Insert(parts.id(), two, false));
            assertThatThrownBy(() -> second.run(byRow)).isInstanceOf(PartitionMismatch.class);
            assertThat(second.all(parts)).hasSize(1);
            PartitionStatement statement = second.statement(byRow);
            Bindings none = statement.compiled().newBindings();
            assertThat(statement.runFragment(0, none, new ResultBlockWriter(0, 0)))
                    .isEqualTo(1);
            assertThat(second.all(parts)).hasSize(2);

            BitSet partitions = new BitSet();
            statement.compiled().newRouter().partitions(0, plan, none, partitions);
            assertThat(partitions.stream().boxed()).containsExactly(0, 1);

            StatementPlan unrouted =
                    Plans.write(new Operation.Insert(parts.id(), Plans.parameters(types), false), INTEGER, BIGINT);
            assertThatThrownBy(() -> second.run(unrouted, 7, 1)).isInstanceOf(PartitionMismatch.class);
            StatementPlan all =
                    Plans.write(new PartitionScope.All(), new Operation.Delete(parts.id(), Database.scan(parts)));
            assertThatThrownBy(() -> second.run(all)).isInstanceOf(PartitionMismatch.class);
            assertThat(second.all(parts)).hasSize(2);

            Assignment away = new Assignment(0, literal(INTEGER, 1L));
            StatementPlan move = Plans.write(new Operation.Update(parts.id(), Database.scan(parts), List.of(away)));
            fails(ErrorCode.NOT_SUPPORTED, () -> second.run(move));
        }
    }
}
