package dev.fulmar.wire.postgres.codec;

import dev.fulmar.wire.postgres.message.FrontendMessage.AuthenticationResponse;
import dev.fulmar.wire.postgres.message.SaslInitialResponse;
import io.netty.buffer.Unpooled;

/** Reads the body of an {@link AuthenticationResponse} as the state of the authentication asks. */
public final class AuthenticationReader {
    private AuthenticationReader() {}

    /** The client's choice of a mechanism, with its first message. A malformed one fails with 08P01. */
    public static SaslInitialResponse saslInitialResponse(AuthenticationResponse response) {
        MessageBody body = bodyOf(response);
        String mechanism = body.text();
        int length = body.int32();
        SaslInitialResponse initial = new SaslInitialResponse(mechanism, length == -1 ? null : body.bytes(length));
        body.end();
        return initial;
    }

    /** A password in clear text. A malformed one fails with 08P01. */
    public static String password(AuthenticationResponse response) {
        MessageBody body = bodyOf(response);
        String password = body.text();
        body.end();
        return password;
    }

    private static MessageBody bodyOf(AuthenticationResponse response) {
        MessageBody body = new MessageBody();
        body.wrap(Unpooled.wrappedBuffer(response.body()), 0, response.body().length);
        return body;
    }
}
