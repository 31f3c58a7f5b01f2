package dev.fulmar.engine.execution.expression;

import dev.fulmar.engine.memory.OffHeap;
import dev.fulmar.engine.row.RowLayout;

/** Evaluators that read columns of table rows. */
public final class RowColumns {
    private RowColumns() {}

    /**
     * @param source position in {@link Frame#rows} of the row's address
     * @param nullable whether the cell can be null
     */
    public static Evaluator of(RowLayout layout, int column, int source, boolean nullable) {
        int offset = layout.offset(column);
        Evaluator plain = switch (layout.kind(column)) {
            case BYTE ->
                (LongEvaluator) frame -> {
                    frame.isNull = false;
                    return OffHeap.getByte(frame.rows[source] + offset);
                };
            case SHORT ->
                (LongEvaluator) frame -> {
                    frame.isNull = false;
                    return OffHeap.getShort(frame.rows[source] + offset);
                };
            case INT ->
                (LongEvaluator) frame -> {
                    frame.isNull = false;
                    return OffHeap.getInt(frame.rows[source] + offset);
                };
            case LONG ->
                (LongEvaluator) frame -> {
                    frame.isNull = false;
                    return OffHeap.getLong(frame.rows[source] + offset);
                };
            case FLOAT ->
                (DoubleEvaluator) frame -> {
                    frame.isNull = false;
                    return OffHeap.getFloat(frame.rows[source] + offset);
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
                    frame.bytesAddress = layout.bytesAddress(row, column);
                    frame.bytesLength = layout.bytesLength(row, column);
                };
        };
        return nullable ? Nulls.unless(plain, frame -> RowLayout.isNull(frame.rows[source], column)) : plain;
    }
}
