package dev.fulmar.engine.execution.operator;

import dev.fulmar.engine.execution.expression.BytesEvaluator;
import dev.fulmar.engine.execution.expression.DoubleEvaluator;
import dev.fulmar.engine.execution.expression.Evaluator;
import dev.fulmar.engine.execution.expression.LongEvaluator;
import dev.fulmar.engine.execution.expression.Nulls;
import dev.fulmar.engine.execution.expression.WideEvaluator;
import dev.fulmar.engine.memory.OffHeap;
import dev.fulmar.foundation.data.ColumnType;
import java.util.ArrayList;
import java.util.List;

/** A row that is kept: the form of a result block's row, so that received rows are read where they lie. Immutable. */
final class TupleLayout {
    private final List<ColumnType> types;
    private final int[] offsets;
    private final int fixedBytes;

    TupleLayout(List<ColumnType> types) {
        this.types = types;
        offsets = new int[types.size()];
        int next = Integer.BYTES + (types.size() + 7) / 8;
        for (int i = 0; i < offsets.length; i++) {
            offsets[i] = next;
            next += types.get(i).cellBytes();
        }
        fixedBytes = next;
    }

    int fixedBytes() {
        return fixedBytes;
    }

    int offset(int column) {
        return offsets[column];
    }

    int columnCount() {
        return offsets.length;
    }

    List<ColumnType> types() {
        return types;
    }

    static int rowBytes(long row) {
        return OffHeap.getInt(row);
    }

    static boolean isNull(long row, int column) {
        return (OffHeap.getByte(row + Integer.BYTES + (column >> 3)) & 1 << (column & 7)) != 0;
    }

    /** Evaluators of all columns of the row at the source; an absent row has nulls only. */
    List<Evaluator> columns(int source) {
        List<Evaluator> columns = new ArrayList<>();
        for (int i = 0; i < offsets.length; i++) {
            int column = i;
            columns.add(Nulls.unless(cell(i, source), frame -> {
                long row = frame.rows[source];
                return row == 0 || isNull(row, column);
            }));
        }
        return columns;
    }

    private Evaluator cell(int column, int source) {
        int offset = offsets[column];
        return switch (types.get(column).storage()) {
            case LONG ->
                (LongEvaluator) frame -> {
                    frame.isNull = false;
                    return OffHeap.getLong(frame.rows[source] + offset);
                };
            case DOUBLE ->
                (DoubleEvaluator) frame -> {
                    frame.isNull = false;
                    return OffHeap.getDouble(frame.rows[source] + offset);
                };
            case WIDE ->
                (WideEvaluator) frame -> {
                    frame.isNull = false;
                    long cell = frame.rows[source] + offset;
                    frame.wide.set(OffHeap.getLong(cell), OffHeap.getLong(cell + Long.BYTES));
                };
            case BYTES ->
                (BytesEvaluator) frame -> {
                    frame.isNull = false;
                    long row = frame.rows[source];
                    frame.bytesAddress = row + OffHeap.getInt(row + offset);
                    frame.bytesLength = OffHeap.getInt(row + offset + Integer.BYTES);
                };
        };
    }
}
