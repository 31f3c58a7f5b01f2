package dev.fulmar.engine.execution.operator;

import dev.fulmar.engine.execution.expression.BytesEvaluator;
import dev.fulmar.engine.execution.expression.Comparisons;
import dev.fulmar.engine.execution.expression.DoubleEvaluator;
import dev.fulmar.engine.execution.expression.Evaluator;
import dev.fulmar.engine.execution.expression.Frame;
import dev.fulmar.engine.execution.expression.LongEvaluator;
import dev.fulmar.engine.execution.expression.Nulls;
import dev.fulmar.engine.execution.expression.WideEvaluator;
import dev.fulmar.engine.execution.value.ScratchMemory;
import dev.fulmar.engine.execution.value.WideOrder;
import dev.fulmar.engine.memory.OffHeap;
import dev.fulmar.engine.plan.Relation.AggregateFunction;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.NumericBytes;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import org.jspecify.annotations.Nullable;

/**
 * COUNT, MIN, MAX and SINGLE_VALUE; {@link AccumulatorCompiler} knows where others are. A state starts with the number
 * of values.
 */
final class Accumulators {
    static final int FIRST = 8;
    static final int SECOND = 16;
    static final int THIRD = 24;

    private Accumulators() {}

    static Accumulator of(
            AggregateFunction function,
            @Nullable Evaluator argument,
            ColumnType argumentType,
            ColumnType type,
            ScratchMemory memory) {
        if (function == AggregateFunction.COUNT) {
            return argument == null ? new CountRows() : new CountValues(argument);
        }
        if (argument == null) {
            throw Invariants.breach(function + " has an argument");
        }
        return switch (function) {
            case COUNT -> new CountValues(argument);
            case SUM, AVG -> SumAccumulators.of(function, argument, argumentType, type, memory);
            case MIN -> new Kept(argument, argumentType, -1, memory);
            case MAX -> new Kept(argument, argumentType, 1, memory);
            case SINGLE_VALUE -> new Single(argument, argumentType, memory);
            default -> throw Invariants.breach(function + " is made by AccumulatorCompiler");
        };
    }

    static long count(Frame frame, int source, int offset) {
        return OffHeap.getLong(frame.rows[source] + offset);
    }

    private static LongEvaluator countResult(int source, int offset) {
        return frame -> {
            frame.isNull = false;
            return count(frame, source, offset);
        };
    }

    private record CountRows() implements Accumulator {
        @Override
        public void add(Frame frame, long state) {
            OffHeap.putLong(state, OffHeap.getLong(state) + 1);
        }

        @Override
        public Evaluator result(int source, int offset) {
            return countResult(source, offset);
        }
    }

    private record CountValues(Evaluator argument) implements Accumulator {
        @Override
        public void add(Frame frame, long state) {
            Nulls.evaluate(argument, frame);
            if (!frame.isNull) {
                OffHeap.putLong(state, OffHeap.getLong(state) + 1);
            }
        }

        @Override
        public Evaluator result(int source, int offset) {
            return countResult(source, offset);
        }
    }

    /** Stores the value evaluated last; bytes are copied, into the room of the last ones if they fit. */
    private static void store(Frame frame, long state, Evaluator argument, long number, ScratchMemory memory) {
        switch (argument) {
            case LongEvaluator ignored -> OffHeap.putLong(state + FIRST, number);
            case DoubleEvaluator ignored -> OffHeap.putLong(state + FIRST, number);
            case WideEvaluator ignored -> {
                OffHeap.putLong(state + FIRST, frame.wide.high());
                OffHeap.putLong(state + SECOND, frame.wide.low());
            }
            case BytesEvaluator ignored -> {
                int length = frame.bytesLength;
                if (length > OffHeap.getLong(state + THIRD) || OffHeap.getLong(state + FIRST) == 0) {
                    int room = length + (length >> 1) + 8;
                    OffHeap.putLong(state + FIRST, memory.allocate(room));
                    OffHeap.putLong(state + THIRD, room);
                }
                OffHeap.copy(frame.bytesAddress, OffHeap.getLong(state + FIRST), length);
                OffHeap.putLong(state + SECOND, length);
            }
        }
    }

    /** The number evaluated, as bits; other values stay in the frame. */
    static long evaluate(Evaluator argument, Frame frame) {
        return switch (argument) {
            case LongEvaluator value -> value.evaluate(frame);
            case DoubleEvaluator value -> Double.doubleToRawLongBits(value.evaluate(frame));
            case WideEvaluator value -> {
                value.evaluate(frame);
                yield 0;
            }
            case BytesEvaluator value -> {
                value.evaluate(frame);
                yield 0;
            }
        };
    }

    private static Evaluator stored(Evaluator argument, int source, int offset) {
        Evaluator value = switch (argument) {
            case LongEvaluator ignored ->
                (LongEvaluator) frame -> {
                    frame.isNull = false;
                    return OffHeap.getLong(frame.rows[source] + offset + FIRST);
                };
            case DoubleEvaluator ignored ->
                (DoubleEvaluator) frame -> {
                    frame.isNull = false;
                    return OffHeap.getDouble(frame.rows[source] + offset + FIRST);
                };
            case WideEvaluator ignored ->
                (WideEvaluator) frame -> {
                    frame.isNull = false;
                    long state = frame.rows[source] + offset;
                    frame.wide.set(OffHeap.getLong(state + FIRST), OffHeap.getLong(state + SECOND));
                };
            case BytesEvaluator ignored ->
                (BytesEvaluator) frame -> {
                    frame.isNull = false;
                    long state = frame.rows[source] + offset;
                    frame.bytesAddress = OffHeap.getLong(state + FIRST);
                    frame.bytesLength = (int) OffHeap.getLong(state + SECOND);
                };
        };
        return Nulls.unless(value, frame -> count(frame, source, offset) == 0);
    }

    /** MIN (direction -1) and MAX (1). */
    private record Kept(Evaluator argument, ColumnType type, int direction, ScratchMemory memory)
            implements Accumulator {
        @Override
        public void add(Frame frame, long state) {
            long number = evaluate(argument, frame);
            if (frame.isNull) {
                return;
            }
            if (OffHeap.getLong(state) == 0 || compare(frame, state, number) * direction > 0) {
                store(frame, state, argument, number, memory);
            }
            OffHeap.putLong(state, OffHeap.getLong(state) + 1);
        }

        /** The bytes are in the copies' hands now: the next value gets room of its own. */
        @Override
        public void detach(long state) {
            if (argument instanceof BytesEvaluator) {
                OffHeap.putLong(state + THIRD, -1);
            }
        }

        private int compare(Frame frame, long state, long number) {
            long first = OffHeap.getLong(state + FIRST);
            return switch (argument) {
                case LongEvaluator ignored -> Long.compare(number, first);
                case DoubleEvaluator ignored ->
                    Comparisons.compare(Double.longBitsToDouble(number), Double.longBitsToDouble(first));
                case WideEvaluator ignored ->
                    WideOrder.of(type)
                            .compare(frame.wide.high(), frame.wide.low(), first, OffHeap.getLong(state + SECOND));
                case BytesEvaluator ignored ->
                    OffHeap.compare(
                            frame.bytesAddress,
                            frame.bytesLength - besideValue(),
                            first,
                            (int) OffHeap.getLong(state + SECOND) - besideValue());
            };
        }

        /** Bytes at the end that are not compared. */
        private int besideValue() {
            return type.kind() == TypeKind.NUMERIC ? NumericBytes.SCALE_BYTES : 0;
        }

        @Override
        public Evaluator result(int source, int offset) {
            return stored(argument, source, offset);
        }
    }

    /**
     * The value of a scalar subquery. The state's first word tells whether there was a row, and whether its value was
     * null.
     */
    private record Single(Evaluator argument, ColumnType type, ScratchMemory memory) implements Accumulator {
        private static final long NULL_ROW = -1;

        @Override
        public void add(Frame frame, long state) {
            if (OffHeap.getLong(state) != 0) {
                throw new FulmarException(
                        ErrorCode.CARDINALITY_VIOLATION,
                        "a subquery that stands for a value of " + type
                                + " yields more than one row; restrict it or add LIMIT 1");
            }
            long number = evaluate(argument, frame);
            if (frame.isNull) {
                OffHeap.putLong(state, NULL_ROW);
            } else {
                store(frame, state, argument, number, memory);
                OffHeap.putLong(state, 1);
            }
        }

        @Override
        public Evaluator result(int source, int offset) {
            return Nulls.unless(stored(argument, source, offset), frame -> count(frame, source, offset) == NULL_ROW);
        }
    }
}
