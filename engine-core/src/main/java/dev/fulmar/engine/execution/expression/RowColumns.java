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
        // A column that is never null reads a bit that is never set.
        int nullWord = RowLayout.nullWordOffset(column);
        long nullBit = nullable ? RowLayout.nullBit(column) : 0;
        return switch (layout.kind(column)) {
            case BYTE ->
                (LongEvaluator) frame -> {
                    long row = frame.rows[source];
                    frame.isNull = isNull(row, nullWord, nullBit);
                    return OffHeap.getByte(row + offset);
                };
            case SHORT ->
                (LongEvaluator) frame -> {
                    long row = frame.rows[source];
                    frame.isNull = isNull(row, nullWord, nullBit);
                    return OffHeap.getShort(row + offset);
                };
            case INT ->
                (LongEvaluator) frame -> {
                    long row = frame.rows[source];
                    frame.isNull = isNull(row, nullWord, nullBit);
                    return OffHeap.getInt(row + offset);
                };
            case LONG ->
                (LongEvaluator) frame -> {
                    long row = frame.rows[source];
                    frame.isNull = isNull(row, nullWord, nullBit);
                    return OffHeap.getLong(row + offset);
                };
            case FLOAT ->
                (DoubleEvaluator) frame -> {
                    long row = frame.rows[source];
                    frame.isNull = isNull(row, nullWord, nullBit);
                    return OffHeap.getFloat(row + offset);
                };
            case DOUBLE ->
                (DoubleEvaluator) frame -> {
                    long row = frame.rows[source];
                    frame.isNull = isNull(row, nullWord, nullBit);
                    return OffHeap.getDouble(row + offset);
                };
            case WIDE ->
                (WideEvaluator) frame -> {
                    long row = frame.rows[source];
                    frame.isNull = isNull(row, nullWord, nullBit);
                    frame.wide.set(OffHeap.getLong(row + offset), OffHeap.getLong(row + offset + Long.BYTES));
                };
            case BYTES ->
                (BytesEvaluator) frame -> {
                    long row = frame.rows[source];
                    frame.isNull = isNull(row, nullWord, nullBit);
                    frame.bytesAddress = layout.bytesAddress(row, column);
                    frame.bytesLength = layout.bytesLength(row, column);
                };
        };
    }

    private static boolean isNull(long row, int nullWord, long nullBit) {
        return (OffHeap.getLong(row + nullWord) & nullBit) != 0;
    }
}
