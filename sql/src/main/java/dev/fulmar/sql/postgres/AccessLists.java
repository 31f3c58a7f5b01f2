package dev.fulmar.sql.postgres;

import dev.fulmar.engine.catalog.MirroredName;
import dev.fulmar.engine.catalog.access.AccessRight;
import dev.fulmar.engine.catalog.access.AccessRules;
import dev.fulmar.engine.catalog.access.Principal;
import dev.fulmar.engine.catalog.access.Privilege;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The rights on tables, as PostgreSQL's lists of access write them: {@code {owner=arwdDxt/owner,ann=r/owner}}. */
final class AccessLists {
    /** The name of the role that owns whatever has no owner of its own. */
    static final String OWNER = "fulmar";

    private final AccessRules rules;

    AccessLists(AccessRules rules) {
        this.rules = rules;
    }

    /** A right on a table that somebody has. */
    record Grant(String grantee, Privilege privilege) {}

    List<Grant> grants(String table) {
        List<Grant> grants = new ArrayList<>();
        for (Principal principal : rules.principals().values()) {
            for (Privilege privilege : Privilege.values()) {
                boolean isGranted = privilege.scope() == Privilege.Scope.TABLE
                        && (principal.rights().contains(new AccessRight(privilege, table))
                                || principal.rights().contains(AccessRight.onEverything(privilege)));
                if (isGranted) {
                    grants.add(new Grant(principal.name(), privilege));
                }
            }
        }
        return grants;
    }

    /** The list, or null if nobody but the owner has rights. */
    @Nullable String ofTable(String table) {
        StringBuilder list = new StringBuilder();
        String last = "";
        for (Grant grant : grants(table)) {
            if (!grant.grantee().equals(last)) {
                list.append(list.isEmpty() ? "" : "/" + OWNER).append(',');
                last = grant.grantee();
                list.append(item(MirroredName.of(last))).append('=');
            }
            list.append(
                    switch (grant.privilege()) {
                        case SELECT -> "r";
                        case INSERT -> "a";
                        case UPDATE -> "w";
                        case DELETE -> "d";
                        case EXECUTE, DDL, ADMIN -> "";
                    });
        }
        return list.isEmpty() ? null : "{" + OWNER + "=arwdDxt/" + OWNER + list + "/" + OWNER + "}";
    }

    private static String item(String name) {
        return ObjectTexts.quoted(name).equals(name) ? name : "\\\"" + name + "\\\"";
    }
}
