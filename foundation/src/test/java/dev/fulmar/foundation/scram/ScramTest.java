package dev.fulmar.foundation.scram;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

/** Both sides of an authentication, and what neither side falls for. */
class ScramTest {
    private static final byte[] SALT = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
    private static final ScramVerifier VERIFIER = ScramVerifier.of("correct horse", SALT, 4096);
    private static final String CONTEXT = "1-2";

    private final ScramServer server = new ScramServer(ChannelBinding.none(), CONTEXT);
    private final ScramClient client = client("correct horse", ChannelBinding.none());

    private static ScramClient client(String password, ChannelBinding binding) {
        return new ScramClient("a,=lice", ScramClient.PasswordSalting.of(password), binding, "clientNonce", CONTEXT);
    }

    private static String challenge(ScramServer server, ScramClient client) {
        assertThat(server.begin(client.first())).isEqualTo("a,=lice");
        return server.challenge(VERIFIER, "serverNonce");
    }

    /** The example of RFC 7677, section 3. */
    @Test
    void keysAreThoseOfTheStandard() {
        String message = "n=user,r=rOprNGfwEbeRWgbNEkqO,"
                + "r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096,"
                + "c=biws,r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0";
        byte[] salted =
                ScramKeys.saltedPassword("pencil", Base64.getDecoder().decode("W22ZaJ0SNY7soEsUEjb6gQ=="), 4096);
        byte[] clientKey = ScramKeys.clientKey(salted);
        byte[] signature = ScramKeys.hmac(ScramKeys.storedKey(clientKey), message);
        assertThat(ScramText.encoded(ScramKeys.exclusiveOr(clientKey, signature)))
                .isEqualTo("dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=");
        assertThat(ScramText.encoded(ScramKeys.hmac(ScramKeys.serverKey(salted), message)))
                .isEqualTo("6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=");
        assertThat(ChannelBinding.none().attribute()).isEqualTo("biws");
    }

    @Test
    void theRightPasswordIsTaken() {
        String proof = client.last(challenge(server, client));
        Optional<String> outcome = server.finish(proof);
        assertThat(outcome).isPresent();
        client.finish(outcome.orElseThrow());
        assertThat(proof).doesNotContain("correct");
    }

    @Test
    void aWrongPasswordIsNot() {
        ScramClient wrong = client("incorrect horse", ChannelBinding.none());
        assertThat(server.finish(wrong.last(challenge(server, wrong)))).isEmpty();
    }

    @Test
    void thePasswordMayBeTypedInOtherCharactersThatMeanTheSame() {
        ScramVerifier composed = ScramVerifier.of("p\u00e4ssword one", SALT, 4096);
        assertThat(ScramVerifier.of("pa\u0308ssword\u00a0one", SALT, 4096)).isEqualTo(composed);
    }

    @Test
    void aProofIsWorthNothingForAnotherChallenge() {
        String proof = client.last(challenge(server, client));
        ScramServer another = new ScramServer(ChannelBinding.none(), CONTEXT);
        another.begin(client.first());
        another.challenge(VERIFIER, "otherNonce");
        assertThat(another.finish(proof)).isEmpty();
    }

    @Test
    void aProofIsTakenOnce() {
        String proof = client.last(challenge(server, client));
        assertThat(server.finish(proof)).isPresent();
        assertThatThrownBy(() -> server.finish(proof)).isInstanceOf(FulmarException.class);
    }

    @Test
    void aProofIsWorthNothingOnAnotherTlsConnection() {
        ScramClient bound = client("correct horse", ChannelBinding.exported(new byte[] {1}));
        ScramServer same = new ScramServer(ChannelBinding.exported(new byte[] {1}), CONTEXT);
        assertThat(same.finish(bound.last(challenge(same, bound)))).isPresent();
        ScramClient relayed = client("correct horse", ChannelBinding.exported(new byte[] {1}));
        ScramServer other = new ScramServer(ChannelBinding.exported(new byte[] {2}), CONTEXT);
        assertThat(other.finish(relayed.last(challenge(other, relayed)))).isEmpty();
    }

    @Test
    void aClientThatSeesNoTlsIsRefusedWhereThereIsTls() {
        ScramServer withTls = new ScramServer(ChannelBinding.exported(new byte[] {1}), CONTEXT);
        assertRefused(() -> withTls.begin(client.first()), ErrorCode.MALFORMED_REQUEST);
        assertRefused(() -> withTls.begin("y,," + client.first().substring(3)), ErrorCode.MALFORMED_REQUEST);
    }

    @Test
    void whatBothSidesUnderstoodMustBeTheSame() {
        ScramServer tampered = new ScramServer(ChannelBinding.none(), "1-1");
        assertRefused(() -> tampered.begin(client.first()), ErrorCode.MALFORMED_REQUEST);
        String challenge = challenge(server, client).replace("x=1-2", "x=1-1");
        assertRefused(() -> client.last(challenge), ErrorCode.AUTHENTICATION_FAILED);
    }

    @Test
    void theClientAsksForTheServersProof() {
        client.last(challenge(server, client));
        assertRefused(() -> client.finish("v=" + ScramText.encoded(new byte[32])), ErrorCode.AUTHENTICATION_FAILED);
        ScramClient unchallenged = client("correct horse", ChannelBinding.none());
        assertRefused(
                () -> unchallenged.finish("v=" + ScramText.encoded(new byte[32])), ErrorCode.AUTHENTICATION_FAILED);
    }

    @Test
    void theClientDoesNeitherTooFewNorTooManyIterations() {
        String challenge = challenge(server, client);
        assertRefused(() -> client.last(challenge.replace("i=4096", "i=4095")), ErrorCode.AUTHENTICATION_FAILED);
        assertRefused(() -> client.last(challenge.replace("i=4096", "i=1000001")), ErrorCode.AUTHENTICATION_FAILED);
    }

    @Test
    void theClientWantsItsOwnNonceBack() {
        String challenge = challenge(server, client);
        assertRefused(
                () -> client.last(challenge.replace("r=clientNonce", "r=otherNonce!")),
                ErrorCode.AUTHENTICATION_FAILED);
        assertRefused(
                () -> client.last(challenge.replace("clientNonceserverNonce", "clientNonce")),
                ErrorCode.AUTHENTICATION_FAILED);
    }

    @Test
    void nonsenseIsRefusedAsSuch() {
        for (String first :
                new String[] {"", "n,,", "n,,n=a", "n,,n=a,r=", "n,,n=a,r=b,x=1-2,m=c", "n,,n==2,r=b,x=1-2"}) {
            assertRefused(() -> server.begin(first), ErrorCode.MALFORMED_REQUEST);
        }
        challenge(server, client);
        assertRefused(() -> server.finish("c=biws,r=x,p=AAAA"), ErrorCode.MALFORMED_REQUEST);
        assertRefused(() -> server.finish("c=biws,r=x,p=*"), ErrorCode.MALFORMED_REQUEST);
        assertRefused(() -> server.begin("n,,n=a,r=" + "b".repeat(5000) + ",x=1-2"), ErrorCode.MALFORMED_REQUEST);
    }

    @Test
    void aVerifierIsReadBackAndShownToNobody() {
        assertThat(ScramVerifier.parse(VERIFIER.text())).isEqualTo(VERIFIER);
        assertThat(VERIFIER).hasToString("a verifier");
        assertThat(ScramVerifier.of("correct horse", SALT, 4097)).isNotEqualTo(VERIFIER);
    }

    @Test
    void aVerifierThatCannotBeReadIsNotRepeatedInTheError() {
        String cut = VERIFIER.text().substring(0, VERIFIER.text().length() - 8);
        String weak = VERIFIER.text().replace("$4096:", "$4095:");
        for (String text : new String[] {"", cut, weak, "SCRAM-SHA-256$4096:AA==$AA==:AA=="}) {
            assertThatThrownBy(() -> ScramVerifier.parse(text))
                    .isInstanceOf(FulmarException.class)
                    .satisfies(error -> assertThat(error.getMessage()).doesNotContain("AA==", weak));
        }
    }

    @Test
    void aDecoyIsAlwaysTheSameForTheSameNameAndLooksLikeAnother() {
        ScramDecoy decoy = new ScramDecoy(new byte[] {7});
        assertThat(decoy.verifier("BOB")).isEqualTo(decoy.verifier("BOB"));
        assertThat(decoy.verifier("BOB").salt())
                .hasSize(ScramVerifier.SALT_BYTES)
                .isNotEqualTo(decoy.verifier("EVE").salt());
        assertThat(decoy.verifier("BOB").iterations()).isEqualTo(ScramVerifier.USUAL_ITERATIONS);
    }

    private static void assertRefused(Runnable attempt, ErrorCode code) {
        assertThatThrownBy(attempt::run)
                .asInstanceOf(InstanceOfAssertFactories.type(FulmarException.class))
                .extracting(FulmarException::code)
                .isEqualTo(code);
    }
}
