package dev.fulmar.node.server;

import dev.fulmar.foundation.scram.ScramVerifier;

/** Knows users. Thread-safe. */
@FunctionalInterface
public interface UserDirectory {
    /**
     * The user's verifier; for one that there is not, one that nobody can tell from a true one and that no password
     * fits.
     */
    ScramVerifier verifierOrDecoy(String user);

    /** Whether there is nobody at all, as on a node that its cluster's catalog has not come to yet. */
    default boolean isEmpty() {
        return false;
    }

    /** Whether the user has ADMIN, for whom some places are kept. */
    default boolean isAdministrator(String user) {
        return false;
    }
}
