package dev.fulmar.sql.planner;

import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.plan.Relation;
import dev.fulmar.engine.plan.Relation.Step;
import dev.fulmar.engine.userfunction.Folding;
import dev.fulmar.engine.userfunction.UserAggregate;
import dev.fulmar.engine.userfunction.UserFunction;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.sql.calcite.DialectAggregate;
import dev.fulmar.sql.expression.Conversion;
import dev.fulmar.sql.expression.UserCalls;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Turns calls of {@link DialectAggregate}s into those of plans. */
final class DialectAggregates {
    private static final ColumnType DOUBLE = ColumnType.of(TypeKind.DOUBLE);

    private DialectAggregates() {}

    /**
     * The call in a plan.
     *
     * @param operands arguments, and behind them what the values are ordered by
     */
    static Relation.AggregateCall of(
            DialectAggregate aggregate,
            List<Expression> operands,
            ColumnType type,
            boolean distinct,
            @Nullable Expression filter) {
        Expression first = operands.getFirst();
        checkIntervals(aggregate, operands);
        return switch (aggregate.function()) {
            case USER_DEFINED -> ofUsers(aggregate, operands, distinct, filter);
            case STRING_AGG ->
                call(
                        aggregate,
                        first,
                        operands.subList(1, 2),
                        operands.subList(2, operands.size()),
                        distinct,
                        filter,
                        type);
            case MODE -> call(aggregate, first, List.of(), operands, false, filter, first.type());
            case PERCENTILE_DISC ->
                call(
                        aggregate,
                        operands.get(1),
                        List.of(Conversion.cast(first, DOUBLE)),
                        operands.subList(1, 2),
                        false,
                        filter,
                        operands.get(1).type());
            case PERCENTILE_CONT -> {
                Expression value = Conversion.cast(operands.get(1), DOUBLE);
                yield call(
                        aggregate, value, List.of(Conversion.cast(first, DOUBLE)), List.of(value), false, filter, type);
            }
            case BIT_AND, BIT_OR, BIT_XOR ->
                call(aggregate, first, List.of(), List.of(), distinct, filter, first.type());
            case VAR_POP, VAR_SAMP, STDDEV_POP, STDDEV_SAMP, SUM, AVG ->
                call(aggregate, first, List.of(), List.of(), distinct, filter, type);
            default ->
                call(
                        aggregate,
                        Conversion.cast(first, DOUBLE),
                        List.of(Conversion.cast(operands.get(1), DOUBLE)),
                        List.of(),
                        distinct,
                        filter,
                        type);
        };
    }

    /** The step and the last function become expressions over the state and the arguments. */
    private static Relation.AggregateCall ofUsers(
            DialectAggregate aggregate, List<Expression> operands, boolean distinct, @Nullable Expression filter) {
        UserAggregate user = aggregate.user();
        if (user == null) {
            throw Invariants.breach(aggregate.getName() + " is an aggregate of users");
        }
        UserFunction definition = user.definition();
        ColumnType state = user.body().state();
        Expression stateBefore = new Expression.ColumnReference(0, state, true);
        List<Expression> given = new ArrayList<>();
        List<Expression> taken = new ArrayList<>(List.of(stateBefore));
        for (UserFunction.Parameter parameter : definition.parameters()) {
            given.add(Conversion.cast(operands.get(given.size()), parameter.type()));
            taken.add(new Expression.ColumnReference(taken.size(), parameter.type(), true));
        }
        Expression initial = user.body()
                .initial()
                .<Expression>map(UserFunction.Initial::value)
                .orElse(new Expression.Literal(state, null));
        Expression last = user.last()
                .map(function -> UserCalls.of(function, List.of(stateBefore)))
                .orElse(stateBefore);
        Folding folding = new Folding(user, initial, UserCalls.of(user.step(), taken), last);
        List<Expression> further = new ArrayList<>(List.of(new Expression.Literal(definition.result(), folding)));
        further.addAll(given.subList(1, given.size()));
        return call(
                aggregate,
                given.getFirst(),
                further,
                operands.subList(given.size(), operands.size()),
                distinct,
                filter,
                definition.result());
    }

    /** To Calcite intervals are texts; the aggregates of texts and numbers take none. */
    private static void checkIntervals(DialectAggregate aggregate, List<Expression> operands) {
        boolean takesIntervals = switch (aggregate.function()) {
            case SUM, AVG, MODE, PERCENTILE_DISC, USER_DEFINED -> true;
            default -> false;
        };
        boolean hasOne = operands.stream()
                .limit(DialectAggregate.arguments(aggregate.function()))
                .anyMatch(operand -> operand.type().kind() == TypeKind.INTERVAL);
        if (hasOne && !takesIntervals) {
            throw new FulmarException(
                    ErrorCode.UNDEFINED_OPERATION,
                    aggregate.function() + " does not take intervals; CAST yields their text");
        }
    }

    private static Relation.AggregateCall call(
            DialectAggregate aggregate,
            Expression argument,
            List<Expression> arguments,
            List<Expression> keys,
            boolean distinct,
            @Nullable Expression filter,
            ColumnType type) {
        List<Relation.SortKey> order = new ArrayList<>();
        for (int i = 0; i < keys.size(); i++) {
            DialectAggregate.Direction direction = aggregate.order().get(i);
            order.add(new Relation.SortKey(keys.get(i), direction.descending(), direction.nullsFirst()));
        }
        return new Relation.AggregateCall(
                aggregate.function(),
                argument,
                distinct,
                filter,
                type,
                new Relation.Further(arguments, order, Step.WHOLE));
    }
}
