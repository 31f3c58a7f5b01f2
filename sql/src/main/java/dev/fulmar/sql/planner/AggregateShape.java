package dev.fulmar.sql.planner;

import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.plan.Relation;
import dev.fulmar.engine.plan.ScalarFunction;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.sql.calcite.DialectAggregate;
import dev.fulmar.sql.calcite.TypeMapping;
import dev.fulmar.sql.expression.Conversion;
import dev.fulmar.sql.expression.ExpressionConverter;
import dev.fulmar.sql.expression.Expressions;
import dev.fulmar.sql.text.SqlErrors;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.AggregateCall;

/**
 * The shape of an aggregation over an input: keys, calls, and results made from keys and calls.
 *
 * @param results over the row of keys and calls
 */
record AggregateShape(
        Relation input, List<Expression> keys, List<Relation.AggregateCall> calls, List<Expression> results) {
    AggregateShape {
        keys = List.copyOf(keys);
        calls = List.copyOf(calls);
        results = List.copyOf(results);
    }

    private static final Relation.AggregateCall COUNT_OF_ROWS =
            new Relation.AggregateCall(Relation.AggregateFunction.COUNT, null, false, null, Expressions.BIGINT);

    /** Calcite's aggregation over the planned input; a projection below is merged into it. */
    static AggregateShape of(Aggregate aggregate, Relation input, ExpressionConverter converter) {
        List<Expression> columns = Expressions.references(input.columns());
        List<Expression> keys = new ArrayList<>();
        aggregate.getGroupSet().forEach(column -> keys.add(columns.get(column)));
        List<Relation.AggregateCall> calls = new ArrayList<>();
        List<Expression> results = new ArrayList<>();
        for (int i = 0; i < keys.size(); i++) {
            results.add(new Expression.ColumnReference(i, keys.get(i).type(), true));
        }
        for (AggregateCall call : aggregate.getAggCallList()) {
            Relation.AggregateCall converted = call.getAggregation() instanceof DialectAggregate dialect
                    ? DialectAggregates.of(
                            dialect,
                            call.getArgList().stream().map(columns::get).toList(),
                            TypeMapping.columnType(call.getType()),
                            call.isDistinct(),
                            call.hasFilter() ? columns.get(call.filterArg) : null)
                    : call(call, columns, converter);
            calls.add(converted);
            Expression result = new Expression.ColumnReference(keys.size() + calls.size() - 1, converted.type(), true);
            if (isOfNothing(converted)) {
                calls.set(calls.size() - 1, COUNT_OF_ROWS);
                results.add(new Expression.Literal(converted.type(), null));
                continue;
            }
            results.add(isSumOrZero(call) ? orZero(result) : result);
        }
        AggregateShape shape = new AggregateShape(input, keys, calls, results);
        return input instanceof Relation.Project project ? shape.through(project) : shape;
    }

    /** Numbers are wanted, and the argument is a NULL literal, whose type says nothing about them. */
    private static boolean isOfNothing(Relation.AggregateCall call) {
        Expression argument = call.argument();
        return argument != null
                && argument.type().kind() == TypeKind.BOOLEAN
                && switch (call.function().family()) {
                    case BITS, SPREAD -> true;
                    case PAIRS, LIST -> false;
                    case PLAIN ->
                        call.function() == Relation.AggregateFunction.SUM
                                || call.function() == Relation.AggregateFunction.AVG;
                };
    }

    private static boolean isSumOrZero(AggregateCall call) {
        return switch (call.getAggregation().getKind()) {
            case SUM0 -> true;
            default -> false;
        };
    }

    private static Expression orZero(Expression sum) {
        Expression zero = Conversion.cast(new Expression.Literal(Expressions.BIGINT, 0L), sum.type());
        return new Expression.Call(ScalarFunction.COALESCE, List.of(sum, zero), sum.type(), false);
    }

    private static Relation.AggregateCall call(
            AggregateCall call, List<Expression> columns, ExpressionConverter converter) {
        Relation.AggregateFunction function = switch (call.getAggregation().getKind()) {
            case COUNT -> Relation.AggregateFunction.COUNT;
            case SUM, SUM0 -> Relation.AggregateFunction.SUM;
            case MIN, ANY_VALUE, LITERAL_AGG -> Relation.AggregateFunction.MIN;
            case MAX -> Relation.AggregateFunction.MAX;
            case AVG -> Relation.AggregateFunction.AVG;
            case SINGLE_VALUE -> Relation.AggregateFunction.SINGLE_VALUE;
            default ->
                throw SqlErrors.notSupported("the aggregate "
                        + call.getAggregation().getName()
                        + " is not supported; docs/SQL.md lists those that are");
        };
        if (call.getArgList().size() > 1) {
            throw SqlErrors.notSupported("an aggregate of several columns is not supported; concatenate them");
        }
        Expression argument = null;
        if (!call.getArgList().isEmpty()) {
            argument = columns.get(call.getArgList().getFirst());
        } else if (!call.rexList.isEmpty()) {
            argument = converter.convert(call.rexList.getFirst());
        }
        boolean distinct = call.isDistinct()
                && function != Relation.AggregateFunction.MIN
                && function != Relation.AggregateFunction.MAX;
        ColumnType type = TypeMapping.columnType(call.getType());
        if (argument != null && isExtreme(function)) {
            type = argument.type();
        }
        return new Relation.AggregateCall(
                function, argument, distinct, call.hasFilter() ? columns.get(call.filterArg) : null, type);
    }

    private static boolean isExtreme(Relation.AggregateFunction function) {
        return function == Relation.AggregateFunction.MIN || function == Relation.AggregateFunction.MAX;
    }

    private AggregateShape through(Relation.Project project) {
        List<Relation.AggregateCall> merged = calls.stream()
                .map(call -> call.mapped(each -> through(each, project)))
                .toList();
        return new AggregateShape(project.input(), Relations.through(keys, project), merged, results);
    }

    private static Expression through(Expression expression, Relation.Project project) {
        return Relations.through(List.of(expression), project).getFirst();
    }

    /** The aggregation in one piece. */
    Relation whole() {
        return Relations.project(new Relation.Aggregate(input, keys, calls), results);
    }

    /** The expressions that the aggregation reads, each once; constants only if it reads nothing else. */
    List<Expression> read() {
        List<Expression> all = new ArrayList<>(keys);
        calls.forEach(call -> all.addAll(call.read()));
        List<Expression> read = all.stream()
                .distinct()
                .filter(each -> keys.contains(each) || !isConstant(each))
                .toList();
        return read.isEmpty() ? all.stream().distinct().toList() : read;
    }

    private static boolean isConstant(Expression expression) {
        return switch (expression) {
            case Expression.Literal ignored -> true;
            case Expression.Parameter ignored -> true;
            case Expression.Call call
            when call.function() == ScalarFunction.CAST ->
                call.arguments().stream().allMatch(AggregateShape::isConstant);
            default -> false;
        };
    }

    /** The same aggregation over a relation whose columns are what {@link #read} names. */
    AggregateShape over(Relation other, List<Expression> read) {
        List<ColumnType> types = other.columns();
        UnaryOperator<Expression> place = expression -> {
            int column = read.indexOf(expression);
            return column < 0 ? expression : new Expression.ColumnReference(column, types.get(column), true);
        };
        List<Relation.AggregateCall> moved =
                calls.stream().map(call -> call.mapped(place)).toList();
        return new AggregateShape(other, keys.stream().map(place).toList(), moved, results);
    }
}
