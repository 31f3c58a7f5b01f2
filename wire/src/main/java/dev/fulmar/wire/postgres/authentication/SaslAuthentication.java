package dev.fulmar.wire.postgres.authentication;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.scram.ChannelBinding;
import dev.fulmar.foundation.scram.ScramVerifier;
import dev.fulmar.foundation.scram.StandardScramServer;
import dev.fulmar.wire.postgres.codec.AuthenticationReader;
import dev.fulmar.wire.postgres.message.BackendMessage.AuthenticationSasl;
import dev.fulmar.wire.postgres.message.BackendMessage.AuthenticationSaslContinue;
import dev.fulmar.wire.postgres.message.BackendMessage.AuthenticationSaslFinal;
import dev.fulmar.wire.postgres.message.FrontendMessage.AuthenticationResponse;
import dev.fulmar.wire.postgres.message.SaslInitialResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One log-in by SCRAM-SHA-256 in PostgreSQL's messages: {@link #offer}, then {@link #respond} for each response until
 * the step is not a challenge. One thread.
 */
public final class SaslAuthentication {
    private static final String UNBOUND = "SCRAM-SHA-256";
    private static final String BOUND = "SCRAM-SHA-256-PLUS";

    private final @Nullable ChannelBinding binding;
    private final ScramVerifier verifier;
    private final String nonce;
    private @Nullable StandardScramServer server;

    /** The server's next step. */
    public sealed interface Step {}

    /** The log-in goes on with a message to the client. */
    public record Challenge(AuthenticationSaslContinue message) implements Step {}

    /** The client has the password. The message is to be sent before AuthenticationOk. */
    public record Accepted(AuthenticationSaslFinal message) implements Step {}

    /** The client does not have the password. */
    public record Rejected() implements Step {}

    /**
     * @param binding {@link ChannelBinding#ofServer} of a TLS connection, or null
     * @param verifier of the user that the start-up named, or a decoy
     * @param nonce printable characters without comma, drawn at random for this log-in
     */
    public SaslAuthentication(@Nullable ChannelBinding binding, ScramVerifier verifier, String nonce) {
        this.binding = binding;
        this.verifier = verifier;
        this.nonce = nonce;
    }

    /** The mechanisms that the client may choose from. */
    public AuthenticationSasl offer() {
        return new AuthenticationSasl(binding == null ? List.of(UNBOUND) : List.of(BOUND, UNBOUND));
    }

    /** Takes the client's next response. A malformed one fails with 08P01, and the log-in is over. */
    public Step respond(AuthenticationResponse response) {
        StandardScramServer begun = server;
        if (begun == null) {
            return begin(AuthenticationReader.saslInitialResponse(response));
        }
        Optional<String> answer = begun.finish(text(response.body()));
        return answer.isPresent() ? new Accepted(new AuthenticationSaslFinal(bytes(answer.get()))) : new Rejected();
    }

    private Step begin(SaslInitialResponse first) {
        boolean isBound = first.mechanism().equals(BOUND);
        if (!isBound && !first.mechanism().equals(UNBOUND)) {
            throw malformed("the client chooses a mechanism that was not offered");
        }
        byte[] data = first.data();
        StandardScramServer begun = new StandardScramServer(binding, isBound);
        server = begun;
        if (data == null) {
            throw malformed("the client sends no first message");
        }
        return new Challenge(new AuthenticationSaslContinue(bytes(begun.challenge(text(data), verifier, nonce))));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private static FulmarException malformed(String problem) {
        return new FulmarException(
                ErrorCode.MALFORMED_REQUEST, problem + "; use a driver that knows SCRAM-SHA-256, as psql does");
    }
}
