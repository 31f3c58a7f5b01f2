package dev.fulmar.sql.planner;

import dev.fulmar.engine.catalog.Index;
import dev.fulmar.engine.catalog.IndexColumn;
import dev.fulmar.engine.catalog.Table;
import java.util.List;
import java.util.Set;

/**
 * The direction in which an index scan yields a wanted order, if it does. In index order nulls are higher than every
 * value.
 */
enum IndexOrder {
    NONE,
    FORWARDS,
    BACKWARDS;

    /**
     * Compares an index with a wanted order of the table's rows.
     *
     * @param equal how many of the first key columns have one value
     * @param pinned further columns that have one value
     */
    static IndexOrder compare(Table table, Index index, int equal, Set<Integer> pinned, List<OrderKey> wanted) {
        List<OrderKey> open =
                wanted.stream().filter(key -> !pinned.contains(key.column())).toList();
        if (wanted.isEmpty()) {
            return NONE;
        }
        IndexOrder direction = NONE;
        int next = equal;
        for (OrderKey key : open) {
            while (next < index.columns().size()
                    && !key.isOf(index.columns().get(next))
                    && pinned.contains(index.columns().get(next).column())) {
                next++;
            }
            if (next == index.columns().size()) {
                return index.unique() && hasNoNulls(table, index) ? orForwards(direction) : NONE;
            }
            IndexOrder needed = direction(table, index.columns().get(next), key);
            if (needed == NONE || (direction != NONE && direction != needed)) {
                return NONE;
            }
            direction = needed;
            next++;
        }
        return orForwards(direction);
    }

    private static IndexOrder orForwards(IndexOrder direction) {
        return direction == NONE ? FORWARDS : direction;
    }

    private static boolean hasNoNulls(Table table, Index index) {
        return index.columns().stream().noneMatch(column -> column.nullable(table));
    }

    private static IndexOrder direction(Table table, IndexColumn column, OrderKey key) {
        boolean nullsAsInIndex = key.nullsFirst() == key.descending() || !column.nullable(table);
        if (!key.isOf(column) || !nullsAsInIndex) {
            return NONE;
        }
        return column.descending() == key.descending() ? FORWARDS : BACKWARDS;
    }
}
