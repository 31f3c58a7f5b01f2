package dev.fulmar.engine.execution;

import dev.fulmar.engine.catalog.Aggregation;
import dev.fulmar.engine.index.SearchKey;
import dev.fulmar.engine.index.SearchRange;
import dev.fulmar.engine.row.RowLayout;
import dev.fulmar.engine.table.IndexCursor;
import dev.fulmar.engine.table.TableIndex;
import dev.fulmar.engine.table.UpdateShape;
import dev.fulmar.foundation.check.Invariants;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the rows of one table of a join for a row of the other, by an index that begins with columns of the join. It
 * shows all that are joined with the row, and perhaps more: the view's condition tells which they are.
 */
final class JoinedRows {
    private final RowLayout otherLayout;
    private final int[] otherColumns;
    private final TableIndex index;
    private final SearchRange range;
    private final IndexCursor cursor;
    private final SearchKey one;
    private final SearchKey another;
    private boolean isEmpty;

    /** @param number of the table whose rows are found */
    JoinedRows(Aggregation aggregation, int number, List<ViewSource> sources) {
        otherLayout = sources.get(1 - number).rows().layout();
        List<Integer> columns = aggregation.joinColumns(number);
        // Of the indexes that are there: one that comes with a new view is made after its first rows.
        index = sources.get(number).rows().indexes().stream()
                .filter(candidate -> candidate.isOrdered() && leading(candidate, columns) > 0)
                .min(Comparator.comparing((TableIndex candidate) -> -leading(candidate, columns))
                        .thenComparing(candidate -> candidate.definition().id()))
                .orElseThrow(() -> Invariants.breach("the columns by which a view joins tables are indexed"));
        List<Aggregation.Equal> equal = aggregation.join().orElseThrow().equal();
        otherColumns = index.definition().columns().stream()
                .limit(leading(index, columns))
                .mapToInt(key -> equal.stream()
                        .filter(each -> each.of(number) == key.column())
                        .findFirst()
                        .orElseThrow()
                        .of(1 - number))
                .toArray();
        range = index.newRange();
        cursor = index.newCursor();
        one = index.newKey();
        another = index.newKey();
    }

    private static int leading(TableIndex index, List<Integer> columns) {
        return index.definition().leadingKeys(columns);
    }

    /** The rows for a row of the other table follow. */
    void open(long row) {
        open(row, row, null);
    }

    /** The rows for a row of the other table once it has the values that the image has in the shape's columns. */
    void open(long row, long image, @Nullable UpdateShape shape) {
        SearchKey prefix = range.reset().prefix();
        isEmpty = false;
        for (int column : otherColumns) {
            long from = shape != null && shape.changes(column) ? image : row;
            if (RowLayout.isNull(from, column)) {
                isEmpty = true; // a null equals nothing
                return;
            }
            prefix.addColumn(otherLayout, from, column);
        }
        index.open(cursor, range, false);
    }

    /** The next row, 0 at the end. */
    long next() {
        return isEmpty ? 0 : cursor.next();
    }

    /** Whether the same rows, at least one perhaps, are found for both rows of the other table. */
    boolean areAlike(long row, long other) {
        return key(row, one) && key(other, another) && one.isSameAs(another);
    }

    /** False if there is a null among the values. */
    private boolean key(long row, SearchKey key) {
        key.reset();
        for (int column : otherColumns) {
            if (RowLayout.isNull(row, column)) {
                return false;
            }
            key.addColumn(otherLayout, row, column);
        }
        return true;
    }
}
