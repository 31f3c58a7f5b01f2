package dev.fulmar.engine.execution.operator;

import dev.fulmar.engine.execution.expression.Evaluator;
import dev.fulmar.engine.execution.expression.ExpressionCompiler;
import dev.fulmar.engine.execution.expression.LongEvaluator;
import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.plan.Relation;
import dev.fulmar.engine.plan.Relation.Window;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Turns windows into producers. */
final class WindowCompiler {
    private WindowCompiler() {}

    static Producer compile(RelationCompiler relations, Window window, Function<List<Evaluator>, Consumer> next) {
        int rowSource = relations.newSource();
        int stateSource = relations.newSource();
        WindowProducer.Sources sources = new WindowProducer.Sources(rowSource, stateSource);
        TupleLayout layout = new TupleLayout(window.input().columns());
        List<Evaluator> kept = layout.columns(rowSource);
        ExpressionCompiler expressions = relations.expressions(kept);
        List<WindowProducer.Call> calls = new ArrayList<>();
        List<Evaluator> results = new ArrayList<>(kept);
        for (Relation.WindowCall call : window.calls()) {
            WindowProducer.Call made = call(relations, call, expressions);
            results.add(made.result(sources, WindowProducer.stateOffset(calls.size())));
            calls.add(made);
        }
        WindowProducer producer = new WindowProducer(
                relations.context(),
                equality(window.partitions(), expressions),
                equality(window.order().stream().map(Relation.SortKey::value).toList(), expressions),
                calls,
                sources,
                next.apply(results));
        producer.setInput(relations.compile(window.input(), columns -> {
            TupleWriter writer = new TupleWriter(layout, columns);
            return frame ->
                    producer.collect(writer.write(frame, relations.context().retained()));
        }));
        return producer;
    }

    private static KeyEncoder equality(List<Expression> keys, ExpressionCompiler expressions) {
        return KeyEncoder.ofEquality(
                keys.stream().map(expressions::compile).toList(),
                keys.stream().map(Expression::type).toList());
    }

    private static WindowProducer.Call call(
            RelationCompiler relations, Relation.WindowCall call, ExpressionCompiler expressions) {
        return switch (call) {
            case Relation.WindowRank rank -> new WindowProducer.Rank(rank);
            case Relation.WindowValue value -> value(value, expressions);
            case Relation.WindowAggregate(Relation.AggregateCall aggregate, Relation.WindowFrame frame) -> {
                Accumulator accumulator = AccumulatorCompiler.of(aggregate, expressions, relations.context());
                yield new WindowProducer.Aggregate(
                        accumulator,
                        condition(aggregate.filter(), expressions),
                        frame,
                        RangeLimits.of(frame, expressions));
            }
        };
    }

    private static WindowProducer.Call value(Relation.WindowValue call, ExpressionCompiler expressions) {
        Expression otherwise = call.otherwise();
        Expression given = otherwise == null ? new Expression.Literal(call.type(), null) : otherwise;
        return new WindowProducer.Value(
                call,
                expressions.as(call.value(), call.type()),
                expressions.as(given, call.type()),
                RangeLimits.of(call.frame(), expressions));
    }

    private static @Nullable LongEvaluator condition(@Nullable Expression filter, ExpressionCompiler expressions) {
        return filter == null ? null : expressions.condition(filter);
    }
}
