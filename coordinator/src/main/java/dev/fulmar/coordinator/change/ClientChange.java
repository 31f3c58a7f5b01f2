package dev.fulmar.coordinator.change;

import dev.fulmar.engine.catalog.CatalogChange;
import dev.fulmar.engine.catalog.SchemaName;
import dev.fulmar.engine.catalog.TableAlteration;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;

/** Checks of a change of the catalog that a client has written. */
public final class ClientChange {
    private ClientChange() {}

    /**
     * Fails for what only a node writes. Names that begin with a dot are those of tables that are still being made,
     * SINCE says that a node has looked at rows, and INTO and FROM that it copies them. A function of an earlier build
     * may have a name that SQL has taken since.
     */
    public static void check(CatalogChange change) {
        if (change instanceof CatalogChange.CreateTable create && SchemaName.isPending(create.name())) {
            throw new FulmarException(
                    ErrorCode.SYNTAX, "the name of a table does not begin with a dot; choose another one");
        }
        if (change instanceof CatalogChange.CreateFunction create && create.hidesBuiltIn()) {
            throw new FulmarException(
                    ErrorCode.OBJECT_EXISTS, create.function().name() + " is a function of SQL; choose another name");
        }
        if (change instanceof CatalogChange.AlterTable alter
                && alter.alteration() instanceof TableAlteration.ValidateConstraint validate
                && validate.since().isPresent()) {
            throw new FulmarException(
                    ErrorCode.SYNTAX, "SINCE is for what a node has looked at; leave it out of VALIDATE CONSTRAINT");
        }
        if (change instanceof CatalogChange.AlterTable alter
                && alter.alteration() instanceof TableAlteration.Repartition place
                && !(place.stage() instanceof TableAlteration.RepartitioningStage.All)) {
            throw new FulmarException(
                    ErrorCode.SYNTAX, "INTO and FROM are for rows that a node copies; leave them out of ALTER TABLE");
        }
    }
}
