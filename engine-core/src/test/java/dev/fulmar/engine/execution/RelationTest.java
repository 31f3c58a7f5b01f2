package dev.fulmar.engine.execution;

import static dev.fulmar.engine.execution.Plans.BIGINT;
import static dev.fulmar.engine.execution.Plans.BOOLEAN;
import static dev.fulmar.engine.execution.Plans.DOUBLE;
import static dev.fulmar.engine.execution.Plans.INTEGER;
import static dev.fulmar.engine.execution.Plans.TEXT;
import static dev.fulmar.engine.execution.Plans.call;
import static dev.fulmar.engine.execution.Plans.column;
import static dev.fulmar.engine.execution.Plans.equal;
import static dev.fulmar.engine.execution.Plans.integer;
import static dev.fulmar.engine.execution.Plans.literal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.engine.catalog.IndexKind;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.plan.Relation;
import dev.fulmar.engine.plan.Relation.Aggregate;
import dev.fulmar.engine.plan.Relation.AggregateCall;
import dev.fulmar.engine.plan.Relation.AggregateFunction;
import dev.fulmar.engine.plan.Relation.JoinKind;
import dev.fulmar.engine.plan.Relation.SortKey;
import dev.fulmar.engine.plan.ScalarFunction;
import dev.fulmar.engine.plan.StatementPlan;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RelationTest {
    private final Database database = new Database();
    private final Table left = database.table("L")
            .column("K", INTEGER)
            .nullable("V", TEXT)
            .primaryKey(0)
            .create();
    private final Table right = database.table("R")
            .column("ID", INTEGER)
            .nullable("K", INTEGER)
            .primaryKey(0)
            .index(IndexKind.ORDERED, false, false, 1)
            .create();

    RelationTest() {
        database.insert(left, new Object[] {1, "one"}, new Object[] {2, "two"}, new Object[] {3, null});
        database.insert(
                right,
                new Object[] {10, 1},
                new Object[] {11, 1},
                new Object[] {12, 3},
                new Object[] {13, 4},
                new Object[] {14, null});
    }

    @AfterEach
    void close() {
        database.close();
    }

    private List<List<@Nullable Object>> query(Relation relation, Object... parameters) {
        return database.query(Plans.query(relation), parameters);
    }

    private Relation sorted(Relation relation, int... columns) {
        List<SortKey> keys = IntStream.of(columns)
                .mapToObj(i -> new SortKey(column(i, relation.columns().get(i)), false, false))
                .toList();
        return new Relation.Sort(relation, keys);
    }

    private static List<@Nullable Object> row(@Nullable Object... values) {
        return Arrays.asList(values);
    }

    private Relation hashJoin(JoinKind kind, @Nullable Expression condition) {
        return new Relation.HashJoin(
                Database.scan(left),
                Database.scan(right),
                kind,
                List.of(column(0, INTEGER)),
                List.of(column(1, INTEGER)),
                condition);
    }

    private Relation nestedLoop(JoinKind kind) {
        return new Relation.NestedLoopJoin(
                Database.scan(left), Database.scan(right), kind, equal(column(0, INTEGER), column(3, INTEGER)));
    }

    private Relation indexJoin(JoinKind kind) {
        int index = right.indexes().get(2).id();
        Relation.IndexScan look = new Relation.IndexScan(
                right.id(), Database.types(right), Plans.key(index, column(0, INTEGER)), false, null);
        return new Relation.IndexJoin(Database.scan(left), look, kind, null);
    }

    @Test
    void allJoinsYieldTheSameRows() {
        for (JoinKind kind : List.of(JoinKind.INNER, JoinKind.LEFT, JoinKind.SEMI, JoinKind.ANTI)) {
            List<List<@Nullable Object>> expected = switch (kind) {
                case INNER -> List.of(row(1L, "one", 10L, 1L), row(1L, "one", 11L, 1L), row(3L, null, 12L, 3L));
                case LEFT ->
                    List.of(
                            row(1L, "one", 10L, 1L),
                            row(1L, "one", 11L, 1L),
                            row(2L, "two", null, null),
                            row(3L, null, 12L, 3L));
                case SEMI -> List.of(row(1L, "one"), row(3L, null));
                case ANTI -> List.of(row(2L, "two"));
                case FULL -> throw new AssertionError();
            };
            int[] order = kind == JoinKind.INNER || kind == JoinKind.LEFT ? new int[] {0, 2} : new int[] {0};
            assertThat(query(sorted(hashJoin(kind, null), order)))
                    .as("hash %s", kind)
                    .isEqualTo(expected);
            assertThat(query(sorted(nestedLoop(kind), order)))
                    .as("loop %s", kind)
                    .isEqualTo(expected);
            assertThat(query(sorted(indexJoin(kind), order)))
                    .as("index %s", kind)
                    .isEqualTo(expected);
        }
    }

    @Test
    void aFullJoinKeepsBothSides() {
        List<List<@Nullable Object>> expected = List.of(
                row(1L, "one", 10L, 1L),
                row(1L, "one", 11L, 1L),
                row(3L, null, 12L, 3L),
                row(null, null, 13L, 4L),
                row(null, null, 14L, null),
                row(2L, "two", null, null));
        assertThat(query(sorted(hashJoin(JoinKind.FULL, null), 2))).isEqualTo(expected);
        assertThat(query(sorted(nestedLoop(JoinKind.FULL), 2))).isEqualTo(expected);
    }

    @Test
    void aConditionBesideTheKeysDecidesTheMatch() {
        Expression condition = Plans.compare(ScalarFunction.GREATER, column(2, INTEGER), integer(10));
        assertThat(query(sorted(hashJoin(JoinKind.LEFT, condition), 0, 2)))
                .isEqualTo(List.of(row(1L, "one", 11L, 1L), row(2L, "two", null, null), row(3L, null, 12L, 3L)));
        assertThat(query(sorted(hashJoin(JoinKind.ANTI, condition), 0))).isEqualTo(List.of(row(2L, "two")));
    }

    @Test
    void keysOfDifferentNumberTypesMeet() {
        Relation doubles =
                Plans.values(List.of(DOUBLE), List.of(List.of(literal(DOUBLE, 1.0)), List.of(literal(DOUBLE, -0.0))));
        ColumnType decimal = ColumnType.decimal(20, 1);
        Relation decimals = Plans.values(
                List.of(decimal),
                List.of(
                        List.of(literal(decimal, new BigDecimal("1.0"))),
                        List.of(literal(decimal, new BigDecimal("0.0")))));
        Relation join = new Relation.HashJoin(
                doubles, decimals, JoinKind.INNER, List.of(column(0, DOUBLE)), List.of(column(0, decimal)), null);
        assertThat(query(join)).hasSize(2);
        Relation integers = Plans.values(List.of(BIGINT), List.of(List.of(integer(1))));
        Relation exact = new Relation.HashJoin(
                integers, decimals, JoinKind.INNER, List.of(column(0, BIGINT)), List.of(column(0, decimal)), null);
        assertThat(query(exact)).isEqualTo(List.of(row(1L, new BigDecimal("1.0"))));
    }

    private static AggregateCall aggregate(AggregateFunction function, @Nullable Expression argument, ColumnType type) {
        return new AggregateCall(function, argument, false, null, type);
    }

    @Test
    void aggregatesOfNothingAreNullExceptCounts() {
        Relation nothing = new Relation.Filter(Database.scan(left), literal(BOOLEAN, false));
        Relation aggregate = new Aggregate(
                nothing,
                List.of(),
                List.of(
                        aggregate(AggregateFunction.COUNT, null, BIGINT),
                        aggregate(AggregateFunction.COUNT, column(1, TEXT), BIGINT),
                        aggregate(AggregateFunction.SUM, column(0, INTEGER), BIGINT),
                        aggregate(AggregateFunction.MIN, column(1, TEXT), TEXT),
                        aggregate(AggregateFunction.AVG, column(0, INTEGER), DOUBLE),
                        aggregate(AggregateFunction.SINGLE_VALUE, column(0, INTEGER), INTEGER)));
        assertThat(query(aggregate)).isEqualTo(List.of(row(0L, 0L, null, null, null, null)));
        assertThat(query(new Aggregate(
                        nothing,
                        List.of(column(0, INTEGER)),
                        List.of(aggregate(AggregateFunction.COUNT, null, BIGINT)))))
                .isEmpty();
    }

    @Test
    void groupsTreatNullsAsEqual() {
        Relation input = Plans.values(
                List.of(TEXT, BIGINT),
                List.of(
                        List.of(literal(TEXT, "a"), integer(1)),
                        List.of(literal(TEXT, null), integer(2)),
                        List.of(literal(TEXT, "a"), integer(1)),
                        List.of(literal(TEXT, null), literal(BIGINT, null)),
                        List.of(literal(TEXT, ""), integer(7))));
        ColumnType average = ColumnType.decimal(20, 4);
        Aggregate aggregate = new Aggregate(
                input,
                List.of(column(0, TEXT)),
                List.of(
                        aggregate(AggregateFunction.COUNT, null, BIGINT),
                        aggregate(AggregateFunction.SUM, column(1, BIGINT), BIGINT),
                        new AggregateCall(AggregateFunction.SUM, column(1, BIGINT), true, null, BIGINT),
                        aggregate(AggregateFunction.AVG, column(1, BIGINT), average),
                        aggregate(AggregateFunction.MAX, column(1, BIGINT), BIGINT),
                        new AggregateCall(
                                AggregateFunction.COUNT,
                                null,
                                false,
                                Plans.compare(ScalarFunction.GREATER, column(1, BIGINT), integer(1)),
                                BIGINT)));
        assertThat(query(aggregate))
                .isEqualTo(List.of(
                        row("a", 2L, 2L, 1L, new BigDecimal("1.0000"), 1L, 0L),
                        row(null, 2L, 2L, 2L, new BigDecimal("2.0000"), 2L, 1L),
                        row("", 1L, 7L, 7L, new BigDecimal("7.0000"), 7L, 1L)));
    }

    @Test
    void extremesOfEveryStorageAreKept() {
        ColumnType wide = ColumnType.decimal(38, 2);
        Relation input = Plans.values(
                List.of(TEXT, DOUBLE, wide),
                List.of(
                        List.of(literal(TEXT, "bb"), literal(DOUBLE, -1.5), literal(wide, new BigDecimal("-5.00"))),
                        List.of(
                                literal(TEXT, "a much longer text"),
                                literal(DOUBLE, 2.5),
                                literal(wide, new BigDecimal("1e30"))),
                        List.of(literal(TEXT, "c"), literal(DOUBLE, 0.0), literal(wide, null))));
        Aggregate aggregate = new Aggregate(
                input,
                List.of(),
                List.of(
                        aggregate(AggregateFunction.MIN, column(0, TEXT), TEXT),
                        aggregate(AggregateFunction.MAX, column(0, TEXT), TEXT),
                        aggregate(AggregateFunction.MIN, column(1, DOUBLE), DOUBLE),
                        aggregate(AggregateFunction.SUM, column(1, DOUBLE), DOUBLE),
                        aggregate(AggregateFunction.MIN, column(2, wide), wide),
                        aggregate(AggregateFunction.MAX, column(2, wide), wide),
                        aggregate(AggregateFunction.SUM, column(2, wide), wide)));
        assertThat(query(aggregate))
                .isEqualTo(List.of(row(
                        "a much longer text",
                        "c",
                        -1.5,
                        1.0,
                        new BigDecimal("-5.00"),
                        new BigDecimal("1e30").setScale(2),
                        new BigDecimal("1e30").setScale(2).subtract(new BigDecimal("5.00")))));
    }

    @Test
    void aSumThatDoesNotFitItsTypeFails() {
        Relation input = Plans.values(
                List.of(BIGINT), List.of(List.of(integer(Long.MAX_VALUE)), List.of(integer(1)), List.of(integer(-1))));
        Relation sum =
                new Aggregate(input, List.of(), List.of(aggregate(AggregateFunction.SUM, column(0, BIGINT), BIGINT)));
        assertThat(query(sum)).isEqualTo(List.of(row(Long.MAX_VALUE)));
        Relation tooMuch =
                new Relation.Filter(input, Plans.compare(ScalarFunction.GREATER, column(0, BIGINT), integer(0)));
        Relation overflow =
                new Aggregate(tooMuch, List.of(), List.of(aggregate(AggregateFunction.SUM, column(0, BIGINT), BIGINT)));
        assertThatThrownBy(() -> query(overflow))
                .isInstanceOfSatisfying(
                        FulmarException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.VALUE_OUT_OF_RANGE));
    }

    @Test
    void aScalarSubqueryHasOneRow() {
        Relation single = new Aggregate(
                new Relation.Filter(Database.scan(left), equal(column(0, INTEGER), Plans.parameter(0, INTEGER))),
                List.of(),
                List.of(aggregate(AggregateFunction.SINGLE_VALUE, column(1, TEXT), TEXT)));
        StatementPlan plan = Plans.query(single, INTEGER);
        assertThat(database.query(plan, 1)).isEqualTo(List.of(row("one")));
        assertThat(database.query(plan, 3)).isEqualTo(List.of(row((Object) null)));
        assertThat(database.query(plan, 9)).isEqualTo(List.of(row((Object) null)));
        Relation many = new Aggregate(
                Database.scan(left),
                List.of(),
                List.of(aggregate(AggregateFunction.SINGLE_VALUE, column(1, TEXT), TEXT)));
        assertThatThrownBy(() -> query(many))
                .isInstanceOfSatisfying(
                        FulmarException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CARDINALITY_VIOLATION));
    }

    @Test
    void sortsNullsWhereTheyAreWanted() {
        Relation input = Database.scan(left);
        Expression value = column(1, TEXT);
        assertThat(query(new Relation.Sort(input, List.of(new SortKey(value, false, true)))))
                .extracting(row -> row.get(1))
                .containsExactly(null, "one", "two");
        assertThat(query(new Relation.Sort(input, List.of(new SortKey(value, true, false)))))
                .extracting(row -> row.get(1))
                .containsExactly("two", "one", null);
        assertThat(query(new Relation.Sort(input, List.of(new SortKey(value, true, true)))))
                .extracting(row -> row.get(1))
                .containsExactly(null, "two", "one");
    }

    @Test
    void limitSkipsAndStops() {
        Relation ordered = sorted(Database.scan(right), 0);
        Relation limited = new Relation.Limit(ordered, Plans.parameter(0, BIGINT), Plans.parameter(1, BIGINT));
        StatementPlan plan = Plans.query(limited, BIGINT, BIGINT);
        assertThat(database.query(plan, 1, 2)).extracting(row -> row.get(0)).containsExactly(11L, 12L);
        assertThat(database.query(plan, 4, 10)).extracting(row -> row.get(0)).containsExactly(14L);
        assertThat(database.query(plan, 9, 10)).isEmpty();
        assertThat(database.query(plan, 0, 0)).isEmpty();
        assertThat(database.query(plan, null, null)).hasSize(5);
        assertThatThrownBy(() -> database.query(plan, -1, 1)).isInstanceOf(FulmarException.class);
        Relation unordered = new Relation.Limit(Database.scan(right), null, integer(3));
        assertThat(query(unordered)).hasSize(3);
    }

    @Test
    void unionKeepsEverythingAndStopsAtALimit() {
        Relation one = new Relation.Project(Database.scan(left), List.of(column(0, INTEGER)));
        Relation two = new Relation.Project(Database.scan(right), List.of(column(0, INTEGER)));
        Relation union = new Relation.UnionAll(List.of(one, two));
        assertThat(query(sorted(union, 0)))
                .extracting(row -> row.get(0))
                .containsExactly(1L, 2L, 3L, 10L, 11L, 12L, 13L, 14L);
        assertThat(query(new Relation.Limit(union, null, integer(4)))).hasSize(4);
    }

    @Test
    void whatALargeStatementTookIsGivenBackWhenItEnds() {
        try (Database large = new Database(PartitionPlan.hash(1), 0, 64 << 20)) {
            Table table = large.table("T").column("K", INTEGER).primaryKey(0).create();
            for (int i = 0; i < 40_000; i++) {
                large.insert(table, new Object[] {i});
            }
            StatementPlan sort = Plans.query(
                    new Relation.Sort(Database.scan(table), List.of(new SortKey(column(0, INTEGER), true, false))));
            for (int i = 0; i < 2; i++) {
                assertThat(large.query(sort)).hasSize(40_000).first().isEqualTo(List.of(39_999L));
                assertThat(large.context().retained().allocatedBytes()).isZero();
            }
        }
    }

    @Test
    void intermediateRowsAreLimited() {
        try (Database small = new Database(PartitionPlan.hash(1), 0, 200_000)) {
            Table table = small.table("T")
                    .column("K", INTEGER)
                    .column("V", TEXT)
                    .primaryKey(0)
                    .create();
            for (int i = 0; i < 5000; i++) {
                small.insert(table, new Object[] {i, "some text that takes room"});
            }
            Relation sort =
                    new Relation.Sort(Database.scan(table), List.of(new SortKey(column(1, TEXT), false, false)));
            StatementPlan plan = Plans.query(sort);
            assertThatThrownBy(() -> small.query(plan)).isInstanceOfSatisfying(FulmarException.class, e -> {
                assertThat(e.code()).isEqualTo(ErrorCode.STATEMENT_TOO_COMPLEX);
                assertThat(e).hasMessageContaining("200000");
            });
            assertThat(small.query(Plans.query(new Relation.Limit(sort, null, integer(10)))))
                    .hasSize(10);
            assertThat(small.budgetChecks()).isGreaterThan(4);
            Relation scan = new Relation.Project(
                    Database.scan(table), List.of(call(ScalarFunction.CONCAT, TEXT, column(1, TEXT), column(1, TEXT))));
            assertThat(small.query(Plans.query(scan)))
                    .as("temporaries of a row are given back")
                    .hasSize(5000);
        }
    }

    @Test
    void aBackwardsRangeEndsAtItsBounds() {
        int index = right.indexes().get(1).id();
        Relation.IndexKey key = new Relation.IndexKey(
                index,
                List.of(),
                Optional.of(new Relation.Bound(integer(10), false)),
                Optional.of(new Relation.Bound(integer(13), true)));
        Relation scan = new Relation.IndexScan(right.id(), Database.types(right), key, true, null);
        assertThat(query(scan)).extracting(row -> row.get(0)).containsExactly(13L, 12L, 11L);
    }
}
