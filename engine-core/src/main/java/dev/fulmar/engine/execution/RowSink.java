package dev.fulmar.engine.execution;

import dev.fulmar.engine.execution.expression.Evaluator;
import dev.fulmar.engine.execution.expression.Frame;
import dev.fulmar.engine.execution.operator.RelationCompiler;
import dev.fulmar.engine.execution.operator.RelationCompiler.TableColumn;
import dev.fulmar.engine.memory.OffHeap;
import dev.fulmar.engine.row.CellKind;
import dev.fulmar.engine.row.RowLayout;
import dev.fulmar.foundation.data.ResultBlockWriter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Copies plain columns of one table's row into a result block, without asking evaluators. */
final class RowSink extends ResultSink {
    private final int source;
    private final RowLayout layout;
    private final CellKind[] kinds;
    private final int[] offsets;
    private final int[] stateOffsets;
    private final long[] nullBits;
    private final boolean variable;

    private RowSink(List<Evaluator> columns, List<TableColumn> cells) {
        super(columns);
        source = cells.getFirst().source();
        layout = cells.getFirst().layout();
        int count = cells.size();
        kinds = new CellKind[count];
        offsets = new int[count];
        stateOffsets = new int[count];
        nullBits = new long[count];
        boolean bytes = false;
        for (int i = 0; i < count; i++) {
            int column = cells.get(i).column();
            kinds[i] = layout.kind(column);
            offsets[i] = layout.offset(column);
            stateOffsets[i] = RowLayout.nullWordOffset(column);
            nullBits[i] = RowLayout.nullBit(column);
            bytes |= kinds[i] == CellKind.BYTES;
        }
        variable = bytes;
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

    @Override
    public boolean accept(Frame frame) {
        ResultBlockWriter target = writer();
        long row = frame.rows[source];
        long block = variable ? layout.block(row) : 0;
        target.startRow();
        for (int column = 0; column < kinds.length; column++) {
            if ((OffHeap.getLong(row + stateOffsets[column]) & nullBits[column]) != 0) {
                target.setNull(column);
                continue;
            }
            long cell = row + offsets[column];
            switch (kinds[column]) {
                case BYTES ->
                    target.setBytes(column, block + OffHeap.getInt(cell), OffHeap.getInt(cell + Integer.BYTES));
                case LONG -> target.setLong(column, OffHeap.getLong(cell));
                case INT -> target.setLong(column, OffHeap.getInt(cell));
                case DOUBLE -> target.setDouble(column, OffHeap.getDouble(cell));
                case BYTE -> target.setLong(column, OffHeap.getByte(cell));
                case SHORT -> target.setLong(column, OffHeap.getShort(cell));
                case FLOAT -> target.setDouble(column, OffHeap.getFloat(cell));
                case WIDE -> target.setWide(column, OffHeap.getLong(cell), OffHeap.getLong(cell + Long.BYTES));
            }
        }
        target.endRow();
        return true;
    }
}
