package dev.fulmar.sql.planner;

import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.plan.Relation;
import dev.fulmar.engine.plan.Relation.AggregateFunction;
import dev.fulmar.engine.plan.Relation.AggregateFunction.Family;
import dev.fulmar.engine.plan.Relation.Step;
import dev.fulmar.engine.plan.ScalarFunction;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.sql.expression.Conversion;
import dev.fulmar.sql.expression.Expressions;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.logical.LogicalFilter;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.jspecify.annotations.Nullable;

/**
 * Plans aggregation: where the rows are, if no group spans partitions, else partial results on each partition and their
 * sum in the merge. A DISTINCT whose groups span partitions is computed over the rows themselves in the merge.
 */
final class AggregatePlanner {
    private static final Expression ONE = new Expression.Literal(Expressions.BIGINT, 1L);

    /** The bytes that a partition makes of its numbers. */
    private static final ColumnType PARTIAL = new ColumnType(TypeKind.VARBINARY, 128, 0);

    private final RelationPlanner planner;

    AggregatePlanner(RelationPlanner planner) {
        this.planner = planner;
    }

    PlannedRelation plan(Aggregate aggregate) {
        PlannedRelation input = firstRow(aggregate);
        if (input == null) {
            input = planner.plan(aggregate.getInput(), List.of());
        }
        AggregateShape shape = AggregateShape.of(aggregate, input.relation(), planner.converter());
        if (input.distribution().isWhole() || hasPartitionKey(aggregate, input.distribution())) {
            return PlannedRelation.unordered(shape.whole(), groupDistribution(aggregate, input.distribution()));
        }
        if (shape.calls().stream().allMatch(AggregatePlanner::isDivisible)) {
            return inTwoSteps(shape, input.distribution());
        }
        return overRows(shape, input.distribution());
    }

    /** MIN or MAX of a column with an ordered index reads one row; null where that does not apply. */
    private @Nullable PlannedRelation firstRow(Aggregate aggregate) {
        if (!aggregate.getGroupSet().isEmpty() || aggregate.getAggCallList().size() != 1) {
            return null;
        }
        AggregateCall call = aggregate.getAggCallList().getFirst();
        SqlKind kind = call.getAggregation().getKind();
        if ((kind != SqlKind.MIN && kind != SqlKind.MAX) || call.hasFilter()) {
            return null;
        }
        int column = call.getArgList().getFirst();
        boolean descending = kind == SqlKind.MAX;
        RelNode input = descending ? withoutNulls(aggregate.getInput(), column) : aggregate.getInput();
        RelationPlanner.Mark mark = planner.mark();
        PlannedRelation plannedRelation = planner.plan(input, List.of(new OrderKey(column, descending, descending)));
        if (!plannedRelation.ordered()) {
            planner.backTo(mark);
            return null;
        }
        Relation first = new Relation.Limit(plannedRelation.relation(), null, ONE);
        if (plannedRelation.relation() instanceof Relation.Project project) {
            first = new Relation.Project(new Relation.Limit(project.input(), null, ONE), project.expressions());
        }
        return new PlannedRelation(first, plannedRelation.distribution(), true);
    }

    /** Nulls come first backwards, and do not count. */
    private static RelNode withoutNulls(RelNode input, int column) {
        if (!input.getRowType().getFieldList().get(column).getType().isNullable()) {
            return input;
        }
        RexBuilder rexBuilder = input.getCluster().getRexBuilder();
        RexNode reference = rexBuilder.makeInputRef(input, column);
        return LogicalFilter.create(input, rexBuilder.makeCall(SqlStdOperatorTable.IS_NOT_NULL, reference));
    }

    private static boolean hasPartitionKey(Aggregate aggregate, Distribution distribution) {
        return distribution instanceof Distribution.Spread spread
                && spread.columns().stream()
                        .anyMatch(column -> aggregate.getGroupSet().get(column));
    }

    private static Distribution groupDistribution(Aggregate aggregate, Distribution distribution) {
        List<Integer> keys = aggregate.getGroupSet().asList();
        return distribution.withColumns(column -> keys.contains(column) ? List.of(keys.indexOf(column)) : List.of());
    }

    private static boolean isDivisible(Relation.AggregateCall call) {
        boolean isSpreadOfNumerics = call.function().family() == Family.SPREAD
                && call.argument() != null
                && call.argument().type().kind() == TypeKind.NUMERIC;
        return !call.distinct()
                && !isSpreadOfNumerics
                && call.function() != AggregateFunction.SINGLE_VALUE
                && call.function().family() != Family.LIST;
    }

    private PlannedRelation inTwoSteps(AggregateShape shape, Distribution distribution) {
        int keyCount = shape.keys().size();
        List<Relation.AggregateCall> partial = new ArrayList<>();
        List<Relation.AggregateCall> total = new ArrayList<>();
        List<Expression> results = new ArrayList<>();
        for (int i = 0; i < keyCount; i++) {
            results.add(new Expression.ColumnReference(i, shape.keys().get(i).type(), true));
        }
        for (Relation.AggregateCall call : shape.calls()) {
            if (call.function() == AggregateFunction.AVG) {
                Expression sum = step(call, AggregateFunction.SUM, sumType(call), keyCount, partial, total);
                Expression count = step(call, AggregateFunction.COUNT, Expressions.BIGINT, keyCount, partial, total);
                results.add(average(sum, count, call.type()));
            } else if (call.function().family() == Family.SPREAD
                    || call.function().family() == Family.PAIRS) {
                results.add(ofBytes(call, keyCount, partial, total));
            } else {
                results.add(step(call, call.function(), call.type(), keyCount, partial, total));
            }
        }
        Relation local = new Relation.Aggregate(shape.input(), shape.keys(), partial);
        PlannedRelation shipped =
                planner.ship(PlannedRelation.unordered(local, distribution.withColumns(column -> List.of())));
        List<Expression> received = Expressions.references(shipped.relation().columns());
        Relation merged = new Relation.Aggregate(shipped.relation(), received.subList(0, keyCount), total);
        Relation made = Relations.project(merged, results);
        return PlannedRelation.unordered(Relations.project(made, shape.results()), shipped.distribution());
    }

    /** Adds the call on the partitions and the one that sums up; yields the reference to the sum. */
    private static Expression step(
            Relation.AggregateCall call,
            AggregateFunction function,
            ColumnType type,
            int keyCount,
            List<Relation.AggregateCall> partial,
            List<Relation.AggregateCall> total) {
        Relation.AggregateCall local =
                new Relation.AggregateCall(function, call.argument(), false, call.filter(), type);
        int known = partial.indexOf(local);
        if (known >= 0) {
            return new Expression.ColumnReference(keyCount + known, type, true);
        }
        int column = keyCount + partial.size();
        partial.add(local);
        AggregateFunction summing = function == AggregateFunction.COUNT ? AggregateFunction.SUM : function;
        Expression received = new Expression.ColumnReference(column, type, true);
        total.add(new Relation.AggregateCall(summing, received, false, null, type));
        return received;
    }

    /** Adds the call that makes bytes on the partitions, and the one that makes the result of them. */
    private static Expression ofBytes(
            Relation.AggregateCall call,
            int keyCount,
            List<Relation.AggregateCall> partial,
            List<Relation.AggregateCall> total) {
        Expression received = new Expression.ColumnReference(keyCount + partial.size(), PARTIAL, true);
        partial.add(new Relation.AggregateCall(
                call.function(),
                call.argument(),
                false,
                call.filter(),
                PARTIAL,
                new Relation.Further(call.further().arguments(), List.of(), Step.PARTIAL)));
        total.add(new Relation.AggregateCall(
                call.function(),
                received,
                false,
                null,
                call.type(),
                new Relation.Further(List.of(), List.of(), Step.TOTAL)));
        return new Expression.ColumnReference(keyCount + total.size() - 1, call.type(), true);
    }

    private static ColumnType sumType(Relation.AggregateCall average) {
        Expression argument = average.argument();
        if (argument == null || argument.type().kind().isInteger()) {
            return average.type().kind() == TypeKind.NUMERIC
                    ? ColumnType.decimal(ColumnType.MAX_DECIMAL_DIGITS, 0)
                    : Expressions.BIGINT;
        }
        if (argument.type().kind() == TypeKind.NUMERIC) {
            return argument.type();
        }
        if (argument.type().kind() == TypeKind.INTERVAL) {
            return ColumnType.of(TypeKind.INTERVAL);
        }
        return argument.type().kind() == TypeKind.DECIMAL
                ? ColumnType.decimal(
                        ColumnType.MAX_DECIMAL_DIGITS, argument.type().scale())
                : ColumnType.of(TypeKind.DOUBLE);
    }

    private static Expression average(Expression sum, Expression count, ColumnType type) {
        if (type.kind() == TypeKind.DECIMAL) {
            ColumnType whole = ColumnType.decimal(ColumnType.MAX_DECIMAL_DIGITS, 0);
            return new Expression.Call(ScalarFunction.DIVIDE, List.of(sum, Conversion.cast(count, whole)), type, true);
        }
        if (type.kind() == TypeKind.NUMERIC) {
            return new Expression.Call(ScalarFunction.DIVIDE, List.of(sum, count), type, true);
        }
        if (type.kind() == TypeKind.INTERVAL) {
            Expression divisor = Conversion.cast(count, ColumnType.of(TypeKind.DOUBLE));
            return new Expression.Call(ScalarFunction.INTERVAL_DIVIDE, List.of(sum, divisor), type, true);
        }
        return new Expression.Call(
                ScalarFunction.DIVIDE, List.of(Conversion.cast(sum, type), Conversion.cast(count, type)), type, true);
    }

    /** Brings together what the aggregation reads, without what it need not read twice. */
    private PlannedRelation overRows(AggregateShape shape, Distribution distribution) {
        List<Expression> read = shape.read();
        boolean repeatsMatter = shape.calls().stream()
                .anyMatch(call -> !call.distinct()
                        && call.function() != AggregateFunction.MIN
                        && call.function() != AggregateFunction.MAX);
        Relation local = repeatsMatter
                ? Relations.project(shape.input(), read)
                : new Relation.Aggregate(shape.input(), read, List.of());
        PlannedRelation shipped =
                planner.ship(PlannedRelation.unordered(local, distribution.withColumns(column -> List.of())));
        return PlannedRelation.unordered(shape.over(shipped.relation(), read).whole(), shipped.distribution());
    }
}
