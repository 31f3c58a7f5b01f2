package dev.fulmar.engine.execution.expression;

import java.util.function.Predicate;

/** Puts a test for null before an evaluator. */
public final class Nulls {
    private Nulls() {}

    /** The value, or null where the test holds. */
    public static Evaluator unless(Evaluator value, Predicate<Frame> isNull) {
        return switch (value) {
            case LongEvaluator evaluator ->
                (LongEvaluator) frame -> {
                    if (isNull.test(frame)) {
                        frame.isNull = true;
                        return 0;
                    }
                    return evaluator.evaluate(frame);
                };
            case DoubleEvaluator evaluator ->
                (DoubleEvaluator) frame -> {
                    if (isNull.test(frame)) {
                        frame.isNull = true;
                        return 0;
                    }
                    return evaluator.evaluate(frame);
                };
            case WideEvaluator evaluator ->
                (WideEvaluator) frame -> {
                    if (isNull.test(frame)) {
                        frame.isNull = true;
                    } else {
                        evaluator.evaluate(frame);
                    }
                };
            case BytesEvaluator evaluator ->
                (BytesEvaluator) frame -> {
                    if (isNull.test(frame)) {
                        frame.isNull = true;
                    } else {
                        evaluator.evaluate(frame);
                    }
                };
        };
    }

    /** The value, or null where the source's row is the row of nulls of an outer join. */
    public static Evaluator unlessAbsent(Evaluator value, int source) {
        return unless(value, frame -> frame.rows[source] == 0);
    }

    /** Evaluates for the null flag only. */
    public static void evaluate(Evaluator evaluator, Frame frame) {
        switch (evaluator) {
            case LongEvaluator value -> value.evaluate(frame);
            case DoubleEvaluator value -> value.evaluate(frame);
            case WideEvaluator value -> value.evaluate(frame);
            case BytesEvaluator value -> value.evaluate(frame);
        }
    }
}
