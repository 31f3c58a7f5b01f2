package dev.fulmar.coordinator.change;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.access.AccessChange;
import dev.fulmar.engine.catalog.access.AccessRight;
import dev.fulmar.engine.catalog.access.AccessRules;
import dev.fulmar.engine.catalog.access.Privilege;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.List;

/** Builds the next catalog for a change of users, roles or rights. */
final class AccessEdit {
    private AccessEdit() {}

    static CatalogEdit of(AccessChange change, Catalog catalog) {
        if (change instanceof AccessChange.Rights rights && rights.grant()) {
            rights.rights().forEach(right -> checkObject(right, catalog));
        }
        AccessRules before = catalog.access();
        AccessRules after = before.after(change);
        return after.equals(before)
                ? new CatalogEdit(catalog, List.of())
                : new CatalogEdit(catalog.withAccess(after), List.of());
    }

    private static void checkObject(AccessRight right, Catalog catalog) {
        String object = right.object();
        if (object.equals(AccessRight.EVERYTHING)) {
            return;
        }
        if (right.privilege().scope() == Privilege.Scope.TABLE) {
            catalog.table(object);
        } else if (catalog.procedure(object) == null && !catalog.functions().containsKey(object)) {
            throw new FulmarException(
                    ErrorCode.UNKNOWN_PROCEDURE,
                    "there is no procedure or function " + object
                            + " that was created; the automatic ones of a table go by the privileges on the table");
        }
    }
}
