package dev.fulmar.engine.catalog.access;

import java.util.List;
import java.util.SortedSet;

/** A change of users, roles and rights, as its author asked for it. Names are in upper case. */
public sealed interface AccessChange {
    /** @param lenient whether a user that exists is left as it is */
    record CreateUser(String name, Secret secret, boolean lenient) implements AccessChange {}

    record AlterUser(String name, Secret secret) implements AccessChange {}

    /** @param lenient whether a role that exists is left as it is */
    record CreateRole(String name, boolean lenient) implements AccessChange {}

    /**
     * @param user whether it is a user, else a role
     * @param lenient whether one that is not there is no error
     */
    record Drop(String name, boolean user, boolean lenient) implements AccessChange {}

    /** Gives rights, or takes them back. */
    record Rights(boolean grant, SortedSet<AccessRight> rights, List<String> principals) implements AccessChange {
        public Rights {
            principals = List.copyOf(principals);
        }
    }

    /** Gives roles, or takes them back. */
    record Membership(boolean grant, List<String> roles, List<String> principals) implements AccessChange {
        public Membership {
            roles = List.copyOf(roles);
            principals = List.copyOf(principals);
        }
    }
}
