package dev.fulmar.sql.planner;

import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Sort;

/**
 * Detects LIMIT or OFFSET in a query that an INSERT stores in a replicated table, because the copies could choose
 * different rows. Such a query does not run on each copy by itself.
 */
final class RowChoice {
    private RowChoice() {}

    /** Whether the query takes some of its rows, LIMIT or OFFSET, where which ones is not determined. */
    static boolean isArbitrary(RelNode rel) {
        return (rel instanceof Sort sort && (sort.fetch != null || sort.offset != null))
                || rel.getInputs().stream().anyMatch(RowChoice::isArbitrary);
    }
}
