package dev.fulmar.engine.catalog.access;

import dev.fulmar.foundation.scram.ScramVerifier;

/** How a statement gives a user's password. */
public sealed interface Secret {
    /** The password itself. It is made a verifier before it is written down anywhere. */
    record Password(String text) implements Secret {
        @Override
        public String toString() {
            return "a password";
        }
    }

    /** What was made from the password before. */
    record Verified(ScramVerifier verifier) implements Secret {}
}
