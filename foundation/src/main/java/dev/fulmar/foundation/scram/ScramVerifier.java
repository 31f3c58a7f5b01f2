package dev.fulmar.foundation.scram;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Verifier that a server keeps instead of a password. It checks a password and does not reveal it. Immutable. */
public final class ScramVerifier {
    /** Fewer make guessing too cheap (RFC 7677). */
    public static final int LEAST_ITERATIONS = 4_096;

    /** More would be an attack on the client that has to do them. */
    public static final int MOST_ITERATIONS = 1_000_000;

    public static final int USUAL_ITERATIONS = 15_000;
    public static final int SALT_BYTES = 16;
    private static final int MOST_SALT_BYTES = 64;
    private static final Pattern FORM =
            Pattern.compile("SCRAM-SHA-256\\$(\\d{1,7}):([A-Za-z0-9+/=]+)\\$([A-Za-z0-9+/=]+):([A-Za-z0-9+/=]+)");

    private final int iterations;
    private final byte[] salt;
    private final byte[] storedKey;
    private final byte[] serverKey;

    ScramVerifier(int iterations, byte[] salt, byte[] storedKey, byte[] serverKey) {
        this.iterations = iterations;
        this.salt = salt;
        this.storedKey = storedKey;
        this.serverKey = serverKey;
    }

    /** The verifier of a password. Takes milliseconds, as it must. */
    public static ScramVerifier of(String password, byte[] salt, int iterations) {
        byte[] salted = ScramKeys.saltedPassword(password, salt, iterations);
        return new ScramVerifier(
                iterations,
                salt.clone(),
                ScramKeys.storedKey(ScramKeys.clientKey(salted)),
                ScramKeys.serverKey(salted));
    }

    /** Reads {@link #text()}; the error does not repeat it. */
    public static ScramVerifier parse(String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            throw malformed();
        }
        try {
            Base64.Decoder decoder = Base64.getDecoder();
            ScramVerifier verifier = new ScramVerifier(
                    Integer.parseInt(matcher.group(1)),
                    decoder.decode(matcher.group(2)),
                    decoder.decode(matcher.group(3)),
                    decoder.decode(matcher.group(4)));
            if (verifier.iterations < LEAST_ITERATIONS
                    || verifier.iterations > MOST_ITERATIONS
                    || verifier.salt.length > MOST_SALT_BYTES
                    || verifier.storedKey.length != ScramKeys.KEY_BYTES
                    || verifier.serverKey.length != ScramKeys.KEY_BYTES) {
                throw malformed();
            }
            return verifier;
        } catch (IllegalArgumentException e) {
            throw malformed();
        }
    }

    private static FulmarException malformed() {
        return new FulmarException(
                ErrorCode.SYNTAX,
                "a verifier has the form SCRAM-SHA-256$ITERATIONS:SALT$STORED_KEY:SERVER_KEY with " + LEAST_ITERATIONS
                        + " to " + MOST_ITERATIONS + " iterations and Base64 for the rest; PASSWORD makes one");
    }

    /** As it is written down. Whoever has it can try passwords until one fits, so it is shown to nobody. */
    public String text() {
        Base64.Encoder encoder = Base64.getEncoder();
        return "SCRAM-SHA-256$" + iterations + ":" + encoder.encodeToString(salt) + "$"
                + encoder.encodeToString(storedKey) + ":" + encoder.encodeToString(serverKey);
    }

    public int iterations() {
        return iterations;
    }

    public byte[] salt() {
        return salt.clone();
    }

    byte[] storedKey() {
        return storedKey;
    }

    byte[] serverKey() {
        return serverKey;
    }

    /** A fingerprint that depends on the verifier and reveals nothing of it. */
    public byte[] fingerprint(String purpose) {
        return ScramKeys.hmac(serverKey, purpose);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ScramVerifier verifier
                && verifier.iterations == iterations
                && Arrays.equals(verifier.salt, salt)
                && MessageDigest.isEqual(verifier.storedKey, storedKey)
                && MessageDigest.isEqual(verifier.serverKey, serverKey);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(salt);
    }

    @Override
    public String toString() {
        return "a verifier";
    }
}
