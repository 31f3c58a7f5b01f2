package dev.fulmar.coordinator.change;

import dev.fulmar.engine.catalog.access.AccessChange;
import dev.fulmar.engine.catalog.access.AccessRight;
import dev.fulmar.engine.catalog.access.Secret;
import dev.fulmar.foundation.check.Invariants;
import java.util.List;
import java.util.SortedSet;
import java.util.stream.Collectors;

/** A change of users, roles or rights as SQL, for the log and for what a dump could show. */
final class AccessText {
    private AccessText() {}

    static String of(AccessChange change) {
        return switch (change) {
            case AccessChange.CreateUser(String name, Secret secret, boolean lenient) ->
                "CREATE USER " + (lenient ? "IF NOT EXISTS " : "") + quoted(name) + " VERIFIER '" + verifier(secret)
                        + "'";
            case AccessChange.AlterUser(String name, Secret secret) ->
                "ALTER USER " + quoted(name) + " VERIFIER '" + verifier(secret) + "'";
            case AccessChange.CreateRole(String name, boolean lenient) ->
                "CREATE ROLE " + (lenient ? "IF NOT EXISTS " : "") + quoted(name);
            case AccessChange.Drop(String name, boolean user, boolean lenient) ->
                "DROP " + (user ? "USER " : "ROLE ") + (lenient ? "IF EXISTS " : "") + quoted(name);
            case AccessChange.Rights(boolean grant, SortedSet<AccessRight> rights, List<String> principals) ->
                rights(grant, rights, principals);
            case AccessChange.Membership(boolean grant, List<String> roles, List<String> principals) ->
                (grant ? "GRANT " : "REVOKE ") + quoted(roles) + (grant ? " TO " : " FROM ") + quoted(principals);
        };
    }

    /** One statement's rights are privileges of one scope on one list of objects: each on each. */
    private static String rights(boolean grant, SortedSet<AccessRight> rights, List<String> principals) {
        if (rights.isEmpty()) { // the use of a schema, which everybody has
            return (grant ? "GRANT" : "REVOKE") + " USAGE ON SCHEMA PUBLIC" + (grant ? " TO " : " FROM ")
                    + quoted(principals);
        }
        String privileges = rights.stream()
                .map(right -> right.privilege().name())
                .distinct()
                .collect(Collectors.joining(", "));
        List<String> objects =
                rights.stream().map(AccessRight::object).distinct().toList();
        boolean everything = objects.equals(List.of(AccessRight.EVERYTHING));
        String on = switch (rights.first().privilege().scope()) {
            case TABLE -> everything ? " ON ALL TABLES" : " ON TABLE " + quoted(objects);
            case PROCEDURE -> everything ? " ON ALL PROCEDURES" : " ON PROCEDURE " + quoted(objects);
            case DATABASE -> "";
        };
        return (grant ? "GRANT " : "REVOKE ") + privileges + on + (grant ? " TO " : " FROM ") + quoted(principals);
    }

    private static String verifier(Secret secret) {
        return switch (secret) {
            case Secret.Verified verified -> verified.verifier().text();
            case Secret.Password password -> throw Invariants.breach("a password is never written down");
        };
    }

    private static String quoted(List<String> names) {
        return names.stream().map(AccessText::quoted).collect(Collectors.joining(", "));
    }

    private static String quoted(String name) {
        return '"' + name.replace("\"", "\"\"") + '"';
    }
}
