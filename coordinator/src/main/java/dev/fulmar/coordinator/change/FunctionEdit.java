package dev.fulmar.coordinator.change;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.CatalogChange;
import dev.fulmar.engine.catalog.CatalogChange.Presence;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.Locale;

/** Changes of the catalog's functions. Statements that use one are checked when the new catalog is loaded. */
final class FunctionEdit {
    private FunctionEdit() {}

    static CatalogEdit create(CatalogChange.CreateFunction create, Catalog catalog) {
        String name = create.function().name();
        if (!create.replace() && catalog.functions().containsKey(name)) {
            throw CatalogEdit.exists("function", name);
        }
        if (catalog.procedure(name) != null) {
            throw CatalogEdit.exists("procedure", name);
        }
        return CatalogEdit.withoutSteps(catalog.withFunction(create.function()));
    }

    static CatalogEdit drop(CatalogChange.DropFunction drop, Catalog catalog) {
        if (catalog.functions().containsKey(drop.name())) {
            return CatalogEdit.withoutSteps(catalog.withoutFunction(drop.name()));
        }
        if (drop.presence() == Presence.LENIENT) {
            return CatalogEdit.unchanged(catalog);
        }
        throw new FulmarException(
                ErrorCode.UNKNOWN_PROCEDURE, "there is no function " + drop.name() + "; CREATE FUNCTION makes one");
    }

    /** Functions and procedures have different names: one right to execute is for one of them. */
    static void checkNoFunction(String procedure, Catalog catalog) {
        if (catalog.functions().containsKey(procedure.toUpperCase(Locale.ROOT))) {
            throw CatalogEdit.exists("function", procedure);
        }
    }
}
