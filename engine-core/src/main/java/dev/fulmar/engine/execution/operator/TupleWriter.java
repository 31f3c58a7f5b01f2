package dev.fulmar.engine.execution.operator;

import dev.fulmar.engine.execution.expression.BytesEvaluator;
import dev.fulmar.engine.execution.expression.DoubleEvaluator;
import dev.fulmar.engine.execution.expression.Evaluator;
import dev.fulmar.engine.execution.expression.Frame;
import dev.fulmar.engine.execution.expression.LongEvaluator;
import dev.fulmar.engine.execution.expression.WideEvaluator;
import dev.fulmar.engine.execution.value.ScratchMemory;
import dev.fulmar.engine.memory.OffHeap;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.List;

/** Writes the values of a row's expressions as one tuple. */
final class TupleWriter {
    private final TupleLayout layout;
    private final Evaluator[] values;
    private final boolean[] nulls;
    private final long[] first;
    private final long[] second;

    TupleWriter(TupleLayout layout, List<Evaluator> values) {
        this.layout = layout;
        this.values = values.toArray(Evaluator[]::new);
        nulls = new boolean[this.values.length];
        first = new long[this.values.length];
        second = new long[this.values.length];
    }

    /** Evaluates all values and writes them; returns the tuple's address. */
    long write(Frame frame, ScratchMemory memory) {
        long total = evaluate(frame) + layout.fixedBytes();
        if (total > Integer.MAX_VALUE) {
            throw new FulmarException(
                    ErrorCode.STATEMENT_TOO_COMPLEX, "a row of " + total + " bytes is too long; select fewer columns");
        }
        long row = memory.allocate(total);
        OffHeap.putInt(row, (int) total);
        OffHeap.fill(row + Integer.BYTES, (values.length + 7) / 8, (byte) 0);
        long next = row + layout.fixedBytes();
        for (int i = 0; i < values.length; i++) {
            long cell = row + layout.offset(i);
            if (nulls[i]) {
                long unit = row + Integer.BYTES + (i >> 3);
                OffHeap.putByte(unit, (byte) (OffHeap.getByte(unit) | 1 << (i & 7)));
                first[i] = 0;
                second[i] = 0;
            }
            switch (values[i]) {
                case LongEvaluator ignored -> OffHeap.putLong(cell, first[i]);
                case DoubleEvaluator ignored -> OffHeap.putLong(cell, first[i]);
                case WideEvaluator ignored -> {
                    OffHeap.putLong(cell, first[i]);
                    OffHeap.putLong(cell + Long.BYTES, second[i]);
                }
                case BytesEvaluator ignored -> {
                    int length = (int) second[i];
                    OffHeap.putInt(cell, (int) (next - row));
                    OffHeap.putInt(cell + Integer.BYTES, length);
                    OffHeap.copy(first[i], next, length);
                    next += length;
                }
            }
        }
        return row;
    }

    /** Leaves the values in the arrays; returns the bytes of the variable part. */
    private long evaluate(Frame frame) {
        long variableBytes = 0;
        for (int i = 0; i < values.length; i++) {
            switch (values[i]) {
                case LongEvaluator value -> first[i] = value.evaluate(frame);
                case DoubleEvaluator value -> first[i] = Double.doubleToRawLongBits(value.evaluate(frame));
                case WideEvaluator value -> {
                    value.evaluate(frame);
                    first[i] = frame.wide.high();
                    second[i] = frame.wide.low();
                }
                case BytesEvaluator value -> {
                    value.evaluate(frame);
                    first[i] = frame.bytesAddress;
                    second[i] = frame.bytesLength;
                    variableBytes += frame.isNull ? 0 : frame.bytesLength;
                }
            }
            nulls[i] = frame.isNull;
        }
        return variableBytes;
    }
}
