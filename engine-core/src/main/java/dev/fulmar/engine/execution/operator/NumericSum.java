package dev.fulmar.engine.execution.operator;

import dev.fulmar.engine.execution.expression.BytesEvaluator;
import dev.fulmar.engine.execution.expression.Evaluator;
import dev.fulmar.engine.execution.expression.Frame;
import dev.fulmar.engine.execution.expression.Nulls;
import dev.fulmar.engine.execution.expression.NumericCasts;
import dev.fulmar.engine.execution.value.ScratchMemory;
import dev.fulmar.engine.memory.OffHeap;
import dev.fulmar.engine.numeric.NumericArithmetic;
import dev.fulmar.foundation.data.Numeric;
import dev.fulmar.foundation.data.NumericBytes;

/**
 * SUM and AVG of numerics, and their variances and standard deviations. A state has the address, the length and the
 * room of the bytes of its sums.
 *
 * <p>Invariant: bytes that a copy of the state knows are not changed any more; {@link #detach} says so.
 */
record NumericSum(BytesEvaluator argument, Result function, ScratchMemory memory) implements Accumulator {
    private static final long SHARED = -1;

    /** Makes the value of the sums. */
    @FunctionalInterface
    interface Result {
        /** @param squares the sum of the squares; 0 unless {@link #needsSquares} */
        Numeric of(long count, Numeric sum, Numeric squares);

        default boolean needsSquares() {
            return false;
        }

        /** The fewest values of which there is one. */
        default int least() {
            return 1;
        }
    }

    /** SUM, or AVG. */
    static NumericSum of(BytesEvaluator argument, boolean average, ScratchMemory memory) {
        return new NumericSum(
                argument,
                (count, sum, squares) -> average ? NumericArithmetic.divide(sum, Numeric.of(count)) : sum,
                memory);
    }

    /** A variance, or a standard deviation. */
    record Spread(boolean ofSample, boolean isDeviation) implements Result {
        @Override
        public Numeric of(long count, Numeric sum, Numeric squares) {
            return NumericArithmetic.spread(count, sum, squares, ofSample, isDeviation);
        }

        @Override
        public boolean needsSquares() {
            return true;
        }

        @Override
        public int least() {
            return ofSample ? 2 : 1;
        }
    }

    @Override
    public void add(Frame frame, long state) {
        argument.evaluate(frame);
        if (frame.isNull) {
            return;
        }
        Numeric value = NumericCasts.value(frame.bytesAddress, frame.bytesLength);
        boolean isFirst = OffHeap.getLong(state) == 0;
        Numeric sum = isFirst ? value : NumericArithmetic.add(sum(state), value);
        byte[] first = NumericBytes.of(sum);
        byte[] second = new byte[0];
        if (function.needsSquares()) {
            Numeric square = NumericArithmetic.squared(value);
            second = NumericBytes.of(isFirst ? square : NumericArithmetic.addExactly(squares(state), square));
        }
        store(state, first, second);
        OffHeap.putLong(state, OffHeap.getLong(state) + 1);
    }

    private void store(long state, byte[] sum, byte[] squares) {
        int length = Integer.BYTES + sum.length + squares.length;
        if (OffHeap.getLong(state) == 0 || length > OffHeap.getLong(state + Accumulators.THIRD)) {
            int room = length + (length >> 1) + Long.BYTES;
            OffHeap.putLong(state + Accumulators.FIRST, memory.allocate(room));
            OffHeap.putLong(state + Accumulators.THIRD, room);
        }
        long block = OffHeap.getLong(state + Accumulators.FIRST);
        OffHeap.putInt(block, sum.length);
        OffHeap.copy(sum, 0, block + Integer.BYTES, sum.length);
        OffHeap.copy(squares, 0, block + Integer.BYTES + sum.length, squares.length);
        OffHeap.putLong(state + Accumulators.SECOND, length);
    }

    private static Numeric sum(long state) {
        long block = OffHeap.getLong(state + Accumulators.FIRST);
        return NumericCasts.value(block + Integer.BYTES, OffHeap.getInt(block));
    }

    private Numeric squares(long state) {
        if (!function.needsSquares()) {
            return Numeric.ZERO;
        }
        long block = OffHeap.getLong(state + Accumulators.FIRST);
        int before = Integer.BYTES + OffHeap.getInt(block);
        return NumericCasts.value(block + before, (int) OffHeap.getLong(state + Accumulators.SECOND) - before);
    }

    @Override
    public void detach(long state) {
        OffHeap.putLong(state + Accumulators.THIRD, SHARED);
    }

    @Override
    public Evaluator result(int source, int offset) {
        BytesEvaluator value = frame -> {
            long state = frame.rows[source] + offset;
            NumericCasts.result(frame, function.of(OffHeap.getLong(state), sum(state), squares(state)));
        };
        return Nulls.unless(value, frame -> Accumulators.count(frame, source, offset) < function.least());
    }
}
