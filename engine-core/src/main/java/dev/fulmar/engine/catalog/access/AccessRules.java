package dev.fulmar.engine.catalog.access;

import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.scram.ScramDecoy;
import dev.fulmar.foundation.scram.ScramVerifier;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** All users and roles of one version of the catalog. Immutable. */
public final class AccessRules {
    private static final AccessRules NONE = new AccessRules(Collections.emptySortedMap(), new byte[0]);

    private final SortedMap<String, Principal> principals;

    /** Comes from the first user that there ever was, and stays. */
    private final byte[] decoyKey;

    private AccessRules(SortedMap<String, Principal> principals, byte[] decoyKey) {
        this.principals = Collections.unmodifiableSortedMap(principals);
        this.decoyKey = decoyKey;
        if (Invariants.EXPENSIVE) {
            principals.values().forEach(this::check);
        }
    }

    private void check(Principal principal) {
        for (String role : principal.roles()) {
            Invariants.check(principals.containsKey(role), "a user or role has only roles that exist");
            Invariants.check(!reachedFrom(role).contains(principal.name()), "no role has itself through other roles");
        }
    }

    /** The rules without users and roles. */
    public static AccessRules none() {
        return NONE;
    }

    /** Users and roles by name, in name order. */
    public SortedMap<String, Principal> principals() {
        return principals;
    }

    /** The form in which names are kept and compared. */
    public static String nameOf(String name) {
        return name.toUpperCase(Locale.ROOT);
    }

    /** The user, or null; a role is none. */
    public @Nullable Principal user(String name) {
        Principal principal = principals.get(nameOf(name));
        return principal != null && principal.isUser() ? principal : null;
    }

    /** The user's verifier, or one that no password has and that looks like a true one. */
    public ScramVerifier verifierOrDecoy(String name) {
        Principal user = user(name);
        ScramVerifier decoy = new ScramDecoy(decoyKey.length == 0 ? new byte[1] : decoyKey).verifier(nameOf(name));
        return user == null ? decoy : user.verifier().orElse(decoy);
    }

    /** All that the principal may, by itself and by its roles; nothing if there is none. */
    public SortedSet<AccessRight> rightsOf(String name) {
        TreeSet<AccessRight> rights = new TreeSet<>();
        for (String reached : reachedFrom(nameOf(name))) {
            rights.addAll(require(reached).rights());
        }
        return rights;
    }

    /** The principal and every role that it has, directly or through another role. */
    private SortedSet<String> reachedFrom(String name) {
        TreeSet<String> reached = new TreeSet<>();
        ArrayDeque<String> open = new ArrayDeque<>();
        open.add(name);
        while (!open.isEmpty()) {
            Principal principal = principals.get(open.remove());
            if (principal != null && reached.add(principal.name())) {
                open.addAll(principal.roles());
            }
        }
        return reached;
    }

    /** The rules after the change, or the same object if it changes nothing. Objects of rights are not looked at. */
    public AccessRules after(AccessChange change) {
        return switch (change) {
            case AccessChange.CreateUser(String name, Secret secret, boolean lenient) -> {
                ScramVerifier verifier = verifier(secret);
                yield isTaken(name, true, lenient) ? this : createUser(Principal.user(name, verifier), verifier);
            }
            case AccessChange.AlterUser(String name, Secret secret) ->
                with(requireKind(name, true).withVerifier(verifier(secret)));
            case AccessChange.CreateRole(String name, boolean lenient) ->
                isTaken(name, false, lenient) ? this : with(Principal.role(name));
            case AccessChange.Drop(String name, boolean user, boolean lenient) -> drop(name, user, lenient);
            case AccessChange.Rights(boolean grant, SortedSet<AccessRight> rights, List<String> names) ->
                changed(names, principal -> principal.withRights(changed(principal.rights(), rights, grant)));
            case AccessChange.Membership(boolean grant, List<String> roles, List<String> names) ->
                membership(grant, roles, names);
        };
    }

    private AccessRules createUser(Principal user, ScramVerifier verifier) {
        byte[] key = decoyKey.length == 0 ? verifier.fingerprint("decoys") : decoyKey;
        return new AccessRules(with(user).principals, key);
    }

    /** The rules without rights on an object that goes. */
    public AccessRules withoutObject(Privilege.Scope scope, String object) {
        TreeMap<String, Principal> remaining = new TreeMap<>(principals);
        remaining.replaceAll((name, principal) -> {
            TreeSet<AccessRight> rights = new TreeSet<>(principal.rights());
            boolean changes = rights.removeIf(right ->
                    right.privilege().scope() == scope && right.object().equals(object));
            return changes ? principal.withRights(rights) : principal;
        });
        return remaining.equals(principals) ? this : new AccessRules(remaining, decoyKey);
    }

    /** The rules with an object's rights under its new name. */
    public AccessRules withRenamed(Privilege.Scope scope, String from, String to) {
        TreeMap<String, Principal> changed = new TreeMap<>(principals);
        changed.replaceAll((name, principal) -> {
            TreeSet<AccessRight> rights = new TreeSet<>();
            for (AccessRight right : principal.rights()) {
                boolean isOnIt =
                        right.privilege().scope() == scope && right.object().equals(from);
                rights.add(isOnIt ? new AccessRight(right.privilege(), to) : right);
            }
            return rights.equals(principal.rights()) ? principal : principal.withRights(rights);
        });
        return changed.equals(principals) ? this : new AccessRules(changed, decoyKey);
    }

    private AccessRules with(Principal principal) {
        TreeMap<String, Principal> changed = new TreeMap<>(principals);
        changed.put(principal.name(), principal);
        return new AccessRules(changed, decoyKey);
    }

    private AccessRules drop(String name, boolean user, boolean lenient) {
        if (lenient && !principals.containsKey(name)) {
            return this;
        }
        requireKind(name, user);
        TreeMap<String, Principal> remaining = new TreeMap<>(principals);
        remaining.remove(name);
        remaining.replaceAll((other, principal) -> {
            TreeSet<String> roles = new TreeSet<>(principal.roles());
            return roles.remove(name) ? principal.withRoles(roles) : principal;
        });
        return new AccessRules(remaining, decoyKey);
    }

    private AccessRules membership(boolean grant, List<String> roles, List<String> names) {
        for (String role : roles) {
            requireKind(role, false);
            SortedSet<String> above = reachedFrom(role);
            for (String name : names) {
                if (grant && above.contains(name)) {
                    throw new FulmarException(
                            ErrorCode.NOT_SUPPORTED,
                            "role " + role + " has the rights of " + name
                                    + " already, so it cannot be granted to it; revoke that first");
                }
            }
        }
        return changed(names, principal -> principal.withRoles(changed(principal.roles(), roles, grant)));
    }

    private AccessRules changed(List<String> names, UnaryOperator<Principal> change) {
        TreeMap<String, Principal> changed = new TreeMap<>(principals);
        for (String name : names) {
            changed.put(name, change.apply(require(name)));
        }
        return changed.equals(principals) ? this : new AccessRules(changed, decoyKey);
    }

    private static <T extends Comparable<T>> SortedSet<T> changed(
            SortedSet<T> before, Iterable<T> what, boolean added) {
        TreeSet<T> after = new TreeSet<>(before);
        for (T one : what) {
            if (added) {
                after.add(one);
            } else {
                after.remove(one);
            }
        }
        return after;
    }

    private boolean isTaken(String name, boolean user, boolean lenient) {
        Principal existing = principals.get(name);
        if (existing == null) {
            return false;
        }
        if (lenient && existing.isUser() == user) {
            return true;
        }
        throw new FulmarException(
                ErrorCode.OBJECT_EXISTS,
                (existing.isUser() ? "user " : "role ") + name + " exists already; choose another name");
    }

    private Principal require(String name) {
        return Optional.ofNullable(principals.get(name))
                .orElseThrow(() -> new FulmarException(
                        ErrorCode.UNKNOWN_OBJECT,
                        "there is no user or role " + name + "; CREATE USER or CREATE ROLE makes one"));
    }

    private Principal requireKind(String name, boolean user) {
        Principal principal = principals.get(name);
        if (principal == null || principal.isUser() != user) {
            String kind = user ? "user " : "role ";
            throw new FulmarException(ErrorCode.UNKNOWN_OBJECT, "there is no " + kind + name);
        }
        return principal;
    }

    private static ScramVerifier verifier(Secret secret) {
        return switch (secret) {
            case Secret.Verified(ScramVerifier verifier) -> verifier;
            case Secret.Password password ->
                throw new FulmarException(
                        ErrorCode.INTERNAL, "a password is made a verifier before the catalog has it");
        };
    }
}
