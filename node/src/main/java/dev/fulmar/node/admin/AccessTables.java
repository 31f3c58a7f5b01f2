package dev.fulmar.node.admin;

import dev.fulmar.coordinator.access.AccessControl;
import dev.fulmar.coordinator.access.Caller;
import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.access.AccessRight;
import dev.fulmar.engine.catalog.access.AccessText;
import dev.fulmar.engine.catalog.access.Principal;
import dev.fulmar.engine.catalog.access.Privilege;
import java.util.List;

/**
 * {@code @Catalog('USERS')} and {@code 'GRANTS'}: for those with ADMIN; without verifiers. {@code @Users()}: statements
 * with them.
 */
final class AccessTables {
    private AccessTables() {}

    static byte[] users(Catalog catalog, Caller caller) {
        AccessControl.system(caller, catalog, Privilege.ADMIN);
        SystemTable result =
                new SystemTable(List.of(SystemTable.text("NAME"), SystemTable.text("KIND"), SystemTable.text("ROLES")));
        for (Principal principal : catalog.access().principals().values()) {
            result.row(principal.name(), principal.isUser() ? "USER" : "ROLE", String.join(", ", principal.roles()));
        }
        return result.toBlock();
    }

    /** Statements that make the users anew, and give them their rights. */
    static byte[] definitions(Catalog catalog) {
        SystemTable result = new SystemTable(List.of(SystemTable.text("NAME"), SystemTable.text("STATEMENT")));
        for (Principal principal : catalog.access().principals().values()) {
            if (principal.isUser()) {
                result.row(principal.name(), AccessText.creation(principal));
                AccessText.grants(principal).forEach(grant -> result.row(principal.name(), grant));
            }
        }
        return result.toBlock();
    }

    static byte[] grants(Catalog catalog, Caller caller) {
        AccessControl.system(caller, catalog, Privilege.ADMIN);
        SystemTable result = new SystemTable(List.of(
                SystemTable.text("GRANTEE"),
                SystemTable.text("PRIVILEGE"),
                SystemTable.text("SCOPE"),
                SystemTable.text("OBJECT")));
        for (Principal principal : catalog.access().principals().values()) {
            for (AccessRight right : principal.rights()) {
                Privilege.Scope scope = right.privilege().scope();
                String all = scope == Privilege.Scope.DATABASE ? null : "(all)";
                result.row(
                        principal.name(),
                        right.privilege(),
                        scope,
                        right.object().isEmpty() ? all : right.object());
            }
        }
        return result.toBlock();
    }
}
