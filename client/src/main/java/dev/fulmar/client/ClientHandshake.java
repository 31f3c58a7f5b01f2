package dev.fulmar.client;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.scram.ChannelBinding;
import dev.fulmar.foundation.scram.ScramClient;
import dev.fulmar.wire.address.HostAddress;
import dev.fulmar.wire.proto.Hello;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * The client's side of the handshake before the Welcome. A client that has a user goes through all of it or through
 * nothing: a server that leaves a step out is not the right one. One connection; on its event loop.
 */
final class ClientHandshake {
    private enum Expected {
        MECHANISM,
        CHALLENGE,
        OUTCOME,
        WELCOME
    }

    private final HostAddress address;
    private final @Nullable ClientCredentials credentials;
    private @Nullable ScramClient scram;
    private Expected expected;

    ClientHandshake(HostAddress address, @Nullable ClientCredentials credentials) {
        this.address = address;
        this.credentials = credentials;
        this.expected = Expected.MECHANISM;
    }

    /** The message that follows Hello at once; empty for none. */
    String begin(Hello hello, ChannelBinding binding) {
        ClientCredentials known = credentials;
        if (known == null) {
            return "";
        }
        ScramClient begun = known.begin(binding, hello.getOldestVersion() + "-" + hello.getNewestVersion());
        scram = begun;
        return begun.first();
    }

    /** Takes what the server says; returns what to answer, empty for nothing. */
    String message(String text) {
        ScramClient begun = scram;
        if (begun == null) {
            throw new FulmarException(
                    ErrorCode.AUTHENTICATION_FAILED,
                    "the server at " + address + " asks for a user and a password; give them (bin/fulmar: --user, and"
                            + " --password-file or FULMAR_PASSWORD)");
        }
        return switch (expected) {
            case MECHANISM -> {
                expected = Expected.CHALLENGE;
                yield "";
            }
            case CHALLENGE -> {
                expected = Expected.OUTCOME;
                yield begun.last(text);
            }
            case OUTCOME -> {
                begun.finish(text);
                expected = Expected.WELCOME;
                yield "";
            }
            case WELCOME ->
                throw new FulmarException(
                        ErrorCode.MALFORMED_REQUEST, "the server at " + address + " authenticates without end");
        };
    }

    /** Fails if the server has left something out. */
    void welcomed() {
        if (credentials != null && expected != Expected.WELCOME) {
            throw new FulmarException(
                    ErrorCode.AUTHENTICATION_FAILED,
                    "the server at " + address + " did not ask for the password of " + credentials
                            + "; check that it is the right one, or connect without a user if it shall not ask");
        }
    }

    ChannelBinding bindingOf(SSLSession session) {
        return credentials == null ? ChannelBinding.none() : ChannelBinding.of(session);
    }

    FulmarException notEncrypted(Throwable cause) {
        return new FulmarException(
                cause instanceof SSLHandshakeException ? ErrorCode.AUTHENTICATION_FAILED : ErrorCode.NOT_CONNECTED,
                "no TLS connection to " + address + ": " + cause.getMessage()
                        + "; check that the node has TLS, and its certificate, host name and authority",
                cause);
    }
}
