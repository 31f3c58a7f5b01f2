package dev.fulmar.engine.execution.expression;

import dev.fulmar.engine.execution.value.WideOrder;
import dev.fulmar.engine.memory.OffHeap;
import dev.fulmar.engine.plan.ScalarFunction;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.NumericBytes;
import dev.fulmar.foundation.data.TypeKind;
import java.util.List;

/** The greatest or least of values of one type. Each value is computed once, so that calls may nest. */
final class Extremes {
    /** Negative for the least. */
    private final int sign;

    /** Whether nulls are left out; otherwise one makes the result null. */
    private final boolean isOfKnown;

    private Extremes(int sign, boolean isOfKnown) {
        this.sign = sign;
        this.isOfKnown = isOfKnown;
    }

    static Evaluator compile(ScalarFunction function, List<Evaluator> values, ColumnType type) {
        Extremes extremes = switch (function) {
            case GREATEST -> new Extremes(1, false);
            case LEAST -> new Extremes(-1, false);
            case GREATEST_KNOWN -> new Extremes(1, true);
            case LEAST_KNOWN -> new Extremes(-1, true);
            default -> throw Invariants.breach(function + " is the greatest or least of values");
        };
        return switch (type.storage()) {
            case LONG -> extremes.ofLongs(values.toArray(LongEvaluator[]::new));
            case DOUBLE -> extremes.ofDoubles(values.toArray(DoubleEvaluator[]::new));
            case WIDE -> extremes.ofWide(values.toArray(WideEvaluator[]::new), WideOrder.of(type));
            case BYTES ->
                extremes.ofBytes(
                        values.toArray(BytesEvaluator[]::new),
                        type.kind() == TypeKind.NUMERIC ? NumericBytes.SCALE_BYTES : 0);
        };
    }

    private LongEvaluator ofLongs(LongEvaluator[] values) {
        return frame -> {
            boolean isFound = false;
            long best = 0;
            for (LongEvaluator value : values) {
                long next = value.evaluate(frame);
                if (frame.isNull && !isOfKnown) {
                    return 0;
                }
                if (!frame.isNull && (!isFound || sign * Long.compare(next, best) > 0)) {
                    isFound = true;
                    best = next;
                }
            }
            frame.isNull = !isFound;
            return best;
        };
    }

    private DoubleEvaluator ofDoubles(DoubleEvaluator[] values) {
        return frame -> {
            boolean isFound = false;
            double best = 0;
            for (DoubleEvaluator value : values) {
                double next = value.evaluate(frame);
                if (frame.isNull && !isOfKnown) {
                    return 0;
                }
                if (!frame.isNull && (!isFound || sign * Comparisons.compare(next, best) > 0)) {
                    isFound = true;
                    best = next;
                }
            }
            frame.isNull = !isFound;
            return best;
        };
    }

    private WideEvaluator ofWide(WideEvaluator[] values, WideOrder order) {
        return frame -> {
            boolean isFound = false;
            long high = 0;
            long low = 0;
            for (WideEvaluator value : values) {
                value.evaluate(frame);
                if (frame.isNull && !isOfKnown) {
                    return;
                }
                long nextHigh = frame.wide.high();
                long nextLow = frame.wide.low();
                if (!frame.isNull && (!isFound || sign * order.compare(nextHigh, nextLow, high, low) > 0)) {
                    isFound = true;
                    high = nextHigh;
                    low = nextLow;
                }
            }
            frame.isNull = !isFound;
            frame.wide.set(high, low);
        };
    }

    /** @param beside bytes at the end that are not compared */
    private BytesEvaluator ofBytes(BytesEvaluator[] values, int beside) {
        return frame -> {
            boolean isFound = false;
            long address = 0;
            int length = 0;
            for (BytesEvaluator value : values) {
                value.evaluate(frame);
                if (frame.isNull && !isOfKnown) {
                    return;
                }
                if (!frame.isNull
                        && (!isFound
                                || sign
                                                * OffHeap.compare(
                                                        frame.bytesAddress,
                                                        frame.bytesLength - beside,
                                                        address,
                                                        length - beside)
                                        > 0)) {
                    isFound = true;
                    address = frame.bytesAddress;
                    length = frame.bytesLength;
                }
            }
            frame.isNull = !isFound;
            frame.bytesAddress = address;
            frame.bytesLength = length;
        };
    }
}
