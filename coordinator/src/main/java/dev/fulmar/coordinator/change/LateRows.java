package dev.fulmar.coordinator.change;

import dev.fulmar.coordinator.access.StatementNeeds;
import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.plan.StatementPlan;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.stream.Collectors;

/**
 * A change of rows by a joint change that is made with the commit. It is made for the tables as the change leaves them,
 * and so for views that come with it. Only if it reads a table that goes with the commit, it is made for the tables of
 * its moment.
 *
 * @param entry rows, or a statement that was run
 * @param at the catalog as the transaction had changed it by then
 */
public record LateRows(CatalogEntry entry, Catalog at) {
    /** The text of the statement. */
    public String text() {
        return switch (entry) {
            case CatalogEntry.Rows rows -> rows.text();
            case CatalogEntry.Ran ran -> ran.text();
            default -> throw Invariants.breach("rows change by a statement about them");
        };
    }

    /**
     * Makes the change.
     *
     * @param planner plans a text for a catalog
     * @param last the catalog of the end
     */
    public AddedRows by(BiFunction<String, Catalog, StatementPlan> planner, Catalog last) {
        String text = text();
        StatementPlan then = planner.apply(text, at);
        Set<Integer> left = last.tables().values().stream().map(Table::id).collect(Collectors.toSet());
        if (left.containsAll(StatementNeeds.accessed(then, at))) {
            return of(planner.apply(text, last), last);
        }
        if (!views(at).equals(views(last))) {
            throw new FulmarException(
                    ErrorCode.NOT_SUPPORTED,
                    "the transaction changes materialized views, and drops a table from which it has taken rows; do one"
                            + " of these after COMMIT: " + text);
        }
        return of(then, at);
    }

    private AddedRows of(StatementPlan plan, Catalog catalog) {
        return entry instanceof CatalogEntry.Rows rows
                ? AddedRows.of(rows, plan, catalog)
                : AddedRows.of((CatalogEntry.Ran) entry, plan, catalog);
    }

    private static List<Table> views(Catalog catalog) {
        return catalog.tables().values().stream().filter(Table::isAggregation).toList();
    }
}
