package dev.fulmar.engine.execution;

import dev.fulmar.engine.execution.expression.Evaluator;
import dev.fulmar.engine.execution.expression.Frame;
import dev.fulmar.engine.execution.operator.PointRead;
import dev.fulmar.engine.execution.operator.Producer;
import dev.fulmar.engine.execution.operator.RelationCompiler;
import dev.fulmar.engine.execution.operator.RelationCompiler.TableColumn;
import dev.fulmar.engine.memory.OffHeap;
import dev.fulmar.engine.row.CellKind;
import dev.fulmar.engine.row.RowLayout;
import dev.fulmar.foundation.data.ResultBlockWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Copies plain columns of one table's row into a result block, without asking evaluators. */
final class RowSink extends ResultSink {
    private static final int BYTES = 0;
    private static final int LONG = 1;
    private static final int INT = 2;
    private static final int DOUBLE = 3;
    private static final int BYTE = 4;
    private static final int SHORT = 5;
    private static final int FLOAT = 6;
    private static final int WIDE = 7;

    private final int source;
    private final RowLayout layout;
    private final int[] codes;
    private final int[] offsets;
    private final int[] stateOffsets;
    private final long[] nullBits;
    private final int[] bytesColumns;
    private final int[] blockColumns;
    /** No column of bytes stands twice, so lengths add up to the stretch that they fill. */
    private final boolean distinct;

    private final int[] otherColumns;
    /** Offset of the one word with the null bits of all columns, -1 if they lie in several. */
    private final int nullWord;

    private final long anyNull;
    private final int[] places;
    private final int[] lengths;

    private RowSink(List<Evaluator> columns, List<TableColumn> cells) {
        super(columns);
        source = cells.getFirst().source();
        layout = cells.getFirst().layout();
        int count = cells.size();
        codes = new int[count];
        offsets = new int[count];
        stateOffsets = new int[count];
        nullBits = new long[count];
        List<Integer> bytes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int column = cells.get(i).column();
            codes[i] = code(layout.kind(column));
            offsets[i] = layout.offset(column);
            stateOffsets[i] = RowLayout.nullWordOffset(column);
            nullBits[i] = RowLayout.nullBit(column);
            if (codes[i] == BYTES) {
                bytes.add(i);
            }
        }
        distinct = bytes.stream().map(i -> offsets[i]).distinct().count() == bytes.size();
        bytesColumns = bytes.stream().mapToInt(Integer::intValue).toArray();
        otherColumns = IntStream.range(0, count).filter(i -> codes[i] != BYTES).toArray();
        nullWord = Arrays.stream(stateOffsets).distinct().count() == 1 ? stateOffsets[0] : -1;
        anyNull = Arrays.stream(nullBits).reduce(0, (all, bit) -> all | bit);
        places = new int[bytesColumns.length];
        lengths = new int[bytesColumns.length];
        blockColumns = bytes.stream().mapToInt(i -> cells.get(i).column()).toArray();
    }

    private static int code(CellKind kind) {
        return switch (kind) {
            case BYTES -> BYTES;
            case LONG -> LONG;
            case INT -> INT;
            case DOUBLE -> DOUBLE;
            case BYTE -> BYTE;
            case SHORT -> SHORT;
            case FLOAT -> FLOAT;
            case WIDE -> WIDE;
        };
    }

    /** A sink for the columns, or null unless all are plain columns of one source. */
    static @Nullable RowSink of(List<Evaluator> columns, RelationCompiler relations) {
        List<TableColumn> cells = new ArrayList<>();
        for (Evaluator column : columns) {
            TableColumn cell = relations.tableColumn(column);
            if (cell == null || (!cells.isEmpty() && cells.getFirst().source() != cell.source())) {
                return null;
            }
            cells.add(cell);
        }
        return cells.isEmpty() ? null : new RowSink(columns, cells);
    }

    /** The memory that the producer is going to read for this sink, or null if that is not known beforehand. */
    @Nullable PointRead pointRead(Producer producer) {
        return PointRead.of(producer, source, blockColumns);
    }

    @Override
    public boolean accept(Frame frame) {
        ResultBlockWriter target = writer();
        long row = frame.rows[source];
        target.startRow();
        if (distinct && nullWord >= 0 && (OffHeap.getLong(row + nullWord) & anyNull) == 0) {
            writeWithoutNulls(row, target);
        } else {
            writeAny(row, target);
        }
        target.endRow();
        return true;
    }

    private void writeAny(long row, ResultBlockWriter target) {
        if (bytesColumns.length > 0) {
            writeBytes(row, target);
        }
        for (int column = 0; column < codes.length; column++) {
            if (isNull(row, column)) {
                target.setNull(column);
                continue;
            }
            long cell = row + offsets[column];
            switch (codes[column]) {
                case BYTES -> {
                    // Written before.
                }
                case LONG -> target.setLong(column, OffHeap.getLong(cell));
                case INT -> target.setLong(column, OffHeap.getInt(cell));
                case DOUBLE -> target.setDouble(column, OffHeap.getDouble(cell));
                case BYTE -> target.setLong(column, OffHeap.getByte(cell));
                case SHORT -> target.setLong(column, OffHeap.getShort(cell));
                case FLOAT -> target.setDouble(column, OffHeap.getFloat(cell));
                default -> target.setWide(column, OffHeap.getLong(cell), OffHeap.getLong(cell + Long.BYTES));
            }
        }
    }

    /**
     * The same for a row without nulls among the columns: cells of texts are read once and no null bit is asked for.
     */
    private void writeWithoutNulls(long row, ResultBlockWriter target) {
        if (bytesColumns.length > 0) {
            writePresentBytes(row, target);
        }
        for (int column : otherColumns) {
            long cell = row + offsets[column];
            switch (codes[column]) {
                case LONG -> target.setLong(column, OffHeap.getLong(cell));
                case INT -> target.setLong(column, OffHeap.getInt(cell));
                case DOUBLE -> target.setDouble(column, OffHeap.getDouble(cell));
                case BYTE -> target.setLong(column, OffHeap.getByte(cell));
                case SHORT -> target.setLong(column, OffHeap.getShort(cell));
                case FLOAT -> target.setDouble(column, OffHeap.getFloat(cell));
                default -> target.setWide(column, OffHeap.getLong(cell), OffHeap.getLong(cell + Long.BYTES));
            }
        }
    }

    private void writePresentBytes(long row, ResultBlockWriter target) {
        long block = layout.block(row);
        int start = Integer.MAX_VALUE;
        int end = 0;
        int total = 0;
        for (int i = 0; i < bytesColumns.length; i++) {
            long cell = row + offsets[bytesColumns[i]];
            int offset = OffHeap.getInt(cell);
            int length = OffHeap.getInt(cell + Integer.BYTES);
            places[i] = offset;
            lengths[i] = length;
            start = Math.min(start, offset);
            end = Math.max(end, offset + length);
            total += length;
        }
        if (end - start == total) {
            int first = target.appendBytes(block + start, total) - start;
            for (int i = 0; i < bytesColumns.length; i++) {
                target.setBytesAt(bytesColumns[i], first + places[i], lengths[i]);
            }
        } else {
            for (int i = 0; i < bytesColumns.length; i++) {
                target.setBytes(bytesColumns[i], block + places[i], lengths[i]);
            }
        }
    }

    private boolean isNull(long row, int column) {
        return (OffHeap.getLong(row + stateOffsets[column]) & nullBits[column]) != 0;
    }

    /**
     * Values that fill a stretch of the row's block without a gap are copied at once; a gap may hold what was not asked
     * for.
     */
    private void writeBytes(long row, ResultBlockWriter target) {
        long block = layout.block(row);
        int start = Integer.MAX_VALUE;
        int end = 0;
        int total = 0;
        for (int column : bytesColumns) {
            if (!isNull(row, column)) {
                int offset = OffHeap.getInt(row + offsets[column]);
                int length = OffHeap.getInt(row + offsets[column] + Integer.BYTES);
                start = Math.min(start, offset);
                end = Math.max(end, offset + length);
                total += length;
            }
        }
        boolean whole = distinct && end - start == total;
        int first = whole ? target.appendBytes(block + start, total) - start : 0;
        for (int column : bytesColumns) {
            if (!isNull(row, column)) {
                int offset = OffHeap.getInt(row + offsets[column]);
                int length = OffHeap.getInt(row + offsets[column] + Integer.BYTES);
                if (whole) {
                    target.setBytesAt(column, first + offset, length);
                } else {
                    target.setBytes(column, block + offset, length);
                }
            }
        }
    }
}
