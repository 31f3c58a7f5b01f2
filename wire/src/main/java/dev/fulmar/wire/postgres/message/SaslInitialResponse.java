package dev.fulmar.wire.postgres.message;

import org.jspecify.annotations.Nullable;

/**
 * The client's first step of SASL, in the body of an {@link FrontendMessage.AuthenticationResponse}.
 *
 * @param data null if the client waits for a challenge first
 */
public record SaslInitialResponse(String mechanism, byte @Nullable [] data) {
    @Override
    public String toString() {
        return "SaslInitialResponse[" + mechanism + "]";
    }
}
