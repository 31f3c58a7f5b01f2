package dev.fulmar.coordinator.draft;

import dev.fulmar.coordinator.request.ScriptStep;
import dev.fulmar.engine.catalog.CatalogChange;
import dev.fulmar.engine.catalog.access.AccessChange;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;

/** The changes of the catalog that a transaction of several statements does not make. */
final class ChangesInDrafts {
    private ChangesInDrafts() {}

    static void check(CatalogChange change, ScriptStep step) {
        switch (change) {
            case CatalogChange.CreateProcedure _,
                    CatalogChange.AlterProcedure _,
                    CatalogChange.DropProcedure _,
                    CatalogChange.CreateFunction _,
                    CatalogChange.DropFunction _ ->
                throw new FulmarException(
                        ErrorCode.NOT_SUPPORTED,
                        "a transaction of several statements does not change procedures or functions; send the statement outside of one: "
                                + step.sql());
            case CatalogChange.RestartSequence restart
            when restart.yieldsValue() ->
                throw new FulmarException(
                        ErrorCode.NOT_SUPPORTED,
                        "setval takes effect at once, and no transaction takes it back; send it outside of one, or use"
                                + " ALTER SEQUENCE " + restart.name() + " RESTART WITH");
            case CatalogChange.ChangeAccess(AccessChange access)
            when access instanceof AccessChange.CreateUser || access instanceof AccessChange.AlterUser ->
                throw new FulmarException(
                        ErrorCode.NOT_SUPPORTED,
                        "a transaction of several statements keeps no password; send CREATE USER and ALTER USER outside of one");
            default -> {}
        }
    }
}
