package dev.fulmar.engine.execution;

import dev.fulmar.engine.catalog.Aggregation;
import dev.fulmar.engine.execution.expression.Frame;
import dev.fulmar.engine.memory.OffHeap;
import dev.fulmar.engine.row.RowImage;
import dev.fulmar.engine.row.RowLayout;
import dev.fulmar.foundation.data.LittleEndian;
import java.util.Arrays;
import java.util.List;

/**
 * The key of the columns of a group that can be null, as bytes: a primary key has no nulls, but groups do. Of each
 * column 0 for null, else 1 and the value, behind its length where that varies. Stored: it stays as it is.
 */
final class GroupKey {
    private static final byte NULL = 0;
    private static final byte VALUE = 1;
    private static final int MOST_FIXED_BYTES = 2 * Long.BYTES;

    private final List<SourceColumn> columns;
    private byte[] bytes = new byte[64];
    private int length;

    GroupKey(Aggregation aggregation, List<ViewSource> sources) {
        columns = aggregation.groups().stream()
                .filter(Aggregation.Group::nullable)
                .map(group -> SourceColumn.of(aggregation, group.place(), sources))
                .toList();
    }

    /** Puts the key of the sources' rows into the column. */
    void write(Frame frame, RowImage image, int column) {
        length = 0;
        for (int i = 0; i < columns.size(); i++) {
            SourceColumn group = columns.get(i);
            if (group.isNull(frame)) {
                makeRoom(1);
                bytes[length++] = NULL;
            } else {
                makeRoom(1 + MOST_FIXED_BYTES);
                bytes[length++] = VALUE;
                add(group.layout(), group.row(frame), group.column());
            }
        }
        image.setBytes(column, bytes, 0, length);
    }

    private void add(RowLayout layout, long row, int place) {
        switch (layout.kind(place)) {
            case BYTE, SHORT, INT, LONG -> add(layout.getLong(row, place));
            case FLOAT, DOUBLE -> add(Double.doubleToLongBits(layout.getDouble(row, place)));
            case WIDE -> {
                add(layout.wideHigh(row, place));
                add(layout.wideLow(row, place));
            }
            case BYTES -> {
                int count = layout.bytesLength(row, place);
                add(count);
                makeRoom(count);
                OffHeap.copy(layout.bytesAddress(row, place), bytes, length, count);
                length += count;
            }
        }
    }

    private void add(long value) {
        LittleEndian.putLong(bytes, length, value);
        length += Long.BYTES;
    }

    private void makeRoom(int more) {
        if (length + more > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, length + more));
        }
    }
}
