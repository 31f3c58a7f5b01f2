package dev.fulmar.coordinator.change;

import dev.fulmar.engine.catalog.CatalogChange;
import dev.fulmar.engine.catalog.SchemaName;
import dev.fulmar.engine.catalog.TableAlteration;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.HashSet;
import java.util.Set;

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
        if (change instanceof CatalogChange.CreateTable create) {
            checkIdentities(create);
        }
        if (change instanceof CatalogChange.AlterTable alter
                && alter.alteration() instanceof TableAlteration.ChangeColumn column
                && column.column().isIdentity()
                && column.column().nullable()) {
            throw new FulmarException(
                    ErrorCode.SYNTAX,
                    "column " + column.name() + " of " + alter.table() + " is an identity column, which is never null");
        }
    }

    /** Earlier builds took what they did not mean: the last one of the ways in which a column gets its values. */
    private static void checkIdentities(CatalogChange.CreateTable create) {
        Set<String> drawn = new HashSet<>();
        for (CatalogChange.Identity identity : create.identities()) {
            boolean isFirst = drawn.add(identity.column());
            boolean hasDefault = create.columns().stream()
                    .anyMatch(column -> column.name().equals(identity.column()) && column.defaultValue() != null);
            if (!isFirst || hasDefault) {
                throw new FulmarException(
                        ErrorCode.SYNTAX,
                        "column " + identity.column() + " of " + create.name()
                                + " has one of DEFAULT and IDENTITY, and that once");
            }
        }
    }
}
