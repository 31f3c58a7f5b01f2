package dev.fulmar.coordinator.draft;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.ForeignKey;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.execution.ReferencePlaces;
import dev.fulmar.engine.execution.ReferencePlaces.Referring;
import dev.fulmar.engine.plan.Operation;
import dev.fulmar.engine.plan.StatementPlan;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntPredicate;

/** Tables whose rows change by themselves when those of another one change. */
final class Followers {
    private Followers() {}

    /** Those that follow the plan's change of the table: by actions of foreign keys, or as materialized views. */
    static List<Table> of(StatementPlan plan, Table table, Catalog catalog) {
        boolean adds = plan.fragments().getFirst().operation() instanceof Operation.Insert;
        List<Table> found = new ArrayList<>();
        Set<Integer> met = new TreeSet<>(Set.of(table.id()));
        List<Table> changed = new ArrayList<>(List.of(table));
        for (int i = 0; i < changed.size(); i++) {
            Table each = changed.get(i);
            for (Table other : catalog.tables().values()) {
                if (other.aggregates(each) && met.add(other.id())) {
                    found.add(other);
                }
            }
            for (Referring referring : adds ? List.<Referring>of() : ReferencePlaces.referring(each, catalog)) {
                if (acts(referring.key()) && met.add(referring.table().id())) {
                    found.add(referring.table());
                    changed.add(referring.table());
                }
            }
        }
        return found;
    }

    /** Whether rows of a table that refers to itself follow others of it. */
    static boolean followsItself(Table table, Catalog catalog) {
        return ReferencePlaces.referring(table, catalog).stream()
                .anyMatch(each -> each.table().id() == table.id() && acts(each.key()));
    }

    private static boolean acts(ForeignKey key) {
        return key.onDelete() != ForeignKey.Action.NO_ACTION || key.onUpdate() != ForeignKey.Action.NO_ACTION;
    }

    /** Whether a table with rows of before refers to the other one by a key that it did not have before. */
    static boolean isReferredAnew(Table table, Catalog before, Catalog after, IntPredicate isMade) {
        Set<ForeignKey> known = new HashSet<>();
        ReferencePlaces.referring(table, before).forEach(each -> known.add(each.key()));
        return ReferencePlaces.referring(table, after).stream().anyMatch(each -> {
            Table former = before.tables().get(each.table().name());
            return former != null && !isMade.test(former.id()) && !known.contains(each.key());
        });
    }
}
