package dev.fulmar.node.server;

import static dev.fulmar.node.server.PostgresClient.bytes;
import static dev.fulmar.node.server.PostgresClient.startUp;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.engine.catalog.access.AccessChange;
import dev.fulmar.engine.catalog.access.AccessRules;
import dev.fulmar.engine.catalog.access.Secret;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.scram.ScramVerifier;
import dev.fulmar.wire.address.HostAddress;
import dev.fulmar.wire.postgres.message.BackendMessage;
import dev.fulmar.wire.postgres.message.FrontendMessage;
import dev.fulmar.wire.postgres.message.Target;
import dev.fulmar.wire.postgres.message.ValueFormats;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Connections of PostgreSQL's protocol before the log-in is over, and when what serves them fails. */
@Timeout(120)
class PostgresConnectionTest {
    private static final String PASSWORD = "correct horse";

    private final AccessRules rules = AccessRules.none()
            .after(new AccessChange.CreateUser(
                    "ANN", new Secret.Verified(ScramVerifier.of(PASSWORD, new byte[16], 15_000)), false));
    private @Nullable PostgresServer server;

    @AfterEach
    void stop() {
        if (server != null) {
            server.close();
        }
    }

    private PostgresServer start(@Nullable UserDirectory users) {
        CancelKeys keys = new CancelKeys(new NodeId(0));
        PostgresServer started = new PostgresServer(users, keys, keys);
        server = started;
        return started;
    }

    // Defects of the server.

    @Test
    void aDefectIsToldBeforeTheConnectionEnds() throws Exception {
        PostgresServer started = start(null);
        try (PostgresClient client = PostgresClient.loggedIn(started.address());
                PostgresClient other = PostgresClient.loggedIn(started.address())) {
            client.send(new FrontendMessage.Query("Explode"));
            assertThat(client.answers(BackendMessage.ReadyForQuery.class)).containsExactly("FATAL XX000", "end");
            started.router.nextDeparted();
            other.send(new FrontendMessage.Query(""));
            assertThat(other.answers(BackendMessage.ReadyForQuery.class))
                    .containsExactly("EmptyQueryResponse", "ReadyForQuery");
        }
    }

    /** An answer is taken by a task of the connection's thread, not by a message. */
    @Test
    void aDefectBehindAMessageIsToldToo() throws Exception {
        PostgresServer started = start(null);
        try (PostgresClient client = PostgresClient.loggedIn(started.address())) {
            client.send(new FrontendMessage.Query("SELECT 1"), new FrontendMessage.Query("Explode"));
            started.router.next().answer(Committed.DONE);
            assertThat(client.answers(BackendMessage.CopyDone.class))
                    .containsExactly("CommandComplete", "ReadyForQuery", "FATAL XX000", "end");
        }
    }

    // Messages before the log-in is over.

    /** Steps of a log-in. */
    enum Step {
        CONNECTED,
        /** A request for TLS was answered with no. */
        WITHOUT_TLS,
        /** The server has offered mechanisms. */
        OFFERED,
        /** It has sent its challenge. */
        CHALLENGED
    }

    private static PostgresClient at(Step step, HostAddress address) throws IOException {
        PostgresClient client = new PostgresClient(address);
        if (step == Step.WITHOUT_TLS) {
            client.send(new FrontendMessage.SslRequest());
            assertThat(client.encryptionAnswer()).isEqualTo('N');
        } else if (step != Step.CONNECTED) {
            client.send(startUp("ann"));
            assertThat(client.answers(BackendMessage.AuthenticationSasl.class)).containsExactly("AuthenticationSasl");
        }
        if (step == Step.CHALLENGED) {
            client.send(initialResponse());
            assertThat(client.answers(BackendMessage.AuthenticationSaslContinue.class))
                    .containsExactly("AuthenticationSaslContinue");
        }
        return client;
    }

    private static FrontendMessage initialResponse() {
        String first = "n,,n=,r=nonceOfTheClient";
        String body = "SCRAM-SHA-256\0\0\0\0" + (char) first.length() + first;
        return new FrontendMessage.AuthenticationResponse(body.getBytes(StandardCharsets.ISO_8859_1));
    }

    private static Map<String, byte[]> messages() {
        Map<String, byte[]> messages = new LinkedHashMap<>();
        messages.put("StartupMessage", bytes(startUp("ann")));
        messages.put("SSLRequest", bytes(new FrontendMessage.SslRequest()));
        messages.put("GSSENCRequest", bytes(new FrontendMessage.GssEncryptionRequest()));
        messages.put("CancelRequest", bytes(new FrontendMessage.CancelRequest(1, 2)));
        messages.put("SASLInitialResponse", bytes(initialResponse()));
        messages.put("PasswordMessage", bytes(new FrontendMessage.AuthenticationResponse(new byte[] {'x', 0})));
        messages.put("Query", bytes(new FrontendMessage.Query("SELECT 1")));
        messages.put("Parse", bytes(new FrontendMessage.Parse("", "SELECT 1", List.of())));
        messages.put(
                "Bind", bytes(new FrontendMessage.Bind("", "", ValueFormats.TEXT, new byte[0][], ValueFormats.TEXT)));
        messages.put("Describe", bytes(new FrontendMessage.Describe(Target.PORTAL, "")));
        messages.put("Execute", bytes(new FrontendMessage.Execute("", 0)));
        messages.put("Close", bytes(new FrontendMessage.Close(Target.PORTAL, "")));
        messages.put("Sync", bytes(new FrontendMessage.Sync()));
        messages.put("Flush", bytes(new FrontendMessage.Flush()));
        messages.put("CopyData", bytes(new FrontendMessage.CopyData(new byte[] {'x'})));
        messages.put("CopyDone", bytes(new FrontendMessage.CopyDone()));
        messages.put("CopyFail", bytes(new FrontendMessage.CopyFail("no")));
        messages.put("FunctionCall", bytes(new FrontendMessage.FunctionCall(1)));
        messages.put("Terminate", bytes(new FrontendMessage.Terminate()));
        for (char type : "QPBDECSHXdcfpF".toCharArray()) {
            messages.put(type + ", unreadable", new byte[] {(byte) type, 0, 0, 0, 5, 'x'});
            messages.put(type + ", of a negative length", new byte[] {(byte) type, -1, 0, 0, 0});
        }
        messages.put("of no type", new byte[] {'?', 0, 0, 0, 4});
        return messages;
    }

    private static String expected(Step step, String message) {
        boolean isBegin = step == Step.CONNECTED || step == Step.WITHOUT_TLS;
        return switch (message) {
            case "StartupMessage" -> isBegin ? "[AuthenticationSasl]" : "[FATAL 08P01, end]";
            case "SSLRequest" -> step == Step.CONNECTED ? "N" : "[FATAL 08P01, end]";
            case "GSSENCRequest" -> isBegin ? "N" : "[FATAL 08P01, end]";
            case "CancelRequest" -> isBegin ? "[end]" : "[FATAL 08P01, end]";
            case "SASLInitialResponse" -> step == Step.OFFERED ? "[AuthenticationSaslContinue]" : "[FATAL 08P01, end]";
            default -> "[FATAL 08P01, end]";
        };
    }

    private static String answer(PostgresClient client, String expected) throws IOException {
        return switch (expected) {
            case "N" -> String.valueOf(client.encryptionAnswer());
            case "[AuthenticationSasl]" ->
                client.answers(BackendMessage.AuthenticationSasl.class).toString();
            case "[AuthenticationSaslContinue]" ->
                client.answers(BackendMessage.AuthenticationSaslContinue.class).toString();
            default -> client.answers(BackendMessage.ReadyForQuery.class).toString();
        };
    }

    @ParameterizedTest
    @EnumSource(Step.class)
    void everyMessageIsAnsweredAtEachStepOfTheLogIn(Step step) throws Exception {
        HostAddress address = start(rules::verifierOrDecoy).address();
        for (Map.Entry<String, byte[]> message : messages().entrySet()) {
            try (PostgresClient client = at(step, address)) {
                client.send(message.getValue());
                String expected = expected(step, message.getKey());
                assertThat(answer(client, expected)).as(message.getKey()).isEqualTo(expected);
            }
        }
    }

    /** Another might have written them (CVE-2021-23222). */
    @Test
    void whatComesWithARequestForEncryptionIsDropped() throws Exception {
        PostgresServer started = start(null);
        for (FrontendMessage request :
                List.of(new FrontendMessage.SslRequest(), new FrontendMessage.GssEncryptionRequest())) {
            try (PostgresClient client = new PostgresClient(started.address())) {
                client.send(request, startUp("eve"), new FrontendMessage.Query("DELETE FROM t"));
                assertThat(client.encryptionAnswer()).isEqualTo('N');
                client.send(startUp("ann"));
                assertThat(client.answers(BackendMessage.ReadyForQuery.class)).endsWith("ReadyForQuery");
                assertThat(started.router.isEmpty()).isTrue();
            }
        }
    }
}
