package dev.fulmar.engine.execution.expression;

import dev.fulmar.foundation.data.ColumnType;
import java.util.Arrays;
import java.util.List;

/** CASE, COALESCE and IN. */
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
}
