package dev.fulmar.coordinator.change;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.CatalogChange.CreateView;
import dev.fulmar.engine.catalog.CatalogChange.DropView;
import dev.fulmar.engine.catalog.CatalogChange.Presence;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.catalog.View;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Builds the next catalog when a view is created or dropped. */
final class ViewEdit {
    private ViewEdit() {}

    static CatalogEdit create(CreateView create, Catalog catalog) {
        View view = create.view();
        boolean isView = catalog.views().containsKey(view.name());
        if (catalog.tables().containsKey(view.name()) || (isView && !create.replace())) {
            if (create.presence() == Presence.LENIENT) {
                return CatalogEdit.unchanged(catalog);
            }
            throw CatalogEdit.exists(isView ? "view" : "table", view.name());
        }
        SchemaEdit.check(view.name(), catalog);
        for (String used : view.uses()) {
            if (!catalog.tables().containsKey(used) && !catalog.views().containsKey(used)) {
                throw new FulmarException(
                        ErrorCode.TRANSACTION_RESTART,
                        used + " was dropped while the statement waited for its turn; try again");
            }
        }
        if (all(view, catalog).contains(view.name())) {
            throw new FulmarException(
                    ErrorCode.NOT_SUPPORTED, "view " + view.name() + " would use itself; write what it is to show");
        }
        return new CatalogEdit(catalog.withView(view), List.of());
    }

    static CatalogEdit drop(DropView drop, Catalog catalog) {
        Table table = catalog.tables().get(drop.name());
        if (table != null && table.isAggregation()) {
            return AggregationEdit.drop(table, catalog, drop.cascade());
        }
        if (!catalog.views().containsKey(drop.name())) {
            if (drop.presence() == Presence.LENIENT) {
                return CatalogEdit.unchanged(catalog);
            }
            throw new FulmarException(ErrorCode.UNKNOWN_OBJECT, "there is no view " + drop.name());
        }
        return new CatalogEdit(
                withoutUsers(catalog, "view", drop.name(), drop.cascade()).withoutView(drop.name()), List.of());
    }

    /** The catalog without the views that use the table or view; an error if there are any and they are not to go. */
    static Catalog withoutUsers(Catalog catalog, String kind, String name, boolean cascade) {
        Catalog remaining = catalog;
        for (View view : catalog.views().values()) {
            if (view.name().equals(name) || !all(view, catalog).contains(name)) {
                continue;
            }
            if (!cascade) {
                throw new FulmarException(
                        ErrorCode.DEPENDENT_OBJECTS,
                        "view " + view.name() + " uses " + kind + " " + name + "; drop it first, or say CASCADE");
            }
            remaining = remaining.withoutView(view.name());
        }
        return remaining;
    }

    /** Everything that the view uses, directly or through other views. */
    private static Set<String> all(View view, Catalog catalog) {
        Set<String> all = new TreeSet<>();
        collect(view, catalog, all);
        return all;
    }

    private static void collect(View view, Catalog catalog, Set<String> all) {
        for (String used : view.uses()) {
            View inner = catalog.views().get(used);
            if (all.add(used) && inner != null) {
                collect(inner, catalog, all);
            }
        }
    }
}
