package dev.fulmar.foundation.scram;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.security.MessageDigest;
import org.jspecify.annotations.Nullable;

/** The client's part of one authentication. One thread. */
public final class ScramClient {
    /** Does the slow part; a client with many connections keeps what it came to. */
    @FunctionalInterface
    public interface PasswordSalting {
        /** The salted password (RFC 5802: {@code SaltedPassword}). */
        byte[] salted(byte[] salt, int iterations);

        /** Does it anew each time. */
        static PasswordSalting of(String password) {
            return (salt, iterations) -> ScramKeys.saltedPassword(password, salt, iterations);
        }
    }

    private final PasswordSalting password;
    private final ChannelBinding binding;
    private final String context;
    private final String nonce;
    private final String firstBare;
    private byte @Nullable [] expectedSignature;

    /**
     * @param nonce printable characters without comma, drawn at random for this authentication
     * @param context what both sides must have understood alike, such as the versions that were offered; no comma
     */
    public ScramClient(String user, PasswordSalting password, ChannelBinding binding, String nonce, String context) {
        this.password = password;
        this.binding = binding;
        this.context = context;
        this.nonce = nonce;
        this.firstBare = "n=" + ScramText.escaped(user) + ",r=" + nonce + ",x=" + context;
    }

    /** The first message. */
    public String first() {
        return binding.header() + firstBare;
    }

    /** The second message, which proves the password to a server that has answered so. */
    public String last(String challenge) {
        String[] values = ScramText.values(challenge, "rsix");
        int iterations = iterations(values[2]);
        if (!values[0].startsWith(nonce) || values[0].length() <= nonce.length()) {
            throw refused("its challenge belongs to another attempt");
        }
        if (!values[3].equals(context)) {
            throw refused("it has not understood what this client sent as it was sent");
        }
        byte[] salted = password.salted(ScramText.decoded(values[1]), iterations);
        String withoutProof = "c=" + binding.attribute() + ",r=" + values[0];
        String message = firstBare + "," + challenge + "," + withoutProof;
        byte[] clientKey = ScramKeys.clientKey(salted);
        byte[] signature = ScramKeys.hmac(ScramKeys.storedKey(clientKey), message);
        expectedSignature = ScramKeys.hmac(ScramKeys.serverKey(salted), message);
        return withoutProof + ",p=" + ScramText.encoded(ScramKeys.exclusiveOr(clientKey, signature));
    }

    private static int iterations(String text) {
        int iterations;
        try {
            iterations = Integer.parseInt(text);
        } catch (NumberFormatException e) {
            throw ScramText.malformed();
        }
        if (iterations < ScramVerifier.LEAST_ITERATIONS || iterations > ScramVerifier.MOST_ITERATIONS) {
            throw refused("it asks for " + iterations + " iterations, which are to be " + ScramVerifier.LEAST_ITERATIONS
                    + " to " + ScramVerifier.MOST_ITERATIONS);
        }
        return iterations;
    }

    /** Checks that the server knows the password's verifier too; fails if it does not. */
    public void finish(String outcome) {
        byte[] expected = expectedSignature;
        if (expected == null
                || !MessageDigest.isEqual(expected, ScramText.decoded(ScramText.values(outcome, "v")[0]))) {
            throw refused("it does not know the user's verifier");
        }
    }

    private static FulmarException refused(String why) {
        return new FulmarException(
                ErrorCode.AUTHENTICATION_FAILED,
                "the server is not the one that has this user: " + why + "; check the address, and who is in between");
    }
}
