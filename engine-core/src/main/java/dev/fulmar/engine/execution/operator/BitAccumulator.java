package dev.fulmar.engine.execution.operator;

import dev.fulmar.engine.execution.expression.Evaluator;
import dev.fulmar.engine.execution.expression.Frame;
import dev.fulmar.engine.execution.expression.LongEvaluator;
import dev.fulmar.engine.execution.expression.Nulls;
import dev.fulmar.engine.memory.OffHeap;
import dev.fulmar.engine.plan.Relation.AggregateFunction;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;

/** BIT_AND, BIT_OR and BIT_XOR of integers. A narrow integer is held as a long, so its sign takes part as it should. */
record BitAccumulator(AggregateFunction function, LongEvaluator argument) implements Accumulator {
    static Accumulator of(AggregateFunction function, Evaluator argument, ColumnType argumentType) {
        if (argument instanceof LongEvaluator number && argumentType.kind().isInteger()) {
            return new BitAccumulator(function, number);
        }
        throw new FulmarException(
                ErrorCode.TYPE_MISMATCH,
                function + " takes integers, not " + argumentType + "; CAST the argument to BIGINT");
    }

    @Override
    public void add(Frame frame, long state) {
        long value = argument.evaluate(frame);
        if (frame.isNull) {
            return;
        }
        long count = OffHeap.getLong(state);
        long bits = OffHeap.getLong(state + Accumulators.FIRST);
        OffHeap.putLong(state + Accumulators.FIRST, count == 0 ? value : joined(bits, value));
        OffHeap.putLong(state, count + 1);
    }

    private long joined(long bits, long value) {
        return switch (function) {
            case BIT_AND -> bits & value;
            case BIT_OR -> bits | value;
            case BIT_XOR -> bits ^ value;
            default -> throw Invariants.breach(function + " is of bits");
        };
    }

    @Override
    public Evaluator result(int source, int offset) {
        LongEvaluator bits = frame -> {
            frame.isNull = false;
            return OffHeap.getLong(frame.rows[source] + offset + Accumulators.FIRST);
        };
        return Nulls.unless(bits, frame -> Accumulators.count(frame, source, offset) == 0);
    }
}
