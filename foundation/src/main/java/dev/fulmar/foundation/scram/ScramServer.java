package dev.fulmar.foundation.scram;

import java.security.MessageDigest;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The server's part of one authentication. It does the same for users that there are and for those that there are not.
 * One thread.
 */
public final class ScramServer {
    private final ChannelBinding binding;
    private final String context;
    private @Nullable String user;
    private @Nullable String firstBare;
    private @Nullable String challenge;
    private @Nullable String nonce;
    private @Nullable ScramVerifier verifier;

    /** @param context what the client must have meant, see {@link ScramClient} */
    public ScramServer(ChannelBinding binding, String context) {
        this.binding = binding;
        this.context = context;
    }

    /** Reads the client's first message, and returns the name of the user. A malformed one fails. */
    public String begin(String first) {
        if (!first.startsWith(binding.header())) {
            throw ScramText.malformed(); // also a client that was made to believe that there is no TLS here
        }
        String bare = first.substring(binding.header().length());
        String[] values = ScramText.values(bare, "nrx");
        if (!values[2].equals(context)) {
            throw ScramText.malformed();
        }
        firstBare = bare;
        nonce = values[1];
        String name = ScramText.unescaped(values[0]);
        user = name;
        return name;
    }

    /**
     * The challenge.
     *
     * @param known of the user, or a decoy
     * @param ownNonce printable characters without comma, drawn at random for this authentication
     */
    public String challenge(ScramVerifier known, String ownNonce) {
        String whole = nonce + ownNonce;
        nonce = whole;
        verifier = known;
        String text =
                "r=" + whole + ",s=" + ScramText.encoded(known.salt()) + ",i=" + known.iterations() + ",x=" + context;
        challenge = text;
        return text;
    }

    /** Checks the client's proof: what to tell it if it is right, else nothing. A malformed one fails. */
    public Optional<String> finish(String last) {
        ScramVerifier known = verifier;
        String clientFirst = firstBare;
        String sent = challenge;
        if (known == null || clientFirst == null || sent == null) {
            throw ScramText.malformed();
        }
        verifier = null; // one proof for one challenge
        String[] values = ScramText.values(last, "crp");
        byte[] proof = ScramText.decoded(values[2]);
        if (proof.length != ScramKeys.KEY_BYTES) {
            throw ScramText.malformed();
        }
        String message = clientFirst + "," + sent + "," + last.substring(0, last.lastIndexOf(",p="));
        byte[] signature = ScramKeys.hmac(known.storedKey(), message);
        byte[] stored = ScramKeys.storedKey(ScramKeys.exclusiveOr(proof, signature));
        String answer = "v=" + ScramText.encoded(ScramKeys.hmac(known.serverKey(), message));
        boolean bound = values[0].equals(binding.attribute()) & values[1].equals(nonce);
        return MessageDigest.isEqual(stored, known.storedKey()) & bound ? Optional.of(answer) : Optional.empty();
    }

    /** The user of the first message; empty before it came. */
    public String user() {
        String known = user;
        return known == null ? "" : known;
    }
}
