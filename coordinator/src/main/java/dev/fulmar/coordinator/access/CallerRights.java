package dev.fulmar.coordinator.access;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.ProcedureDefinition;
import dev.fulmar.engine.catalog.ProcedureDefinition.RowAccess;
import dev.fulmar.engine.catalog.access.AccessRight;
import dev.fulmar.engine.catalog.access.Privilege;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * One user's rights under one version of the catalog. Decisions about procedures are kept by the procedure's place.
 * Thread-safe.
 */
final class CallerRights {
    private static final byte MAY = 1;
    private static final byte MAY_NOT = 2;
    private static final int FIRST_PLACES = 64;

    private final Catalog catalog;
    private final boolean known;
    private final Set<AccessRight> rights;

    /** Threads that race come to the same decision. */
    private byte[] decisions = new byte[FIRST_PLACES];

    CallerRights(Catalog catalog, String user) {
        this.catalog = catalog;
        this.known = catalog.access().user(user) != null;
        this.rights = known ? new HashSet<>(catalog.access().rightsOf(user)) : Set.of();
    }

    Catalog catalog() {
        return catalog;
    }

    /** Whether the user still exists. */
    boolean isKnown() {
        return known;
    }

    boolean has(AccessRight right) {
        return rights.contains(right) || rights.contains(AccessRight.onEverything(right.privilege()));
    }

    /** Whether there is anything that the user may do with the table. */
    boolean hasAnyOn(String table) {
        return Arrays.stream(Privilege.values())
                .filter(privilege -> privilege.scope() == Privilege.Scope.TABLE)
                .anyMatch(privilege -> has(new AccessRight(privilege, table)));
    }

    /** @param place of the procedure's figures, which is its own for ever */
    boolean mayCall(ProcedureDefinition procedure, int place) {
        byte[] places = decisions;
        if (place >= places.length) {
            places = Arrays.copyOf(places, Math.max(place + 1, 2 * places.length));
            decisions = places;
        }
        byte decision = places[place];
        if (decision == 0) {
            decision = needs(procedure).stream().allMatch(this::has) ? MAY : MAY_NOT;
            places[place] = decision;
        }
        return decision == MAY;
    }

    /**
     * An automatic procedure does what a statement would, so it needs what that would; it finds its row by the whole
     * primary key.
     */
    static List<AccessRight> needs(ProcedureDefinition procedure) {
        return switch (procedure.body()) {
            case RowAccess(String table, RowAccess.Operation operation) ->
                switch (operation) {
                    case SELECT -> List.of(new AccessRight(Privilege.SELECT, table));
                    case INSERT -> List.of(new AccessRight(Privilege.INSERT, table));
                    case UPDATE -> List.of(new AccessRight(Privilege.UPDATE, table));
                    case UPSERT ->
                        List.of(new AccessRight(Privilege.INSERT, table), new AccessRight(Privilege.UPDATE, table));
                    case DELETE -> List.of(new AccessRight(Privilege.DELETE, table));
                };
            case ProcedureDefinition.JavaClass java -> execute(procedure);
            case ProcedureDefinition.Sql sql -> execute(procedure);
        };
    }

    private static List<AccessRight> execute(ProcedureDefinition procedure) {
        return List.of(new AccessRight(Privilege.EXECUTE, procedure.name().toUpperCase(Locale.ROOT)));
    }
}
