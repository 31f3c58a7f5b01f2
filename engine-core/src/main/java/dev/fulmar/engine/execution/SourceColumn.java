package dev.fulmar.engine.execution;

import dev.fulmar.engine.catalog.Aggregation;
import dev.fulmar.engine.execution.expression.Frame;
import dev.fulmar.engine.index.SearchKey;
import dev.fulmar.engine.row.RowImage;
import dev.fulmar.engine.row.RowLayout;
import java.util.List;

/**
 * Reads a grouping column of a materialized view from the source row in the evaluation frame, for search keys and view
 * rows.
 *
 * @param source number of its table
 */
record SourceColumn(int source, int column, RowLayout layout) {
    /** The column at the place. */
    static SourceColumn of(Aggregation aggregation, int place, List<ViewSource> sources) {
        int source = aggregation.sourceOf(place);
        return new SourceColumn(
                source, aggregation.columnOf(place), sources.get(source).rows().layout());
    }

    long row(Frame frame) {
        return frame.rows[source];
    }

    boolean isNull(Frame frame) {
        return RowLayout.isNull(row(frame), column);
    }

    void addTo(SearchKey key, Frame frame) {
        key.addColumn(layout, row(frame), column);
    }

    /** Puts the value into a column of the same type. */
    void copyTo(RowImage image, int target, Frame frame) {
        long row = row(frame);
        if (RowLayout.isNull(row, column)) {
            image.setNull(target);
            return;
        }
        switch (layout.kind(column)) {
            case BYTE, SHORT, INT, LONG -> image.setLong(target, layout.getLong(row, column));
            case FLOAT, DOUBLE -> image.setDouble(target, layout.getDouble(row, column));
            case WIDE -> image.setWide(target, layout.wideHigh(row, column), layout.wideLow(row, column));
            case BYTES -> image.setBytes(target, layout.bytesAddress(row, column), layout.bytesLength(row, column));
        }
    }
}
