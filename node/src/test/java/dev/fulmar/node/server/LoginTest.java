package dev.fulmar.node.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.engine.catalog.access.AccessChange;
import dev.fulmar.engine.catalog.access.AccessRules;
import dev.fulmar.engine.catalog.access.Secret;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.scram.ChannelBinding;
import dev.fulmar.foundation.scram.ScramClient;
import dev.fulmar.foundation.scram.ScramVerifier;
import dev.fulmar.node.audit.AuditEvent;
import dev.fulmar.wire.address.HostAddress;
import dev.fulmar.wire.frame.FrameKind;
import dev.fulmar.wire.limit.WireLimits;
import dev.fulmar.wire.proto.ConnectionError;
import dev.fulmar.wire.proto.Hello;
import dev.fulmar.wire.proto.Welcome;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a client has to do before the server does anything for it. */
@Timeout(60)
class LoginTest {
    private static final String PASSWORD = "correct horse";
    private static final long MILLI = 1_000_000;

    private final AccessRules rules = AccessRules.none()
            .after(new AccessChange.CreateUser(
                    "ANN", new Secret.Verified(ScramVerifier.of(PASSWORD, new byte[16], 15_000)), false))
            .after(new AccessChange.CreateRole("CLERK", false));
    private final ScriptedRouter router = new ScriptedRouter();
    private final ConcurrentLinkedQueue<AuditEvent> audit = new ConcurrentLinkedQueue<>();
    private @Nullable NodeServer server;

    @AfterEach
    void stop() {
        if (server != null) {
            server.stop(Duration.ZERO);
            server.endThreads();
        }
    }

    private HostAddress start(boolean asking, HandshakeLimits limits, Duration time) {
        return start(asking ? rules::verifierOrDecoy : null, limits, time);
    }

    private HostAddress start(@Nullable UserDirectory users, HandshakeLimits limits, Duration time) {
        NodeServer started = new NodeServer(
                new ServerConfiguration(new HostAddress("127.0.0.1", 0), 1, 100, 100, WireLimits.DEFAULT, time, true),
                0,
                77,
                router,
                name -> null,
                ConnectionListener.none(),
                new ServerSecurity(users, null, limits, audit::add));
        server = started;
        started.start();
        return started.address();
    }

    private HostAddress start() {
        return start(true, HandshakeLimits.DEFAULT, Duration.ofSeconds(10));
    }

    private static Hello hello(int oldest, int newest) {
        return Hello.newBuilder()
                .setOldestVersion(oldest)
                .setNewestVersion(newest)
                .setClientId(5)
                .setClientName("test")
                .build();
    }

    private static ScramClient scram(String user, String password, String offered) {
        return new ScramClient(
                user, ScramClient.PasswordSalting.of(password), ChannelBinding.none(), "nonceOfTheClient", offered);
    }

    /** The answer to a login up to the proof. */
    private static void prove(WireClient client, ScramClient scram) throws IOException {
        client.send(FrameKind.HELLO, hello(1, 2));
        client.send(FrameKind.AUTHENTICATION, scram.first());
        assertThat(client.authentication()).isEqualTo("SCRAM-SHA-256");
        client.send(FrameKind.AUTHENTICATION, scram.last(client.authentication()));
    }

    private static WireClient loggedIn(HostAddress address) throws IOException {
        WireClient client = new WireClient(address);
        ScramClient scram = scram("ann", PASSWORD, "1-2");
        prove(client, scram);
        scram.finish(client.authentication());
        assertThat(Welcome.parseFrom(client.read(FrameKind.WELCOME)).getVersion())
                .isEqualTo(2);
        return client;
    }

    private static ConnectionError refusal(HostAddress address, String user, String password) throws IOException {
        try (WireClient client = new WireClient(address)) {
            prove(client, scram(user, password, "1-2"));
            ConnectionError error = client.error();
            assertThat(client.closedByServer()).isTrue();
            return error;
        }
    }

    @Test
    void whoKnowsThePasswordIsInUnderThatName() throws Exception {
        HostAddress address = start();
        try (WireClient client = loggedIn(address)) {
            client.call(1, "Hold");
            TransactionRequest request = router.next().request();
            assertThat(request.caller().user()).isEqualTo("ANN");
            assertThat(request.caller().isTrusted()).isFalse();
            client.statement(2, "Hold");
            assertThat(router.next().request().caller().user()).isEqualTo("ANN");
        }
        assertThat(audit)
                .extracting(event -> event.kind() + " " + event.user() + " " + event.outcome())
                .containsExactly("LOGIN ANN DONE");
    }

    @Test
    void othersGetTheSameAnswerWhateverIsWrong() throws Exception {
        HostAddress address = start();
        ConnectionError wrong = refusal(address, "ann", "wrong horse");
        assertThat(ErrorCode.ofNumber(wrong.getCode())).isEqualTo(ErrorCode.AUTHENTICATION_FAILED);
        assertThat(refusal(address, "nobody", PASSWORD)).isEqualTo(wrong);
        assertThat(refusal(address, "clerk", PASSWORD)).isEqualTo(wrong);
        assertThat(audit).extracting(AuditEvent::outcome).containsOnly("AUTHENTICATION_FAILED");
        assertThat(audit).extracting(AuditEvent::user).containsExactly("ann", "nobody", "clerk");
    }

    @Test
    void whereNobodyIsKnownYetNoPasswordIsCalledWrong() throws Exception {
        UserDirectory nobody = new UserDirectory() {
            @Override
            public ScramVerifier verifierOrDecoy(String user) {
                return AccessRules.none().verifierOrDecoy(user);
            }

            @Override
            public boolean isEmpty() {
                return true;
            }
        };
        HostAddress address = start(nobody, HandshakeLimits.DEFAULT, Duration.ofSeconds(10));
        try (WireClient client = new WireClient(address)) {
            client.send(FrameKind.HELLO, hello(1, 2));
            ConnectionError error = client.error();
            assertThat(error.getCode()).isEqualTo(ErrorCode.NOT_CONNECTED.number());
            assertThat(error.getMessage()).contains("has not joined its cluster");
            assertThat(client.closedByServer()).isTrue();
        }
    }

    @Test
    void anUnknownUserIsChallengedLikeAKnownOneAndAlwaysAlike() throws Exception {
        HostAddress address = start();
        List<String> salts = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            try (WireClient client = new WireClient(address)) {
                client.send(FrameKind.HELLO, hello(1, 2));
                client.send(
                        FrameKind.AUTHENTICATION,
                        scram("nobody", PASSWORD, "1-2").first());
                client.authentication();
                String challenge = client.authentication();
                assertThat(challenge).contains(",i=15000,");
                salts.add(challenge.split(",")[1]);
            }
        }
        assertThat(salts.get(0)).isEqualTo(salts.get(1)).hasSize(26);
    }

    @Test
    void failuresWaitAndHoldUpNobodyElse() throws Exception {
        HostAddress address = start();
        for (int i = 0; i < 3; i++) {
            refusal(address, "ann", "wrong horse");
        }
        try (WireClient guesser = new WireClient(address)) {
            prove(guesser, scram("ann", "wrong horse", "1-2"));
            long begin = System.nanoTime();
            try (WireClient client = loggedIn(address)) {
                client.call(1, "Hold");
                router.next();
            }
            assertThat(System.nanoTime() - begin)
                    .as("beside the one that waits")
                    .isLessThan(750 * MILLI);
            guesser.error();
            assertThat(System.nanoTime() - begin).isGreaterThan(750 * MILLI);
        }
    }

    @Test
    void aProofThatWasOverheardIsWorthNothing() throws Exception {
        HostAddress address = start();
        ScramClient scram = scram("ann", PASSWORD, "1-2");
        String first = scram.first();
        String proof;
        try (WireClient client = new WireClient(address)) {
            client.send(FrameKind.HELLO, hello(1, 2));
            client.send(FrameKind.AUTHENTICATION, first);
            client.authentication();
            proof = scram.last(client.authentication());
            client.send(FrameKind.AUTHENTICATION, proof);
            scram.finish(client.authentication());
        }
        try (WireClient client = new WireClient(address)) {
            client.send(FrameKind.HELLO, hello(1, 2));
            client.send(FrameKind.AUTHENTICATION, first);
            client.authentication();
            client.authentication();
            client.send(FrameKind.AUTHENTICATION, proof);
            assertThat(ErrorCode.ofNumber(client.error().getCode())).isEqualTo(ErrorCode.AUTHENTICATION_FAILED);
        }
    }

    @Test
    void aHelloThatWasChangedOnTheWayIsNoticed() throws Exception {
        HostAddress address = start();
        try (WireClient client = new WireClient(address)) {
            client.send(FrameKind.HELLO, hello(1, 2));
            client.send(FrameKind.AUTHENTICATION, scram("ann", PASSWORD, "1-3").first());
            client.authentication();
            assertThat(ErrorCode.ofNumber(client.error().getCode())).isEqualTo(ErrorCode.MALFORMED_REQUEST);
        }
    }

    @Test
    void clientsWithoutUsersWorkWhereNobodyAsksForThem() throws Exception {
        HostAddress asking = start();
        try (WireClient old = new WireClient(asking)) {
            old.send(FrameKind.HELLO, hello(1, 1));
            assertThat(ErrorCode.ofNumber(old.error().getCode())).isEqualTo(ErrorCode.AUTHENTICATION_FAILED);
        }
        stop();
        HostAddress open = start(false, HandshakeLimits.DEFAULT, Duration.ofSeconds(10));
        try (WireClient old = new WireClient(open)) {
            old.send(FrameKind.HELLO, hello(1, 1));
            assertThat(Welcome.parseFrom(old.read(FrameKind.WELCOME)).getVersion())
                    .isOne();
            old.call(1, "Hold");
            assertThat(router.next().request().caller().isTrusted()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"call", "statement", "bind", "call after hello", "proof first", "second hello", "proof twice"})
    void nothingIsDoneForOneWhoHasNotLoggedIn(String what) throws Exception {
        HostAddress address = start();
        try (WireClient client = new WireClient(address)) {
            switch (what) {
                case "call" -> client.call(1, "Hold");
                case "statement" -> client.statement(1, "Hold");
                case "bind" -> client.bind(1, "Hold");
                case "call after hello" -> {
                    client.send(FrameKind.HELLO, hello(1, 2));
                    client.authentication();
                    client.call(1, "Hold");
                }
                case "proof first" -> client.send(FrameKind.AUTHENTICATION, "n,,n=ann,r=a,x=1-2");
                case "second hello" -> {
                    client.send(FrameKind.HELLO, hello(1, 2));
                    client.authentication();
                    client.send(FrameKind.HELLO, hello(1, 1));
                }
                default -> {
                    prove(client, scram("ann", PASSWORD, "1-2"));
                    client.authentication();
                    client.read(FrameKind.WELCOME);
                    client.send(FrameKind.AUTHENTICATION, "c=biws,r=a,p=AAAA");
                }
            }
            assertThat(ErrorCode.ofNumber(client.error().getCode())).isEqualTo(ErrorCode.MALFORMED_REQUEST);
            assertThat(client.closedByServer()).isTrue();
        }
        assertThat(router.isEmpty()).isTrue();
    }

    @Test
    void framesAreShortBeforeTheLogin() throws Exception {
        HostAddress address = start();
        try (WireClient client = new WireClient(address)) {
            client.send(new byte[] {1, 0x20, 0, 0, 1, 1}); // 8,193 bytes are announced
            assertThat(ErrorCode.ofNumber(client.error().getCode())).isEqualTo(ErrorCode.FRAME_TOO_LARGE);
        }
        try (WireClient client = loggedIn(address)) {
            client.call(1, 0, "Hold", new byte[20_000]);
            router.next();
        }
    }

    @Test
    void aLoginHasItsTime() throws Exception {
        HostAddress address = start(true, HandshakeLimits.DEFAULT, Duration.ofMillis(300));
        try (WireClient client = new WireClient(address)) {
            client.send(FrameKind.HELLO, hello(1, 2));
            client.authentication();
            assertThat(client.error().getMessage()).contains("no complete introduction");
        }
        try (WireClient client = loggedIn(address)) {
            Thread.sleep(500);
            client.call(1, "Hold");
            router.next();
        }
    }

    @Test
    void onlySoManyMayBeLoggingIn() throws Exception {
        HostAddress address = start(true, new HandshakeLimits(100, 2), Duration.ofSeconds(10));
        try (WireClient in = loggedIn(address);
                WireClient first = new WireClient(address)) {
            first.send(FrameKind.HELLO, hello(1, 2));
            first.authentication();
            try (WireClient second = new WireClient(address)) {
                second.send(FrameKind.HELLO, hello(1, 2));
                second.authentication();
                try (WireClient third = new WireClient(address)) {
                    assertThat(ErrorCode.ofNumber(third.error().getCode())).isEqualTo(ErrorCode.TOO_MANY_CONNECTIONS);
                }
                in.call(1, "Hold");
                router.next();
            }
        }
    }

    @Test
    void connectionsThatWaitAreCountedByAddressAndAltogether() {
        PendingConnections pending = new PendingConnections(new HandshakeLimits(3, 2));
        assertThat(pending.enter("a")).isTrue();
        assertThat(pending.enter("a")).isTrue();
        assertThat(pending.enter("a")).isFalse();
        pending.leave("a");
        assertThat(pending.enter("b")).isTrue();
        assertThat(pending.enter("c")).isFalse();
        for (String address : List.of("c", "b", "a", "a")) {
            pending.leave(address);
        }
        assertThat(pending.count()).isZero();
    }
}
