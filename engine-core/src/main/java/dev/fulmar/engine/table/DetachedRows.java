package dev.fulmar.engine.table;

import dev.fulmar.engine.index.RowIndex;
import java.util.List;

/**
 * The rows of one table in a bucket that is in no partition, or on its way.
 *
 * @param roots their entries, by the place of the index among the table's indexes
 */
record DetachedRows(Bucket rows, List<RowIndex> roots) {
    DetachedRows {
        roots = List.copyOf(roots);
    }
}
