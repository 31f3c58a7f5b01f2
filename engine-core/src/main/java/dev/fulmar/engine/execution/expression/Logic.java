package dev.fulmar.engine.execution.expression;

import dev.fulmar.engine.plan.ScalarFunction;
import dev.fulmar.foundation.check.Invariants;
import java.util.List;

/** Three-valued logic. */
final class Logic {
    private Logic() {}

    static LongEvaluator and(List<LongEvaluator> terms) {
        LongEvaluator[] conditions = terms.toArray(LongEvaluator[]::new);
        return frame -> {
            boolean unknown = false;
            for (LongEvaluator condition : conditions) {
                long value = condition.evaluate(frame);
                if (frame.isNull) {
                    unknown = true;
                } else if (value == 0) {
                    return 0;
                }
            }
            frame.isNull = unknown;
            return unknown ? 0 : 1;
        };
    }

    static LongEvaluator or(List<LongEvaluator> terms) {
        LongEvaluator[] conditions = terms.toArray(LongEvaluator[]::new);
        return frame -> {
            boolean unknown = false;
            for (LongEvaluator condition : conditions) {
                long value = condition.evaluate(frame);
                if (frame.isNull) {
                    unknown = true;
                } else if (value != 0) {
                    return 1;
                }
            }
            frame.isNull = unknown;
            return 0;
        };
    }

    static LongEvaluator not(LongEvaluator term) {
        return frame -> 1 - term.evaluate(frame);
    }

    /** IS TRUE and its like: never null. */
    static LongEvaluator is(ScalarFunction function, LongEvaluator term) {
        return switch (function) {
            case IS_TRUE ->
                frame -> {
                    boolean is = term.evaluate(frame) != 0 && !frame.isNull;
                    frame.isNull = false;
                    return is ? 1 : 0;
                };
            case IS_NOT_TRUE ->
                frame -> {
                    boolean is = term.evaluate(frame) != 0 && !frame.isNull;
                    frame.isNull = false;
                    return is ? 0 : 1;
                };
            case IS_FALSE ->
                frame -> {
                    boolean is = term.evaluate(frame) == 0 && !frame.isNull;
                    frame.isNull = false;
                    return is ? 1 : 0;
                };
            case IS_NOT_FALSE ->
                frame -> {
                    boolean is = term.evaluate(frame) == 0 && !frame.isNull;
                    frame.isNull = false;
                    return is ? 0 : 1;
                };
            default -> throw Invariants.breach(function + " is a test of truth");
        };
    }

    static LongEvaluator isNull(Evaluator value) {
        return frame -> {
            Nulls.evaluate(value, frame);
            boolean is = frame.isNull;
            frame.isNull = false;
            return is ? 1 : 0;
        };
    }

    static LongEvaluator isNotNull(Evaluator value) {
        return frame -> {
            Nulls.evaluate(value, frame);
            boolean is = frame.isNull;
            frame.isNull = false;
            return is ? 0 : 1;
        };
    }
}
