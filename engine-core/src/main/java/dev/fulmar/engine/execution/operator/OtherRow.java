package dev.fulmar.engine.execution.operator;

import dev.fulmar.engine.execution.expression.BytesEvaluator;
import dev.fulmar.engine.execution.expression.DoubleEvaluator;
import dev.fulmar.engine.execution.expression.Evaluator;
import dev.fulmar.engine.execution.expression.Frame;
import dev.fulmar.engine.execution.expression.LongEvaluator;
import dev.fulmar.engine.execution.expression.WideEvaluator;
import dev.fulmar.engine.memory.OffHeap;

/** Evaluates the argument of a window function such as LAG or FIRST_VALUE on a row other than the current one. */
final class OtherRow {
    private OtherRow() {}

    /**
     * The value over the row whose address the state holds.
     *
     * @param otherwise over the current row where that address is 0; of the same form as the value
     */
    static Evaluator value(Evaluator value, Evaluator otherwise, int rowSource, int stateSource, int offset) {
        return switch (value) {
            case LongEvaluator there -> {
                LongEvaluator here = (LongEvaluator) otherwise;
                yield (LongEvaluator) frame -> {
                    long current = enter(frame, rowSource, stateSource, offset);
                    if (current == 0) {
                        return here.evaluate(frame);
                    }
                    long result = there.evaluate(frame);
                    frame.rows[rowSource] = current;
                    return result;
                };
            }
            case DoubleEvaluator there -> {
                DoubleEvaluator here = (DoubleEvaluator) otherwise;
                yield (DoubleEvaluator) frame -> {
                    long current = enter(frame, rowSource, stateSource, offset);
                    if (current == 0) {
                        return here.evaluate(frame);
                    }
                    double result = there.evaluate(frame);
                    frame.rows[rowSource] = current;
                    return result;
                };
            }
            case WideEvaluator there -> {
                WideEvaluator here = (WideEvaluator) otherwise;
                yield (WideEvaluator) frame -> {
                    long current = enter(frame, rowSource, stateSource, offset);
                    if (current == 0) {
                        here.evaluate(frame);
                    } else {
                        there.evaluate(frame);
                        frame.rows[rowSource] = current;
                    }
                };
            }
            case BytesEvaluator there -> {
                BytesEvaluator here = (BytesEvaluator) otherwise;
                yield (BytesEvaluator) frame -> {
                    long current = enter(frame, rowSource, stateSource, offset);
                    if (current == 0) {
                        here.evaluate(frame);
                    } else {
                        there.evaluate(frame);
                        frame.rows[rowSource] = current;
                    }
                };
            }
        };
    }

    /** Makes the other row the frame's; returns the current one, or 0 if there is no other and the frame stays. */
    private static long enter(Frame frame, int rowSource, int stateSource, int offset) {
        long other = OffHeap.getLong(frame.rows[stateSource] + offset);
        if (other == 0) {
            return 0;
        }
        long current = frame.rows[rowSource];
        frame.rows[rowSource] = other;
        return current;
    }
}
