package dev.fulmar.engine.execution.operator;

import dev.fulmar.engine.execution.expression.Evaluator;
import dev.fulmar.engine.execution.expression.EvaluatorList;
import dev.fulmar.engine.execution.expression.Frame;
import dev.fulmar.engine.execution.value.ScratchMemory;
import dev.fulmar.engine.memory.OffHeap;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.List;

/** Writes the values of a row's expressions as one tuple. */
final class TupleWriter {
    private final TupleLayout layout;
    private final EvaluatorList values;
    private final boolean[] nulls;
    private final long[] first;
    private final long[] second;

    TupleWriter(TupleLayout layout, List<Evaluator> values) {
        this.layout = layout;
        this.values = new EvaluatorList(values);
        nulls = new boolean[values.size()];
        first = new long[values.size()];
        second = new long[values.size()];
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
        clearNulls(row);
        long next = row + layout.fixedBytes();
        for (int i = 0; i < nulls.length; i++) {
            long cell = row + layout.offset(i);
            if (nulls[i]) {
                long unit = row + Integer.BYTES + (i >> 3);
                OffHeap.putByte(unit, (byte) (OffHeap.getByte(unit) | 1 << (i & 7)));
                first[i] = 0;
                second[i] = 0;
            }
            switch (values.code(i)) {
                case EvaluatorList.WIDE -> {
                    OffHeap.putLong(cell, first[i]);
                    OffHeap.putLong(cell + Long.BYTES, second[i]);
                }
                case EvaluatorList.BYTES, EvaluatorList.BYTES_PARAMETER -> {
                    int length = (int) second[i];
                    OffHeap.putInt(cell, (int) (next - row));
                    OffHeap.putInt(cell + Integer.BYTES, length);
                    OffHeap.copy(first[i], next, length);
                    next += length;
                }
                default -> OffHeap.putLong(cell, first[i]);
            }
        }
        return row;
    }

    private void clearNulls(long row) {
        int bytes = (nulls.length + 7) / 8;
        for (int i = 0; i < bytes; i++) {
            OffHeap.putByte(row + Integer.BYTES + i, (byte) 0);
        }
    }

    /** Leaves the values in the arrays; returns the bytes of the variable part. */
    private long evaluate(Frame frame) {
        long variableBytes = 0;
        for (int i = 0; i < nulls.length; i++) {
            switch (values.code(i)) {
                case EvaluatorList.LONG, EvaluatorList.LONG_PARAMETER -> first[i] = values.evaluateLong(i, frame);
                case EvaluatorList.DOUBLE -> first[i] = Double.doubleToRawLongBits(values.evaluateDouble(i, frame));
                case EvaluatorList.WIDE -> {
                    values.evaluateWide(i, frame);
                    first[i] = frame.wide.high();
                    second[i] = frame.wide.low();
                }
                default -> {
                    values.evaluateBytes(i, frame);
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
