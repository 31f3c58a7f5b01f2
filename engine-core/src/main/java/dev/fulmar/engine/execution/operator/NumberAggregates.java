package dev.fulmar.engine.execution.operator;

import dev.fulmar.engine.execution.expression.Evaluator;
import dev.fulmar.engine.execution.expression.Frame;
import dev.fulmar.engine.execution.expression.LongEvaluator;
import dev.fulmar.engine.execution.value.WideValue;
import dev.fulmar.engine.memory.OffHeap;
import dev.fulmar.engine.plan.Relation.AggregateCall;
import dev.fulmar.engine.plan.Relation.AggregateFunction;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Computes COUNT, SUM, MIN and MAX of numbers held as longs, over all rows. The running values stay in arrays, and are
 * stored as the states of {@link Accumulator}s at the end only.
 */
final class NumberAggregates {
    private static final int COUNT_ROWS = 0;
    private static final int COUNT_VALUES = 1;
    private static final int SUM = 2;
    private static final int MIN = 3;
    private static final int MAX = 4;

    private final int[] codes;
    private final LongEvaluator[] arguments;
    private final long[] counts;
    /** Sum, least or greatest value. */
    private final long[] values;
    /** High half of a sum that has left the range of a long. */
    private final long[] highs;

    private final WideValue wide = new WideValue();

    private NumberAggregates(int[] codes, LongEvaluator[] arguments) {
        this.codes = codes;
        this.arguments = arguments;
        counts = new long[codes.length];
        values = new long[codes.length];
        highs = new long[codes.length];
    }

    /** Null unless all of the calls are of this kind. */
    static @Nullable NumberAggregates of(List<AggregateCall> calls, List<@Nullable Evaluator> arguments) {
        int[] codes = new int[calls.size()];
        LongEvaluator[] numbers = new LongEvaluator[codes.length];
        Arrays.fill(numbers, (LongEvaluator) frame -> 0);
        for (int i = 0; i < codes.length; i++) {
            AggregateCall call = calls.get(i);
            if (call.distinct() || call.filter() != null) {
                return null;
            }
            Evaluator argument = arguments.get(i);
            if (argument instanceof LongEvaluator number) {
                numbers[i] = number;
            } else if (argument != null) {
                return null;
            }
            codes[i] = code(call.function(), argument != null);
            if (codes[i] < 0) {
                return null;
            }
        }
        return new NumberAggregates(codes, numbers);
    }

    private static int code(AggregateFunction function, boolean ofValues) {
        return switch (function) {
            case COUNT -> ofValues ? COUNT_VALUES : COUNT_ROWS;
            case SUM, AVG -> SUM;
            case MIN -> MIN;
            case MAX -> MAX;
            default -> -1;
        };
    }

    void begin() {
        Arrays.fill(counts, 0);
        Arrays.fill(values, 0);
        Arrays.fill(highs, 0);
    }

    void add(Frame frame) {
        for (int i = 0; i < codes.length; i++) {
            if (codes[i] == COUNT_ROWS) {
                counts[i]++;
                continue;
            }
            long value = arguments[i].evaluate(frame);
            if (frame.isNull) {
                continue;
            }
            boolean first = counts[i]++ == 0;
            switch (codes[i]) {
                case SUM -> addUp(i, value);
                case MIN -> values[i] = first ? value : Math.min(values[i], value);
                case MAX -> values[i] = first ? value : Math.max(values[i], value);
                default -> {
                    // Counted already.
                }
            }
        }
    }

    private void addUp(int i, long value) {
        wide.set(highs[i], values[i]);
        wide.add(value >> 63, value);
        highs[i] = wide.high();
        values[i] = wide.low();
    }

    /** Stores the values as accumulators have them. */
    void store(long group) {
        for (int i = 0; i < codes.length; i++) {
            long state = group + AggregateProducer.stateOffset(i);
            OffHeap.putLong(state, counts[i]);
            boolean sum = codes[i] == SUM;
            OffHeap.putLong(state + Accumulators.FIRST, sum ? highs[i] : values[i]);
            OffHeap.putLong(state + Accumulators.SECOND, sum ? values[i] : 0);
        }
    }
}
