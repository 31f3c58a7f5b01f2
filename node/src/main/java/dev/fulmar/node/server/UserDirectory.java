package dev.fulmar.node.server;

import dev.fulmar.foundation.scram.ScramVerifier;

/** Directory of users. Thread-safe. */
@FunctionalInterface
public interface UserDirectory {
    /**
     * The user's verifier; for a user that does not exist, a decoy that no client can distinguish and no password fits.
     */
    ScramVerifier verifierOrDecoy(String user);

    /** Whether there are no users at all, as on a node that does not have its cluster's catalog yet. */
    default boolean isEmpty() {
        return false;
    }

    /** Whether the user has ADMIN, for whom some places are kept. */
    default boolean isAdministrator(String user) {
        return false;
    }
}
