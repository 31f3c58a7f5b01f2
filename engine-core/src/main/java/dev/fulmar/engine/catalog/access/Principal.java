package dev.fulmar.engine.catalog.access;

import dev.fulmar.foundation.scram.ScramVerifier;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * A user or a role.
 *
 * @param name in upper case
 * @param verifier of a user's password; empty for a role, which nobody can log in as
 * @param rights that were granted to it
 * @param roles whose rights it has too
 */
public record Principal(
        String name, Optional<ScramVerifier> verifier, SortedSet<AccessRight> rights, SortedSet<String> roles) {
    public Principal {
        rights = Collections.unmodifiableSortedSet(new TreeSet<>(rights));
        roles = Collections.unmodifiableSortedSet(new TreeSet<>(roles));
    }

    static Principal user(String name, ScramVerifier verifier) {
        return new Principal(name, Optional.of(verifier), Collections.emptySortedSet(), Collections.emptySortedSet());
    }

    static Principal role(String name) {
        return new Principal(name, Optional.empty(), Collections.emptySortedSet(), Collections.emptySortedSet());
    }

    public boolean isUser() {
        return verifier.isPresent();
    }

    Principal withVerifier(ScramVerifier changed) {
        return new Principal(name, Optional.of(changed), rights, roles);
    }

    Principal withRights(SortedSet<AccessRight> changed) {
        return new Principal(name, verifier, changed, roles);
    }

    Principal withRoles(SortedSet<String> changed) {
        return new Principal(name, verifier, rights, changed);
    }
}
