package dev.fulmar.coordinator.access;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.ForeignKey;
import dev.fulmar.engine.catalog.Table;
import java.util.ArrayDeque;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The tables that a statement depends on and changes, by their names with schemas. Both may have more tables than that,
 * never fewer.
 *
 * @param read on whose rows it depends
 * @param skipping to which it adds rows whose keys are not there yet
 * @param changed with those whose rows follow: by ON DELETE and ON UPDATE, and of materialized views
 */
public record TouchedTables(SortedSet<String> read, SortedSet<String> skipping, SortedSet<String> changed) {
    public TouchedTables {
        read = new TreeSet<>(read);
        skipping = new TreeSet<>(skipping);
        changed = new TreeSet<>(changed);
    }

    /**
     * @param read ids of tables, as the others
     * @param rewritten tables of which rows that were there may be other ones, or gone
     */
    static TouchedTables of(
            Set<Integer> read, Set<Integer> skipping, Set<Integer> changed, Set<Integer> rewritten, Catalog catalog) {
        if (changed.isEmpty()) {
            return new TouchedTables(names(read, catalog), new TreeSet<>(), new TreeSet<>());
        }
        SortedSet<String> following = names(rewritten, catalog);
        ArrayDeque<String> waiting = new ArrayDeque<>(following);
        while (!waiting.isEmpty()) {
            String parent = waiting.remove();
            for (Table table : catalog.tables().values()) {
                boolean follows = table.foreignKeys().stream()
                        .anyMatch(key -> key.parent().equals(parent) && hasAction(key));
                if (follows && following.add(table.name())) {
                    waiting.add(table.name());
                }
            }
        }
        following.addAll(names(changed, catalog));
        SortedSet<String> all = new TreeSet<>(following);
        for (Table view : catalog.tables().values()) {
            if (view.isAggregation() && following.stream().anyMatch(name -> view.aggregates(catalog.table(name)))) {
                all.add(view.name());
            }
        }
        return new TouchedTables(names(read, catalog), names(skipping, catalog), all);
    }

    private static boolean hasAction(ForeignKey key) {
        return key.onDelete() != ForeignKey.Action.NO_ACTION || key.onUpdate() != ForeignKey.Action.NO_ACTION;
    }

    private static SortedSet<String> names(Set<Integer> ids, Catalog catalog) {
        SortedSet<String> names = new TreeSet<>();
        for (Table table : catalog.tables().values()) {
            if (ids.contains(table.id()) && !table.isSequence()) {
                names.add(table.name());
            }
        }
        return names;
    }
}
