package dev.fulmar.wire.postgres.authentication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.scram.ScramVerifier;
import dev.fulmar.wire.postgres.authentication.SaslAuthentication.Accepted;
import dev.fulmar.wire.postgres.authentication.SaslAuthentication.Challenge;
import dev.fulmar.wire.postgres.authentication.SaslAuthentication.Rejected;
import dev.fulmar.wire.postgres.codec.AuthenticationReader;
import dev.fulmar.wire.postgres.message.FrontendMessage.AuthenticationResponse;
import dev.fulmar.wire.postgres.message.SaslInitialResponse;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

/** The exchange of RFC 7677, section 3, in PostgreSQL's messages. */
class SaslAuthenticationTest {
    private static final ScramVerifier PENCIL =
            ScramVerifier.of("pencil", Base64.getDecoder().decode("W22ZaJ0SNY7soEsUEjb6gQ=="), 4096);
    private static final String NONCE = "rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0";
    private static final String PROOF = "dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=";
    private static final String FIRST = "n,,n=user,r=rOprNGfwEbeRWgbNEkqO";

    private final SaslAuthentication login = new SaslAuthentication(null, PENCIL, "%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0");

    private static AuthenticationResponse initial(String mechanism, String data) {
        ByteBuf body = Unpooled.buffer();
        body.writeCharSequence(mechanism, StandardCharsets.US_ASCII);
        body.writeByte(0).writeInt(data.length());
        body.writeCharSequence(data, StandardCharsets.US_ASCII);
        return new AuthenticationResponse(ByteBufUtil.getBytes(body));
    }

    private static AuthenticationResponse response(String data) {
        return new AuthenticationResponse(data.getBytes(StandardCharsets.US_ASCII));
    }

    @Test
    void theExampleOfTheStandardIsAccepted() {
        assertThat(login.offer().mechanisms()).containsExactly("SCRAM-SHA-256");
        assertThat(login.respond(initial("SCRAM-SHA-256", FIRST)))
                .isInstanceOfSatisfying(
                        Challenge.class,
                        challenge -> assertThat(challenge.message().data())
                                .asString(StandardCharsets.US_ASCII)
                                .isEqualTo("r=" + NONCE + ",s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096"));
        assertThat(login.respond(response("c=biws,r=" + NONCE + ",p=" + PROOF)))
                .isInstanceOfSatisfying(
                        Accepted.class,
                        accepted -> assertThat(accepted.message().data())
                                .asString(StandardCharsets.US_ASCII)
                                .isEqualTo("v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4="));
    }

    @Test
    void anotherProofIsRejected() {
        login.respond(initial("SCRAM-SHA-256", FIRST));
        assertThat(login.respond(response("c=biws,r=" + NONCE + ",p=" + PROOF.replace('d', 'e'))))
                .isEqualTo(new Rejected());
    }

    @Test
    void aMechanismThatWasNotOfferedIsRefused() {
        assertMalformed(initial("SCRAM-SHA-256-PLUS", "p=tls-server-end-point,,n=,r=abc"));
        assertMalformed(initial("PLAIN", "x"));
    }

    @Test
    void malformedResponsesAreRefused() {
        ByteBuf noData = Unpooled.buffer();
        noData.writeCharSequence("SCRAM-SHA-256\0", StandardCharsets.US_ASCII);
        noData.writeInt(-1);
        assertMalformed(new AuthenticationResponse(ByteBufUtil.getBytes(noData)));
        assertMalformed(new AuthenticationResponse(new byte[0]));
        assertMalformed(response("SCRAM-SHA-256"));
    }

    private static void assertMalformed(AuthenticationResponse response) {
        SaslAuthentication fresh = new SaslAuthentication(null, PENCIL, "x");
        assertThatThrownBy(() -> fresh.respond(response))
                .asInstanceOf(InstanceOfAssertFactories.type(FulmarException.class))
                .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.MALFORMED_REQUEST));
    }

    @Test
    void aPasswordIsATextWithItsEnd() {
        assertThat(AuthenticationReader.password(response("pencil\0"))).isEqualTo("pencil");
        assertThatThrownBy(() -> AuthenticationReader.password(response("pencil")))
                .isInstanceOf(FulmarException.class);
        assertThatThrownBy(() -> AuthenticationReader.password(response("pencil\0x")))
                .isInstanceOf(FulmarException.class);
        assertThat(new SaslInitialResponse("m", new byte[] {1})).hasToString("SaslInitialResponse[m]");
    }
}
