package dev.fulmar.coordinator.change;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.CatalogChange;
import dev.fulmar.engine.catalog.CatalogChange.Presence;
import dev.fulmar.engine.userfunction.UserAggregate;
import dev.fulmar.engine.userfunction.UserFunction;
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
        UserFunction before = catalog.functions().get(name);
        if (before != null && before.isAggregate() != create.function().isAggregate()) {
            throw new FulmarException(
                    ErrorCode.INVALID_DEFINITION,
                    "the " + before.kind().toLowerCase(Locale.ROOT) + " " + name + " is no "
                            + create.function().kind().toLowerCase(Locale.ROOT) + "; drop it first");
        }
        if (catalog.procedure(name) != null) {
            throw CatalogEdit.exists("procedure", name);
        }
        Catalog changed = catalog.withFunction(create.function());
        if (create.function().isAggregate()) {
            UserAggregate.of(create.function(), changed.functions());
        } else {
            checkAggregates(name, changed);
        }
        return CatalogEdit.withoutSteps(changed);
    }

    /** The aggregates that are made of the function are so still. */
    private static void checkAggregates(String name, Catalog changed) {
        for (UserFunction function : changed.functions().values()) {
            if (function.body() instanceof UserFunction.Aggregate body
                    && (body.step().equals(name)
                            || body.last().filter(name::equals).isPresent())) {
                try {
                    UserAggregate.of(function, changed.functions());
                } catch (FulmarException e) {
                    throw new FulmarException(
                            ErrorCode.DEPENDENT_OBJECTS,
                            e.getMessage() + "; DROP AGGREGATE " + function.name() + " first",
                            e);
                }
            }
        }
    }

    static CatalogEdit drop(CatalogChange.DropFunction drop, Catalog catalog) {
        if (catalog.functions().containsKey(drop.name())) {
            Catalog changed = catalog.withoutFunction(drop.name());
            checkAggregates(drop.name(), changed);
            return CatalogEdit.withoutSteps(changed);
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
