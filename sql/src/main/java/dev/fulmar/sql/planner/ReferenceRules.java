package dev.fulmar.sql.planner;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.ForeignKey;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.plan.Operation;
import dev.fulmar.engine.plan.StatementPlan;
import dev.fulmar.sql.text.SqlErrors;

/** Refuses writes in steps that would take rows out, for a moment, to which others refer. */
public final class ReferenceRules {
    private ReferenceRules() {}

    /** Looks at what a write in steps does to its table. */
    public static void check(StatementPlan plan, Catalog catalog) {
        plan.steps().ifPresent(steps -> {
            boolean takesOut = !steps.chosen() && steps.changes().size() > 1;
            if (takesOut
                    && steps.changes().getFirst().fragments().getFirst().operation()
                            instanceof Operation.Delete delete) {
                catalog.tables().values().stream()
                        .filter(table -> table.id() == delete.table())
                        .forEach(table -> checkStays(table, catalog));
            }
        });
    }

    /** A row that is taken out and put in again is gone in between, and what refers to it with it. */
    private static void checkStays(Table table, Catalog catalog) {
        for (Table other : catalog.tables().values()) {
            for (ForeignKey key : other.foreignKeys()) {
                if (key.parent().equals(table.name())) {
                    throw SqlErrors.notSupported("an UPDATE of the partitioning column of " + table.name()
                            + ", or one of its primary key by a subquery, is not possible while " + key.name() + " of "
                            + other.name()
                            + " refers to it; insert the new row, change what refers, delete the old one");
                }
            }
        }
    }
}
