package dev.fulmar.sql.planner;

import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Sort;

/** Finds queries that let copies of a table answer differently, because their rows are in no promised order. */
final class RowChoice {
    private RowChoice() {}

    /** Whether the query takes some of its rows, LIMIT or OFFSET, where which ones is not determined. */
    static boolean isArbitrary(RelNode rel) {
        return (rel instanceof Sort sort && (sort.fetch != null || sort.offset != null))
                || rel.getInputs().stream().anyMatch(RowChoice::isArbitrary);
    }
}
