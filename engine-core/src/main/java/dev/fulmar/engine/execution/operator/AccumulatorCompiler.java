package dev.fulmar.engine.execution.operator;

import dev.fulmar.engine.execution.expression.Evaluator;
import dev.fulmar.engine.execution.expression.ExpressionCompiler;
import dev.fulmar.engine.execution.value.ScratchMemory;
import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.plan.Relation.AggregateCall;
import dev.fulmar.engine.plan.Relation.AggregateFunction;
import dev.fulmar.engine.plan.Relation.SortKey;
import dev.fulmar.engine.userfunction.Folding;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.TypeKind;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Turns calls of aggregates into accumulators. */
final class AccumulatorCompiler {
    private static final ColumnType BIGINT = ColumnType.of(TypeKind.BIGINT);

    private AccumulatorCompiler() {}

    static Accumulator of(AggregateCall call, ExpressionCompiler expressions, OperatorContext context) {
        ScratchMemory memory = context.retained();
        Expression argument = call.argument();
        Evaluator value = argument == null ? null : expressions.compile(argument);
        ColumnType argumentType = argument == null ? BIGINT : argument.type();
        return switch (call.function().family()) {
            case PLAIN -> Accumulators.of(call.function(), value, argumentType, call.type(), memory);
            case BITS -> BitAccumulator.of(call.function(), present(call, value), argumentType);
            case SPREAD ->
                SpreadAccumulators.of(
                        call.function(),
                        call.further().step(),
                        present(call, value),
                        argumentType,
                        call.type(),
                        memory);
            case PAIRS ->
                PairAccumulators.of(
                        call.function(), call.further().step(), present(call, value), other(call, expressions), memory);
            case LIST -> list(call, present(call, value), expressions, context);
        };
    }

    private static Evaluator present(AggregateCall call, @Nullable Evaluator value) {
        if (value == null) {
            throw Invariants.breach(call.function() + " has an argument");
        }
        return value;
    }

    private static @Nullable Evaluator other(AggregateCall call, ExpressionCompiler expressions) {
        List<Expression> arguments = call.further().arguments();
        return arguments.isEmpty() ? null : expressions.compile(arguments.getFirst());
    }

    /** Rows that the order leaves open are ordered by value and separator, so that equal keys are equal entries. */
    private static Accumulator list(
            AggregateCall call, Evaluator value, ExpressionCompiler expressions, OperatorContext context) {
        List<KeyEncoder.Part> parts = new ArrayList<>();
        for (SortKey key : call.further().order()) {
            parts.add(KeyEncoder.sortPart(
                    expressions.compile(key.value()), key.value().type(), key.descending(), key.nullsFirst()));
        }
        Expression argument = call.argument();
        if (argument != null && call.further().order().stream().noneMatch(key -> argument.equals(key.value()))) {
            parts.add(KeyEncoder.sortPart(value, argument.type(), false, false));
        }
        for (Expression beside : call.further().arguments()) {
            if (!(beside instanceof Expression.Literal)) {
                parts.add(KeyEncoder.sortPart(expressions.compile(beside), beside.type(), false, false));
            }
        }
        return call.function() == AggregateFunction.USER_DEFINED
                ? fold(call, new KeyEncoder(parts), value, expressions, context)
                : new ListAccumulator(
                        call.function(),
                        new KeyEncoder(parts),
                        value,
                        other(call, expressions),
                        call.type(),
                        context.retained());
    }

    /** The functions of the aggregate stand before its further arguments, as a literal. */
    private static Accumulator fold(
            AggregateCall call,
            KeyEncoder key,
            Evaluator value,
            ExpressionCompiler expressions,
            OperatorContext context) {
        List<Expression> further = call.further().arguments();
        if (!(further.getFirst() instanceof Expression.Literal(ColumnType _, Folding folding))) {
            throw Invariants.breach("an aggregate of users is known when a statement is planned");
        }
        List<Evaluator> values = new ArrayList<>(List.of(value));
        further.stream().skip(1).map(expressions::compile).forEach(values::add);
        return new FoldAccumulator(folding, key, values, context);
    }

    /** The key that tells the rows of an aggregate with DISTINCT apart; null for any other. */
    static @Nullable KeyEncoder distinct(AggregateCall call, ExpressionCompiler expressions) {
        Expression argument = call.argument();
        if (!call.distinct() || argument == null) {
            return null;
        }
        List<Expression> values = new ArrayList<>(List.of(argument));
        for (Expression beside : call.further().arguments()) {
            if (!(beside instanceof Expression.Literal)) {
                values.add(beside);
            }
        }
        return KeyEncoder.ofEquality(
                values.stream().map(expressions::compile).toList(),
                values.stream().map(Expression::type).toList());
    }
}
