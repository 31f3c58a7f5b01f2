package dev.fulmar.foundation.scram;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The server's part of one authentication by the letter of RFC 5802, for clients of protocols that others defined. The
 * name of the user comes from outside, as in PostgreSQL. One thread.
 */
public final class StandardScramServer {
    private static final int MOST_CHARACTERS = 4_096;
    private static final int FIRST_PRINTABLE = 0x21;
    private static final int LAST_PRINTABLE = 0x7E;

    private final @Nullable ChannelBinding offered;
    private final boolean isBound;
    private @Nullable State state;

    private record State(String header, String firstBare, String challenge, String nonce, ScramVerifier verifier) {}

    /**
     * @param offered the binding of this connection that clients were offered, null for none
     * @param isBound whether the client has chosen the mechanism with channel binding
     */
    public StandardScramServer(@Nullable ChannelBinding offered, boolean isBound) {
        if (isBound && offered == null) {
            throw malformed("it chooses a channel binding that was not offered");
        }
        this.offered = offered;
        this.isBound = isBound;
    }

    /**
     * Reads the client's first message, and returns the challenge. A malformed message fails with MALFORMED_REQUEST.
     *
     * @param verifier of the user, or a decoy
     * @param ownNonce printable characters without comma, drawn at random for this authentication
     */
    public String challenge(String first, ScramVerifier verifier, String ownNonce) {
        if (state != null || first.length() > MOST_CHARACTERS) {
            throw malformed("its first message is too long, or not the first");
        }
        int flagEnd = first.indexOf(',');
        int headerEnd = first.indexOf(',', flagEnd + 1);
        if (flagEnd < 0 || headerEnd < 0) {
            throw malformed("its first message has no header");
        }
        checkFlag(first.substring(0, flagEnd));
        if (headerEnd != flagEnd + 1) {
            throw new FulmarException(
                    ErrorCode.NOT_SUPPORTED, "a client logs in as another user than it names; log in as that user");
        }
        String bare = first.substring(headerEnd + 1);
        String[] parts = bare.split(",", -1);
        if (parts.length < 2 || !parts[0].startsWith("n=")) {
            throw malformed("its first message has no user, or an extension that must be understood");
        }
        String nonce = value(parts[1], 'r');
        checkNonce(nonce);
        String whole = nonce + ownNonce;
        String challenge = "r=" + whole + ",s=" + ScramText.encoded(verifier.salt()) + ",i=" + verifier.iterations();
        state = new State(first.substring(0, headerEnd + 1), bare, challenge, whole, verifier);
        return challenge;
    }

    /** Checks the client's proof: the answer to it if it is right, else nothing. A malformed one fails. */
    public Optional<String> finish(String last) {
        State known = state;
        int proofStart = last.lastIndexOf(",p=");
        if (known == null || proofStart < 0 || last.length() > MOST_CHARACTERS) {
            throw malformed("its last message is too long, has no proof, or comes too early");
        }
        state = null; // one proof for one challenge
        String withoutProof = last.substring(0, proofStart);
        String[] parts = withoutProof.split(",", -1);
        if (parts.length < 2) {
            throw malformed("its last message has no nonce");
        }
        String binding = value(parts[0], 'c');
        String nonce = value(parts[1], 'r');
        byte[] proof = decoded(last.substring(proofStart + ",p=".length()));
        if (proof.length != ScramKeys.KEY_BYTES) {
            throw malformed("its proof has " + proof.length + " bytes");
        }
        String message = known.firstBare + "," + known.challenge + "," + withoutProof;
        ScramVerifier verifier = known.verifier;
        byte[] signature = ScramKeys.hmac(verifier.storedKey(), message);
        byte[] stored = ScramKeys.storedKey(ScramKeys.exclusiveOr(proof, signature));
        String answer = "v=" + ScramText.encoded(ScramKeys.hmac(verifier.serverKey(), message));
        boolean isSame = binding.equals(expectedBinding(known.header)) & nonce.equals(known.nonce);
        return MessageDigest.isEqual(stored, verifier.storedKey()) & isSame ? Optional.of(answer) : Optional.empty();
    }

    private void checkFlag(String flag) {
        ChannelBinding binding = offered;
        boolean fits = switch (flag) {
            case "n" -> !isBound;
            case "y" -> !isBound && binding == null; // else somebody in between hid the offer
            default -> isBound && binding != null && binding.header().equals(flag + ",,");
        };
        if (!fits) {
            throw malformed("its channel binding is '" + flag + "', which does not fit what was offered and chosen");
        }
    }

    private String expectedBinding(String header) {
        ChannelBinding binding = offered;
        return isBound && binding != null
                ? binding.attribute()
                : ScramText.encoded(header.getBytes(StandardCharsets.US_ASCII));
    }

    private static void checkNonce(String nonce) {
        if (nonce.isEmpty() || nonce.chars().anyMatch(c -> c < FIRST_PRINTABLE || c > LAST_PRINTABLE)) {
            throw malformed("its nonce is empty or has characters that are not printable");
        }
    }

    private static String value(String part, char letter) {
        if (part.length() < 2 || part.charAt(0) != letter || part.charAt(1) != '=') {
            throw malformed("it lacks the attribute " + letter);
        }
        return part.substring(2);
    }

    private static byte[] decoded(String text) {
        try {
            return ScramText.decoded(text);
        } catch (FulmarException e) {
            throw malformed("its proof is not Base64");
        }
    }

    private static FulmarException malformed(String why) {
        return new FulmarException(
                ErrorCode.MALFORMED_REQUEST,
                "the client's SCRAM-SHA-256 cannot be understood: " + why + "; use a driver that follows RFC 5802");
    }
}
