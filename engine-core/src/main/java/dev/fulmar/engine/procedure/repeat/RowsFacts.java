package dev.fulmar.engine.procedure.repeat;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The known facts of the rows that a relation yields.
 *
 * @param atMostOne there is one row or none
 * @param keys sets of columns of which no two rows have equal values
 * @param cause why the order is not determined; empty if it is
 */
record RowsFacts(RowOrder order, boolean atMostOne, List<Set<Integer>> keys, String cause) {
    RowsFacts {
        keys = keys.stream().map(Set::copyOf).toList();
        order = atMostOne && order == RowOrder.UNORDERED ? RowOrder.DETERMINED : order;
        cause = order == RowOrder.DETERMINED ? "" : cause;
    }

    static RowsFacts determined(boolean atMostOne) {
        return new RowsFacts(RowOrder.DETERMINED, atMostOne, List.of(), "");
    }

    static RowsFacts undetermined(String cause) {
        return new RowsFacts(RowOrder.UNDETERMINED, false, List.of(), cause);
    }

    RowsFacts withKeys(List<Set<Integer>> newKeys) {
        return new RowsFacts(order, atMostOne, newKeys, cause);
    }

    RowsFacts ordered() {
        return new RowsFacts(RowOrder.DETERMINED, atMostOne, keys, "");
    }

    RowsFacts single() {
        return new RowsFacts(order, true, keys, cause);
    }

    /** Each row of these with some rows of the others: the columns of the others follow. */
    RowsFacts with(RowsFacts others, int width) {
        Set<Set<Integer>> both = new HashSet<>();
        for (Set<Integer> key : keys) {
            for (Set<Integer> other : others.keys) {
                Set<Integer> joined = new HashSet<>(key);
                other.forEach(column -> joined.add(width + column));
                both.add(joined);
            }
        }
        boolean mine = order.compareTo(others.order) >= 0;
        return new RowsFacts(
                order.or(others.order), atMostOne && others.atMostOne, List.copyOf(both), mine ? cause : others.cause);
    }
}
