package dev.fulmar.engine.execution.operator;

import dev.fulmar.engine.execution.expression.Frame;
import dev.fulmar.engine.execution.expression.LongEvaluator;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import org.jspecify.annotations.Nullable;

/** OFFSET and FETCH; null stands for none. */
record RowLimit(@Nullable LongEvaluator offset, @Nullable LongEvaluator fetch) {
    long skipped(Frame frame) {
        return value(offset, 0, "OFFSET", frame);
    }

    long fetched(Frame frame) {
        return value(fetch, Long.MAX_VALUE, "LIMIT", frame);
    }

    /** Rows of the input that matter. */
    long wanted(Frame frame) {
        long sum = skipped(frame) + fetched(frame);
        return sum < 0 ? Long.MAX_VALUE : sum;
    }

    private static long value(@Nullable LongEvaluator evaluator, long none, String name, Frame frame) {
        if (evaluator == null) {
            return none;
        }
        long value = evaluator.evaluate(frame);
        if (frame.isNull) {
            return none;
        }
        if (value < 0) {
            throw new FulmarException(ErrorCode.VALUE_OUT_OF_RANGE, name + " is " + value + "; pass 0 or more");
        }
        return value;
    }
}
