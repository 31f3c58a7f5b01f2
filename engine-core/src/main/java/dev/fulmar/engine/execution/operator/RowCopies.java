package dev.fulmar.engine.execution.operator;

import dev.fulmar.engine.execution.expression.Evaluator;
import dev.fulmar.engine.execution.expression.Frame;
import dev.fulmar.engine.execution.value.ScratchMemory;
import dev.fulmar.engine.memory.OffHeap;
import dev.fulmar.engine.row.RowImage;
import dev.fulmar.foundation.data.ColumnType;
import java.util.List;

/**
 * Keeps the new values of rows that an UPDATE collects before it changes any, and puts them into row images afterwards.
 */
public final class RowCopies {
    private final TupleLayout layout;
    private final TupleWriter writer;
    private final ScratchMemory memory;

    /** @param values one per type */
    public RowCopies(List<ColumnType> types, List<Evaluator> values, ScratchMemory memory) {
        layout = new TupleLayout(types);
        writer = new TupleWriter(layout, values);
        this.memory = memory;
    }

    /** Keeps the values of the current row; returns the copy's address. */
    public long write(Frame frame) {
        return writer.write(frame, memory);
    }

    /** Sets all columns of the image. */
    public void read(long copy, RowImage image) {
        image.clear();
        for (int column = 0; column < layout.columnCount(); column++) {
            long cell = copy + layout.offset(column);
            if (TupleLayout.isNull(copy, column)) {
                image.setNull(column);
                continue;
            }
            switch (layout.types().get(column).storage()) {
                case LONG -> image.setLong(column, OffHeap.getLong(cell));
                case DOUBLE -> image.setDouble(column, OffHeap.getDouble(cell));
                case WIDE -> image.setWide(column, OffHeap.getLong(cell), OffHeap.getLong(cell + Long.BYTES));
                case BYTES -> image.setBytes(column, copy + OffHeap.getInt(cell), OffHeap.getInt(cell + Integer.BYTES));
            }
        }
    }
}
