package dev.fulmar.engine.execution.operator;

import dev.fulmar.engine.execution.expression.Evaluator;
import dev.fulmar.engine.execution.expression.Frame;
import dev.fulmar.engine.execution.expression.Nulls;
import dev.fulmar.engine.execution.expression.WideEvaluator;
import dev.fulmar.engine.execution.value.IntervalArithmetic;
import dev.fulmar.engine.memory.OffHeap;

/** SUM and AVG of intervals, part by part. A part that overflows on the way is an error, as in PostgreSQL. */
record IntervalSum(WideEvaluator argument, boolean average) implements Accumulator {
    @Override
    public void add(Frame frame, long state) {
        argument.evaluate(frame);
        if (frame.isNull) {
            return;
        }
        OffHeap.putLong(state, OffHeap.getLong(state) + 1);
        IntervalArithmetic.add(
                frame.wide, OffHeap.getLong(state + Accumulators.FIRST), OffHeap.getLong(state + Accumulators.SECOND));
        OffHeap.putLong(state + Accumulators.FIRST, frame.wide.high());
        OffHeap.putLong(state + Accumulators.SECOND, frame.wide.low());
    }

    @Override
    public Evaluator result(int source, int offset) {
        WideEvaluator result = frame -> {
            frame.isNull = false;
            long state = frame.rows[source] + offset;
            frame.wide.set(OffHeap.getLong(state + Accumulators.FIRST), OffHeap.getLong(state + Accumulators.SECOND));
            if (average) {
                IntervalArithmetic.divide(frame.wide, (double) Accumulators.count(frame, source, offset));
            }
        };
        return Nulls.unless(result, frame -> Accumulators.count(frame, source, offset) == 0);
    }
}
