package dev.fulmar.engine.catalog.access;

import dev.fulmar.foundation.scram.ScramVerifier;

/** The form in which a statement gives a user's password. */
public sealed interface Secret {
    /** The password itself. It is made a verifier before it is written down anywhere. */
    record Password(String text) implements Secret {
        @Override
        public String toString() {
            return "a password";
        }
    }

    /** A verifier that was made from the password before. */
    record Verified(ScramVerifier verifier) implements Secret {}
}
