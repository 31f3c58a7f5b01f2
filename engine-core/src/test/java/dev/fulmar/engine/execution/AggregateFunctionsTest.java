package dev.fulmar.engine.execution;

import static dev.fulmar.engine.execution.Plans.BIGINT;
import static dev.fulmar.engine.execution.Plans.DOUBLE;
import static dev.fulmar.engine.execution.Plans.INTEGER;
import static dev.fulmar.engine.execution.Plans.TEXT;
import static dev.fulmar.engine.execution.Plans.column;
import static dev.fulmar.engine.execution.Plans.literal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.plan.Relation;
import dev.fulmar.engine.plan.Relation.Aggregate;
import dev.fulmar.engine.plan.Relation.AggregateCall;
import dev.fulmar.engine.plan.Relation.AggregateFunction;
import dev.fulmar.engine.plan.Relation.AggregateFunction.Family;
import dev.fulmar.engine.plan.Relation.Further;
import dev.fulmar.engine.plan.Relation.SortKey;
import dev.fulmar.engine.plan.Relation.Step;
import dev.fulmar.engine.plan.ScalarFunction;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.assertj.core.data.Percentage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AggregateFunctionsTest {
    private static final ColumnType WIDE = ColumnType.decimal(38, 10);
    private static final ColumnType RESULT = ColumnType.decimal(38, 16);
    private static final ColumnType BYTES = new ColumnType(TypeKind.VARBINARY, 128, 0);

    private final Database database = new Database();
    private final Random random = new Random(7);

    @AfterEach
    void close() {
        database.close();
    }

    private List<@Nullable Object> only(Relation relation) {
        return database.query(Plans.query(relation)).getFirst();
    }

    private @Nullable Object value(Relation input, AggregateCall call) {
        return only(new Aggregate(input, List.of(), List.of(call))).getFirst();
    }

    private static AggregateCall call(AggregateFunction function, Expression argument, ColumnType type) {
        return new AggregateCall(function, argument, false, null, type);
    }

    private static AggregateCall further(
            AggregateFunction function, Expression argument, ColumnType type, Further further) {
        return new AggregateCall(function, argument, false, null, type, further);
    }

    private static Relation rows(ColumnType type, List<? extends @Nullable Object> values) {
        List<List<Expression>> rows = new ArrayList<>();
        values.forEach(value -> rows.add(List.of(literal(type, value))));
        return Plans.values(List.of(type), rows);
    }

    private static Relation none(ColumnType type) {
        return new Relation.Filter(rows(type, Collections.singletonList(null)), literal(Plans.BOOLEAN, false));
    }

    @Test
    void bitsOfNegativeNumbersHaveTheirSign() {
        Relation input = rows(INTEGER, Arrays.asList(12L, -4L, null, 7L));
        assertThat(value(input, call(AggregateFunction.BIT_AND, column(0, INTEGER), INTEGER)))
                .isEqualTo(4L);
        assertThat(value(input, call(AggregateFunction.BIT_OR, column(0, INTEGER), INTEGER)))
                .isEqualTo(-1L);
        assertThat(value(input, call(AggregateFunction.BIT_XOR, column(0, INTEGER), INTEGER)))
                .isEqualTo((long) (12 ^ -4 ^ 7));
    }

    /** Numbers of 38 digits, whose squares have 253 bits, and all signs. */
    @Test
    void variancesOfWideNumbersAreExact() {
        for (int round = 0; round < 50; round++) {
            List<BigDecimal> numbers = new ArrayList<>();
            BigDecimal base =
                    round % 2 == 0 ? new BigDecimal("9999999999999999999000000000.0000000000") : BigDecimal.ZERO;
            for (int i = random.nextInt(1, 6); i > 0; i--) {
                numbers.add(base.subtract(BigDecimal.valueOf(random.nextLong(200_000_000_000L) - 100_000_000_000L, 3))
                        .setScale(10, RoundingMode.UNNECESSARY));
            }
            if (round % 3 == 0) {
                numbers.replaceAll(BigDecimal::negate);
            }
            BigDecimal expected = variance(numbers);
            AggregateCall whole = call(AggregateFunction.VAR_POP, column(0, WIDE), RESULT);
            assertThat(value(rows(WIDE, numbers), whole)).as("%s", numbers).isEqualTo(expected);
            assertThat(value(total(whole, numbers, WIDE), total(whole))).isEqualTo(expected);
        }
    }

    private static BigDecimal variance(List<BigDecimal> numbers) {
        MathContext context = new MathContext(120);
        BigDecimal count = BigDecimal.valueOf(numbers.size());
        BigDecimal mean =
                numbers.stream().reduce(BigDecimal.ZERO, BigDecimal::add).divide(count, context);
        return numbers.stream()
                .map(each -> each.subtract(mean).pow(2))
                .reduce(BigDecimal.ZERO, BigDecimal::add)
                .divide(count, context)
                .setScale(16, RoundingMode.HALF_UP);
    }

    /** Bytes of three parts, one of which has no rows. */
    private static Relation total(AggregateCall call, List<? extends Object> values, ColumnType type) {
        int middle = values.size() / 2;
        return new Relation.UnionAll(List.of(
                part(call, values.subList(0, middle).isEmpty() ? none(type) : rows(type, values.subList(0, middle))),
                part(call, none(type)),
                part(call, rows(type, values.subList(middle, values.size())))));
    }

    private static Relation part(AggregateCall call, Relation input) {
        Further partial = new Further(call.further().arguments(), List.of(), Step.PARTIAL);
        return new Aggregate(
                input,
                List.of(),
                List.of(new AggregateCall(call.function(), call.argument(), false, null, BYTES, partial)));
    }

    private static AggregateCall total(AggregateCall call) {
        return further(call.function(), column(0, BYTES), call.type(), new Further(List.of(), List.of(), Step.TOTAL));
    }

    @Test
    void aSampleOfOneHasNoVariance() {
        Relation one = rows(BIGINT, List.of(5L));
        assertThat(value(one, call(AggregateFunction.STDDEV_SAMP, column(0, BIGINT), RESULT)))
                .isNull();
        assertThat(value(one, call(AggregateFunction.STDDEV_POP, column(0, BIGINT), RESULT)))
                .isEqualTo(new BigDecimal("0.0000000000000000"));
        assertThat(value(none(BIGINT), call(AggregateFunction.VAR_POP, column(0, BIGINT), RESULT)))
                .isNull();
        Relation extremes = rows(BIGINT, List.of(Long.MAX_VALUE, Long.MIN_VALUE));
        assertThatThrownBy(() -> value(extremes, call(AggregateFunction.VAR_POP, column(0, BIGINT), RESULT)))
                .isInstanceOfSatisfying(
                        FulmarException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.VALUE_OUT_OF_RANGE));
    }

    @Test
    void functionsOfPairsAreTheSameOfPartsAndOfAll() {
        List<Double> numbers = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            numbers.add(1e6 + random.nextInt(100));
        }
        Expression y = column(0, DOUBLE);
        Expression x = new Expression.Call(ScalarFunction.TIMES, List.of(y, y), DOUBLE, true);
        for (AggregateFunction function : AggregateFunction.values()) {
            if (function.family() == Family.PAIRS || function.family() == Family.SPREAD) {
                List<Expression> other = function.family() == Family.PAIRS ? List.of(x) : List.of();
                AggregateCall whole = further(function, y, DOUBLE, new Further(other, List.of(), Step.WHOLE));
                Double all = (Double) value(rows(DOUBLE, numbers), whole);
                Double ofParts = (Double) value(total(whole, numbers, DOUBLE), total(whole));
                assertThat(ofParts).as("%s", function).isCloseTo(all, Percentage.withPercentage(1e-4));
            }
        }
    }

    /** Invariant of lists: the order in which rows come has no influence. */
    @Test
    void listsDoNotDependOnTheOrderOfRows() {
        List<List<Expression>> rows = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            rows.add(List.of(
                    random.nextInt(8) == 0 ? literal(TEXT, null) : literal(TEXT, "t" + random.nextInt(9)),
                    literal(TEXT, "," + random.nextInt(3)),
                    literal(INTEGER, (long) random.nextInt(4))));
        }
        List<SortKey> order = List.of(new SortKey(column(2, INTEGER), true, true));
        List<AggregateCall> calls = List.of(
                further(
                        AggregateFunction.STRING_AGG,
                        column(0, TEXT),
                        TEXT,
                        new Further(List.of(column(1, TEXT)), order, Step.WHOLE)),
                new AggregateCall(
                        AggregateFunction.STRING_AGG,
                        column(0, TEXT),
                        true,
                        null,
                        TEXT,
                        new Further(List.of(literal(TEXT, "-")), List.of(), Step.WHOLE)),
                further(
                        AggregateFunction.MODE,
                        column(0, TEXT),
                        TEXT,
                        new Further(List.of(), List.of(new SortKey(column(0, TEXT), false, false)), Step.WHOLE)));
        List<@Nullable Object> expected = null;
        for (int i = 0; i < 20; i++) {
            Collections.shuffle(rows, random);
            Relation input = Plans.values(List.of(TEXT, TEXT, INTEGER), rows);
            List<@Nullable Object> found = only(new Aggregate(input, List.of(), calls));
            if (expected != null) {
                assertThat(found).isEqualTo(expected);
            }
            expected = found;
        }
        assertThat(expected).isNotNull();
        assertThat((String) expected.get(1)).isEqualTo("t0-t1-t2-t3-t4-t5-t6-t7-t8");
    }

    /** A NULL literal has a type that is no text. */
    @Test
    void aNullSeparatorOfAnyTypeIsNone() {
        Further further = new Further(List.of(literal(Plans.BOOLEAN, null)), List.of(), Step.WHOLE);
        AggregateCall joined = further(AggregateFunction.STRING_AGG, column(0, TEXT), TEXT, further);
        AggregateCall other = further(
                AggregateFunction.STRING_AGG,
                column(0, TEXT),
                TEXT,
                new Further(List.of(literal(TEXT, "-")), List.of(), Step.WHOLE));
        Relation input = rows(TEXT, List.of("one, two, three", "four, five, six", "seven, eight, nine"));
        assertThat(only(new Aggregate(input, List.of(), List.of(joined, other))))
                .isEqualTo(List.of(
                        "four, five, sixone, two, threeseven, eight, nine",
                        "four, five, six-one, two, three-seven, eight, nine"));
    }

    private @Nullable Object percentile(AggregateFunction function, @Nullable Double fraction) {
        Relation input = rows(DOUBLE, Arrays.asList(30.0, null, 10.0, 20.0, 40.0));
        Expression value = column(0, DOUBLE);
        Further further =
                new Further(List.of(literal(DOUBLE, fraction)), List.of(new SortKey(value, false, false)), Step.WHOLE);
        return value(input, further(function, value, DOUBLE, further));
    }

    @Test
    void percentilesAreBetweenOrAmongTheValues() {
        assertThat(percentile(AggregateFunction.PERCENTILE_CONT, 0.5)).isEqualTo(25.0);
        assertThat(percentile(AggregateFunction.PERCENTILE_DISC, 0.5)).isEqualTo(20.0);
        assertThat(percentile(AggregateFunction.PERCENTILE_CONT, 1.0)).isEqualTo(40.0);
        assertThat(percentile(AggregateFunction.PERCENTILE_DISC, 0.0)).isEqualTo(10.0);
        assertThat(percentile(AggregateFunction.PERCENTILE_CONT, null)).isNull();
        assertThatThrownBy(() -> percentile(AggregateFunction.PERCENTILE_CONT, 1.01))
                .isInstanceOfSatisfying(
                        FulmarException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.VALUE_OUT_OF_RANGE));
    }

    @Test
    void aTextThatGrowsBeyondTheLimitIsAnError() {
        List<String> texts = Collections.nCopies(11, "x".repeat(100_000));
        AggregateCall call = further(
                AggregateFunction.STRING_AGG,
                column(0, TEXT),
                TEXT,
                new Further(List.of(literal(TEXT, "")), List.of(), Step.WHOLE));
        assertThat((String) value(rows(TEXT, texts.subList(0, 10)), call)).hasSize(1_000_000);
        assertThatThrownBy(() -> value(rows(TEXT, texts), call))
                .isInstanceOfSatisfying(
                        FulmarException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.STRING_TOO_LONG));
    }

    /** All values of a group are kept, so they count as other intermediate results do. */
    @Test
    void keptValuesAreLimited() {
        try (Database small = new Database(PartitionPlan.hash(1), 0, 1 << 20)) {
            List<List<Expression>> texts = new ArrayList<>();
            for (int i = 0; i < 30; i++) {
                texts.add(List.of(literal(TEXT, "y".repeat(30_000) + i)));
            }
            SortKey order = new SortKey(column(0, TEXT), false, false);
            AggregateCall mode = further(
                    AggregateFunction.MODE, column(0, TEXT), TEXT, new Further(List.of(), List.of(order), Step.WHOLE));
            Relation few = Plans.values(List.of(TEXT), texts.subList(0, 5));
            Relation many = Plans.values(List.of(TEXT), texts);
            assertThat(small.query(Plans.query(new Aggregate(few, List.of(), List.of(mode)))))
                    .hasSize(1);
            assertThatThrownBy(() -> small.query(Plans.query(new Aggregate(many, List.of(), List.of(mode)))))
                    .isInstanceOfSatisfying(
                            FulmarException.class,
                            e -> assertThat(e.code()).isEqualTo(ErrorCode.STATEMENT_TOO_COMPLEX));
        }
    }

    /** A running value is copied into each row; the copies stay as they were. */
    @Test
    void windowsKeepTheValueOfEachRow() {
        Relation input = rows(BIGINT, List.of(1L, 3L, 8L));
        Relation.WindowFrame frame = new Relation.WindowFrame(
                false, new Relation.FrameEnd(true, 0), new Relation.FrameEnd(false, 0), Relation.Exclusion.NONE);
        Relation window = new Relation.Window(
                input,
                List.of(),
                List.of(),
                List.of(
                        new Relation.WindowAggregate(call(AggregateFunction.VAR_POP, column(0, BIGINT), RESULT), frame),
                        new Relation.WindowAggregate(
                                call(AggregateFunction.BIT_OR, column(0, BIGINT), BIGINT), frame)));
        assertThat(database.query(Plans.query(window)))
                .isEqualTo(List.of(
                        Arrays.asList(1L, new BigDecimal("0.0000000000000000"), 1L),
                        Arrays.asList(3L, new BigDecimal("1.0000000000000000"), 3L),
                        Arrays.asList(8L, new BigDecimal("8.6666666666666667"), 11L)));
    }
}
