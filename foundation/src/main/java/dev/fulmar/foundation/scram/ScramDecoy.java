package dev.fulmar.foundation.scram;

import java.util.Arrays;

/**
 * Source of verifiers for users that do not exist, so that no client can tell: the same name always gets the same salt.
 */
public final class ScramDecoy {
    private final byte[] key;

    /** @param key a secret that stays the same from start to start */
    public ScramDecoy(byte[] key) {
        this.key = key.clone();
    }

    /** A verifier that no password has. */
    public ScramVerifier verifier(String user) {
        byte[] salt = Arrays.copyOf(ScramKeys.hmac(key, "salt " + user), ScramVerifier.SALT_BYTES);
        return new ScramVerifier(
                ScramVerifier.USUAL_ITERATIONS,
                salt,
                ScramKeys.hmac(key, "stored key " + user),
                ScramKeys.hmac(key, "server key " + user));
    }
}
