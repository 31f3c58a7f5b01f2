package dev.fulmar.engine.procedure;

import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.ResultColumn;
import dev.fulmar.foundation.data.ResultLayout;
import dev.fulmar.foundation.data.TypeKind;
import java.util.List;

/** The types and offsets of the cells of a result's rows, computed once per statement. Immutable. */
public final class ResultShape {
    /** A result without columns. */
    public static final ResultShape EMPTY = new ResultShape(new ResultLayout(List.of()));

    private final ResultLayout layout;
    private final TypeKind[] kinds;
    private final TypeKind.Storage[] storages;
    private final int[] scales;
    private final int[] offsets;

    public ResultShape(ResultLayout layout) {
        this.layout = layout;
        List<ResultColumn> columns = layout.columns();
        kinds = new TypeKind[columns.size()];
        storages = new TypeKind.Storage[kinds.length];
        scales = new int[kinds.length];
        offsets = new int[kinds.length];
        int offset = layout.fixedRowBytes();
        for (int i = kinds.length - 1; i >= 0; i--) {
            ColumnType type = columns.get(i).type();
            kinds[i] = type.kind();
            storages[i] = type.storage();
            scales[i] = type.scale();
            offset -= type.cellBytes();
            offsets[i] = offset;
        }
    }

    public ResultLayout layout() {
        return layout;
    }

    public List<ResultColumn> columns() {
        return layout.columns();
    }

    public int columnCount() {
        return kinds.length;
    }

    public TypeKind kind(int column) {
        return kinds[column];
    }

    public TypeKind.Storage storage(int column) {
        return storages[column];
    }

    /** Digits after the point of a DECIMAL, else 0. */
    public int scale(int column) {
        return scales[column];
    }

    /** The offset of the cell, from the start of the row. */
    public int cellOffset(int column) {
        return offsets[column];
    }
}
