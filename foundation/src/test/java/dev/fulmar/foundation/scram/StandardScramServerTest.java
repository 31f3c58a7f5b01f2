package dev.fulmar.foundation.scram;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The exchange as drivers of other databases have it, with and without channel binding. */
class StandardScramServerTest {
    private static final byte[] SALT = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
    private static final ScramVerifier VERIFIER = ScramVerifier.of("correct horse", SALT, 4096);
    private static final ChannelBinding END_POINT = ChannelBinding.serverHash(new byte[] {1, 2, 3});

    /** A client that binds to the bytes, or to none. */
    private static String last(String password, String header, byte[] bound, String firstBare, String challenge) {
        byte[] head = header.getBytes(StandardCharsets.US_ASCII);
        byte[] binding = new byte[head.length + bound.length];
        System.arraycopy(head, 0, binding, 0, head.length);
        System.arraycopy(bound, 0, binding, head.length, bound.length);
        String nonce = challenge.substring(2, challenge.indexOf(','));
        String withoutProof = "c=" + Base64.getEncoder().encodeToString(binding) + ",r=" + nonce;
        byte[] key = ScramKeys.clientKey(ScramKeys.saltedPassword(password, SALT, 4096));
        byte[] signature = ScramKeys.hmac(ScramKeys.storedKey(key), firstBare + "," + challenge + "," + withoutProof);
        return withoutProof + ",p=" + ScramText.encoded(ScramKeys.exclusiveOr(key, signature));
    }

    private static Optional<String> login(
            @Nullable ChannelBinding offered, boolean isBound, String password, String header, byte[] bound) {
        StandardScramServer server = new StandardScramServer(offered, isBound);
        String challenge = server.challenge(header + "n=,r=abc", VERIFIER, "xyz");
        return server.finish(last(password, header, bound, "n=,r=abc", challenge));
    }

    @Test
    void thePasswordIsTakenWithAndWithoutBinding() {
        assertThat(login(null, false, "correct horse", "n,,", new byte[0])).isPresent();
        assertThat(login(null, false, "correct horse", "y,,", new byte[0])).isPresent();
        assertThat(login(END_POINT, false, "correct horse", "n,,", new byte[0])).isPresent();
        assertThat(login(END_POINT, true, "correct horse", "p=tls-server-end-point,,", new byte[] {1, 2, 3}))
                .isPresent();
    }

    @Test
    void aWrongPasswordOrAnotherCertificateIsNot() {
        assertThat(login(null, false, "incorrect horse", "n,,", new byte[0])).isEmpty();
        assertThat(login(END_POINT, true, "correct horse", "p=tls-server-end-point,,", new byte[] {1, 2, 4}))
                .isEmpty();
    }

    @Test
    void aClientFromWhichTheOfferWasHiddenIsRefused() {
        assertMalformed(() -> login(END_POINT, false, "correct horse", "y,,", new byte[0]));
    }

    @Test
    void bindingAndMechanismFitEachOther() {
        assertMalformed(() -> login(END_POINT, true, "correct horse", "n,,", new byte[0]));
        assertMalformed(() -> login(END_POINT, true, "correct horse", "p=tls-unique,,", new byte[0]));
        assertMalformed(() -> login(END_POINT, false, "correct horse", "p=tls-server-end-point,,", new byte[0]));
        assertMalformed(() -> new StandardScramServer(null, true));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "n",
                "n,",
                "n,,",
                "n,,n=",
                "n,,n=,r=",
                "n,,n=,x=abc",
                "n,,r=abc,n=",
                "n,,m=must,n=,r=abc",
                "n,,n=,r=a\u00e4",
                "q,,n=,r=abc",
                "p=,,n=,r=abc"
            })
    void firstMessagesThatAreNoneAreRefused(String first) {
        assertMalformed(() -> new StandardScramServer(null, false).challenge(first, VERIFIER, "xyz"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "c=biws",
                ",p=",
                "c=biws,p=AAAA",
                "r=abcxyz,c=biws,p=AAAA",
                "c=biws,r=abcxyz,p=%",
                "c=biws,r=abcxyz,p=AAAA"
            })
    void lastMessagesThatAreNoneAreRefused(String last) {
        StandardScramServer server = new StandardScramServer(null, false);
        server.challenge("n,,n=,r=abc", VERIFIER, "xyz");
        assertMalformed(() -> server.finish(last));
    }

    @Test
    void anotherUserIsNotSupported() {
        assertThatThrownBy(() -> new StandardScramServer(null, false).challenge("n,a=x,n=,r=abc", VERIFIER, "xyz"))
                .asInstanceOf(InstanceOfAssertFactories.type(FulmarException.class))
                .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_SUPPORTED));
    }

    @Test
    void extensionsThatMayBeIgnoredAre() {
        StandardScramServer server = new StandardScramServer(null, false);
        String challenge = server.challenge("n,,n=,r=abc,z=more", VERIFIER, "xyz");
        assertThat(server.finish(last("correct horse", "n,,", new byte[0], "n=,r=abc,z=more", challenge)))
                .isPresent();
    }

    @Test
    void aProofIsTakenOnce() {
        StandardScramServer server = new StandardScramServer(null, false);
        String challenge = server.challenge("n,,n=,r=abc", VERIFIER, "xyz");
        String proof = last("correct horse", "n,,", new byte[0], "n=,r=abc", challenge);
        assertThat(server.finish(proof)).isPresent();
        assertMalformed(() -> server.finish(proof));
    }

    private static void assertMalformed(Runnable step) {
        assertThatThrownBy(step::run)
                .asInstanceOf(InstanceOfAssertFactories.type(FulmarException.class))
                .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.MALFORMED_REQUEST));
    }
}
