package dev.fulmar.engine.execution.expression;

import dev.fulmar.engine.plan.ScalarFunction;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.data.ColumnType;
import java.util.Arrays;
import java.util.List;

/** CASE, COALESCE, IN, GREATEST and LEAST. */
final class Conditionals {
    private Conditionals() {}

    /** The value of the first condition that is true, or the last value. */
    static Evaluator choose(List<LongEvaluator> conditions, List<Evaluator> values, ColumnType type) {
        LongEvaluator[] tests = conditions.toArray(LongEvaluator[]::new);
        return switch (type.storage()) {
            case LONG -> {
                LongEvaluator[] results = values.toArray(LongEvaluator[]::new);
                yield (LongEvaluator) frame -> results[branch(tests, frame)].evaluate(frame);
            }
            case DOUBLE -> {
                DoubleEvaluator[] results = values.toArray(DoubleEvaluator[]::new);
                yield (DoubleEvaluator) frame -> results[branch(tests, frame)].evaluate(frame);
            }
            case WIDE -> {
                WideEvaluator[] results = values.toArray(WideEvaluator[]::new);
                yield (WideEvaluator) frame -> results[branch(tests, frame)].evaluate(frame);
            }
            case BYTES -> {
                BytesEvaluator[] results = values.toArray(BytesEvaluator[]::new);
                yield (BytesEvaluator) frame -> results[branch(tests, frame)].evaluate(frame);
            }
        };
    }

    private static int branch(LongEvaluator[] tests, Frame frame) {
        for (int i = 0; i < tests.length; i++) {
            if (tests[i].isTrue(frame)) {
                return i;
            }
        }
        return tests.length;
    }

    static Evaluator coalesce(List<Evaluator> values, ColumnType type) {
        return switch (type.storage()) {
            case LONG -> {
                LongEvaluator[] candidates = values.toArray(LongEvaluator[]::new);
                yield (LongEvaluator) frame -> {
                    long result = 0;
                    for (LongEvaluator candidate : candidates) {
                        result = candidate.evaluate(frame);
                        if (!frame.isNull) {
                            break;
                        }
                    }
                    return result;
                };
            }
            case DOUBLE -> {
                DoubleEvaluator[] candidates = values.toArray(DoubleEvaluator[]::new);
                yield (DoubleEvaluator) frame -> {
                    double result = 0;
                    for (DoubleEvaluator candidate : candidates) {
                        result = candidate.evaluate(frame);
                        if (!frame.isNull) {
                            break;
                        }
                    }
                    return result;
                };
            }
            case WIDE -> {
                WideEvaluator[] candidates = values.toArray(WideEvaluator[]::new);
                yield (WideEvaluator) frame -> {
                    for (WideEvaluator candidate : candidates) {
                        candidate.evaluate(frame);
                        if (!frame.isNull) {
                            break;
                        }
                    }
                };
            }
            case BYTES -> {
                BytesEvaluator[] candidates = values.toArray(BytesEvaluator[]::new);
                yield (BytesEvaluator) frame -> {
                    for (BytesEvaluator candidate : candidates) {
                        candidate.evaluate(frame);
                        if (!frame.isNull) {
                            break;
                        }
                    }
                };
            }
        };
    }

    /** Whether the number is one of constants that are not null. */
    static LongEvaluator inConstants(LongEvaluator value, long[] constants) {
        long[] sorted = constants.clone();
        Arrays.sort(sorted);
        return frame -> {
            long x = value.evaluate(frame);
            return !frame.isNull && Arrays.binarySearch(sorted, x) >= 0 ? 1 : 0;
        };
    }

    /** The greatest or least value, or null if any is null. */
    static Evaluator extreme(ScalarFunction function, List<Evaluator> values, ColumnType type) {
        ScalarFunction better = switch (function) {
            case GREATEST -> ScalarFunction.GREATER_OR_EQUAL;
            case LEAST -> ScalarFunction.LESS_OR_EQUAL;
            default -> throw Invariants.breach(function + " is GREATEST or LEAST");
        };
        Evaluator best = values.getFirst();
        for (Evaluator value : values.subList(1, values.size())) {
            Evaluator first = best;
            LongEvaluator keep = Comparisons.compile(better, first, type, value, type);
            // A null comparison means that either is null: evaluating first and then second passes it on.
            Evaluator chosen = choose(List.of(keep), List.of(first, value), type);
            best = Nulls.unless(chosen, frame -> {
                keep.evaluate(frame);
                return frame.isNull;
            });
        }
        return best;
    }
}
