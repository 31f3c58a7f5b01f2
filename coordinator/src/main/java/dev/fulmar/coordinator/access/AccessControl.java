package dev.fulmar.coordinator.access;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.CatalogChange;
import dev.fulmar.engine.catalog.ProcedureDefinition;
import dev.fulmar.engine.catalog.SchemaName;
import dev.fulmar.engine.catalog.access.AccessChange;
import dev.fulmar.engine.catalog.access.AccessRight;
import dev.fulmar.engine.catalog.access.Privilege;
import dev.fulmar.engine.userfunction.UserFunction;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The check of rights that every request passes. A procedure runs with the rights of the database, whichever user calls
 * it: the right to call it is enough. A check that allows returns; one that denies throws {@link
 * ErrorCode#PERMISSION_DENIED}.
 */
public final class AccessControl {
    private AccessControl() {}

    /**
     * A call of a stored or an automatic procedure.
     *
     * @param place of the procedure's figures
     */
    public static void call(Caller caller, Catalog catalog, ProcedureDefinition procedure, int place) {
        if (caller.isTrusted() || caller.rights(catalog).mayCall(procedure, place)) {
            return;
        }
        require(caller, catalog, CallerRights.needs(procedure));
    }

    /** A query, a statement that changes rows, or an EXPLAIN of one. */
    public static void statement(Caller caller, Catalog catalog, Collection<AccessRight> needs) {
        require(caller, catalog, needs);
    }

    /** EXPLAIN of a statement that changes the catalog. */
    public static void explainChange(Caller caller, Catalog catalog) {
        require(caller, catalog, List.of(AccessRight.onEverything(Privilege.DDL)));
    }

    /** A change of the catalog. */
    public static void change(Caller caller, Catalog catalog, CatalogChange change) {
        require(caller, catalog, needs(caller, change));
    }

    private static List<AccessRight> needs(Caller caller, CatalogChange change) {
        return switch (change) {
            case CatalogChange.CreateTable create -> List.of(AccessRight.onEverything(Privilege.DDL));
            case CatalogChange.DropTable drop -> List.of(AccessRight.onEverything(Privilege.DDL));
            case CatalogChange.AlterTable alter -> List.of(AccessRight.onEverything(Privilege.DDL));
            case CatalogChange.CreateView create -> List.of(AccessRight.onEverything(Privilege.DDL));
            case CatalogChange.CreateMaterializedView create -> List.of(AccessRight.onEverything(Privilege.DDL));
            case CatalogChange.DropView drop -> List.of(AccessRight.onEverything(Privilege.DDL));
            case CatalogChange.CreateSequence create -> List.of(AccessRight.onEverything(Privilege.DDL));
            case CatalogChange.RestartSequence restart
            when !SchemaName.isInTemporary(restart.name()) ->
                List.of(new AccessRight(Privilege.UPDATE, restart.name()));
            case CatalogChange.AlterSequence alter -> List.of(AccessRight.onEverything(Privilege.DDL));
            case CatalogChange.RestartSequence restart -> List.of(AccessRight.onEverything(Privilege.DDL));
            case CatalogChange.DropSequence drop -> List.of(AccessRight.onEverything(Privilege.DDL));
            case CatalogChange.CreateSchema create -> List.of(AccessRight.onEverything(Privilege.DDL));
            case CatalogChange.DropSchema drop -> List.of(AccessRight.onEverything(Privilege.DDL));
            case CatalogChange.RenameIndex rename -> List.of(AccessRight.onEverything(Privilege.DDL));
            case CatalogChange.PartitionTable partition -> List.of(AccessRight.onEverything(Privilege.DDL));
            case CatalogChange.CreateIndex create -> List.of(AccessRight.onEverything(Privilege.DDL));
            case CatalogChange.DropIndex drop -> List.of(AccessRight.onEverything(Privilege.DDL));
            case CatalogChange.CreateProcedure create -> List.of(AccessRight.onEverything(Privilege.DDL));
            case CatalogChange.AlterProcedure alter -> List.of(AccessRight.onEverything(Privilege.DDL));
            case CatalogChange.DropProcedure drop -> List.of(AccessRight.onEverything(Privilege.DDL));
            case CatalogChange.CreateEnumeration _,
                    CatalogChange.AddLabel _,
                    CatalogChange.RenameLabel _,
                    CatalogChange.DropEnumeration _ -> List.of(AccessRight.onEverything(Privilege.DDL));
            case CatalogChange.CreateFunction create -> List.of(AccessRight.onEverything(Privilege.DDL));
            case CatalogChange.DropFunction drop -> List.of(AccessRight.onEverything(Privilege.DDL));
            case CatalogChange.UsePlan _, CatalogChange.HandOver _, CatalogChange.Retarget _ ->
                List.of(AccessRight.onEverything(Privilege.ADMIN));
            case CatalogChange.Comment comment -> List.of(AccessRight.onEverything(Privilege.DDL));
            case CatalogChange.ChangeAccess(AccessChange.AlterUser alter)
            when alter.name().equals(caller.user()) -> List.of(); // everybody may change the own password
            case CatalogChange.ChangeAccess access -> List.of(AccessRight.onEverything(Privilege.ADMIN));
        };
    }

    /**
     * A system procedure.
     *
     * @param needed null for one that every user may call
     */
    public static void system(Caller caller, Catalog catalog, @Nullable Privilege needed) {
        require(caller, catalog, needed == null ? List.of() : List.of(AccessRight.onEverything(needed)));
    }

    /** Whether the caller is shown that the table exists. */
    public static boolean sees(Caller caller, Catalog catalog, String table) {
        return seesAll(caller, catalog) || caller.rights(catalog).hasAnyOn(table);
    }

    /** Whether the caller is shown that the procedure exists, and what it does. */
    public static boolean sees(Caller caller, Catalog catalog, ProcedureDefinition procedure) {
        return seesAll(caller, catalog)
                || CallerRights.needs(procedure).stream().allMatch(caller.rights(catalog)::has);
    }

    /** The same of a function. */
    public static boolean sees(Caller caller, Catalog catalog, UserFunction function) {
        return seesAll(caller, catalog)
                || caller.rights(catalog).has(new AccessRight(Privilege.EXECUTE, function.name()));
    }

    private static boolean seesAll(Caller caller, Catalog catalog) {
        return administers(caller, catalog) || caller.rights(catalog).has(AccessRight.onEverything(Privilege.DDL));
    }

    /** Whether the caller has ADMIN, or is asked for no name. */
    public static boolean administers(Caller caller, Catalog catalog) {
        return caller.isTrusted() || caller.rights(catalog).has(AccessRight.onEverything(Privilege.ADMIN));
    }

    private static void require(Caller caller, Catalog catalog, Collection<AccessRight> needs) {
        if (!caller.mayAdminister() && needs.contains(AccessRight.onEverything(Privilege.ADMIN))) {
            throw new FulmarException(
                    ErrorCode.PERMISSION_DENIED,
                    "this node has a port of its own for what needs ADMIN; connect to that one (listen-administration)");
        }
        if (caller.isTrusted()) {
            return;
        }
        CallerRights rights = caller.rights(catalog);
        if (!rights.isKnown()) {
            throw new FulmarException(
                    ErrorCode.PERMISSION_DENIED,
                    "user " + caller.user() + " does not exist any more; connect as another one");
        }
        for (AccessRight need : needs) {
            if (!rights.has(need)) {
                throw new FulmarException(
                        ErrorCode.PERMISSION_DENIED,
                        "user " + caller.user() + " lacks " + need + "; somebody with ADMIN can GRANT it");
            }
        }
    }
}
