package dev.fulmar.coordinator.routing;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.SchemaName;
import dev.fulmar.engine.catalog.Table;
import java.util.Objects;

/**
 * Decides whether SQL that writes goes to the same partitions after a change of the catalog, so that a retry finds its
 * outcome there. Much may send it elsewhere: the partitioning, names, types, defaults, foreign keys, views. So every
 * change of an existing table or view counts. A new one counts unless it concerns no existing one.
 */
final class RoutedStatements {
    private RoutedStatements() {}

    /** Whether all SQL that was right before, and writes, goes where it went. */
    static boolean areSame(Catalog before, Catalog after) {
        return before.tables().values().stream()
                        .allMatch(table -> isUnknownToOthers(table)
                                || table.equals(after.tables().get(table.name())))
                && before.views().values().stream()
                        .allMatch(view -> view.equals(after.views().get(view.name())))
                && after.tables().values().stream()
                        .allMatch(table -> before.tables().containsKey(table.name()) || concernsNoOther(table))
                && before.functions().entrySet().stream()
                        .allMatch(entry ->
                                entry.getValue().equals(after.functions().get(entry.getKey())))
                && before.enumerations().entrySet().stream()
                        .allMatch(entry -> Objects.equals(
                                entry.getValue(), after.enumerations().get(entry.getKey())));
    }

    /** No SQL names it that is sent again over another connection. */
    private static boolean isUnknownToOthers(Table table) {
        return SchemaName.isPending(table.name()) || SchemaName.isInTemporary(table.name());
    }

    /** A new table whose rows are not looked at, or written, where those of others are. */
    private static boolean concernsNoOther(Table table) {
        return table.foreignKeys().isEmpty() && table.aggregation().isEmpty();
    }
}
