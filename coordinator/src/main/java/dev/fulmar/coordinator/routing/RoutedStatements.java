package dev.fulmar.coordinator.routing;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.SchemaName;
import dev.fulmar.engine.catalog.Table;

/**
 * Whether a change of the catalog may take SQL that writes to other partitions. Much may: the partitioning, names,
 * types, defaults, foreign keys, views. So whatever happens to a table or view that is there counts; what comes new
 * does unless nothing that was there before is concerned by it.
 */
final class RoutedStatements {
    private RoutedStatements() {}

    /** Whether all SQL that was right before, and writes, goes where it went. */
    static boolean areSame(Catalog before, Catalog after) {
        return before.tables().values().stream()
                        .allMatch(table ->
                                isPending(table) || table.equals(after.tables().get(table.name())))
                && before.views().values().stream()
                        .allMatch(view -> view.equals(after.views().get(view.name())))
                && after.tables().values().stream()
                        .allMatch(table -> before.tables().containsKey(table.name()) || concernsNoOther(table));
    }

    /** Nobody's SQL names it yet. */
    private static boolean isPending(Table table) {
        return SchemaName.isPending(table.name());
    }

    /** A new table whose rows are not looked at, or written, where those of others are. */
    private static boolean concernsNoOther(Table table) {
        return table.foreignKeys().isEmpty() && table.aggregation().isEmpty();
    }
}
