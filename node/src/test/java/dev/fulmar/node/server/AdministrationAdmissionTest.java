package dev.fulmar.node.server;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is kept for administrators when everybody else has taken all there is, and a port that is theirs alone. */
@Timeout(60)
class AdministrationAdmissionTest {
    private static final int CONNECTIONS = 3;
    private static final int REQUESTS = 2;
    private static final HostAddress ANY = new HostAddress("127.0.0.1", 0);

    private final ScramVerifier verifier = ScramVerifier.of("secret", new byte[16], 4_096);
    private final ScriptedRouter router = new ScriptedRouter();
    private final ConcurrentLinkedQueue<AuditEvent> audit = new ConcurrentLinkedQueue<>();
    private final List<WireClient> clients = new ArrayList<>();
    private @Nullable NodeServer server;

    @AfterEach
    void stop() throws IOException {
        for (WireClient client : clients) {
            client.close();
        }
        if (server != null) {
            server.stop(Duration.ZERO);
            server.endThreads();
        }
    }

    private NodeServer start(boolean asking, boolean hasOwnPort) {
        UserDirectory users = new UserDirectory() {
            @Override
            public ScramVerifier verifierOrDecoy(String user) {
                return verifier;
            }

            @Override
            public boolean isAdministrator(String user) {
                return user.equals("ROOT");
            }
        };
        NodeServer started = new NodeServer(
                new ServerConfiguration(
                        ANY,
                        1,
                        CONNECTIONS,
                        REQUESTS,
                        WireLimits.DEFAULT,
                        Duration.ofSeconds(10),
                        true,
                        hasOwnPort ? Optional.of(ANY) : Optional.empty()),
                0,
                77,
                router,
                name -> (request, origin, sink) -> {
                    sink.respond(request, ScriptedRouter.value(request.caller().mayAdminister() ? 1 : 0));
                    sink.flush();
                },
                ConnectionListener.none(),
                new ServerSecurity(asking ? users : null, null, HandshakeLimits.DEFAULT, audit::add));
        server = started;
        started.start();
        return started;
    }

    private WireClient connect(HostAddress address) throws IOException {
        WireClient client = new WireClient(address);
        clients.add(client);
        return client;
    }

    /** Logs in up to the proof. */
    private WireClient prove(HostAddress address, String user) throws IOException {
        WireClient client = connect(address);
        client.send(
                FrameKind.HELLO,
                Hello.newBuilder()
                        .setOldestVersion(1)
                        .setNewestVersion(2)
                        .setClientId(5)
                        .build());
        ScramClient scram = new ScramClient(
                user, ScramClient.PasswordSalting.of("secret"), ChannelBinding.none(), "nonceOfTheClient", "1-2");
        client.send(FrameKind.AUTHENTICATION, scram.first());
        client.authentication();
        client.send(FrameKind.AUTHENTICATION, scram.last(client.authentication()));
        return client;
    }

    private WireClient enter(HostAddress address, String user) throws IOException {
        WireClient client = prove(address, user);
        client.authentication();
        client.read(FrameKind.WELCOME);
        return client;
    }

    private void assertRefused(HostAddress address, String user, ErrorCode code) throws IOException {
        WireClient client = prove(address, user);
        ConnectionError error = client.error();
        assertThat(ErrorCode.ofNumber(error.getCode())).isEqualTo(code);
        assertThat(client.closedByServer()).isTrue();
    }

    @Test
    void whenAllConnectionsAreTakenThereAreSomeForAdministrators() throws Exception {
        HostAddress address = start(true, false).address();
        for (int i = 0; i < CONNECTIONS; i++) {
            enter(address, "ann");
        }
        assertRefused(address, "ann", ErrorCode.TOO_MANY_CONNECTIONS);
        for (int i = 0; i < 3; i++) {
            WireClient root = enter(address, "root");
            root.call(1, "@Statistics");
            assertThat(root.reply().getValue()).isEqualTo(1);
        }
        assertRefused(address, "ann", ErrorCode.TOO_MANY_CONNECTIONS);
    }

    @Test
    void administratorsTakeNoMoreThanWhatIsKept() throws Exception {
        HostAddress address = start(true, false).address();
        for (int i = 0; i < CONNECTIONS + ConnectionAdmission.KEPT_CONNECTIONS; i++) {
            enter(address, "root");
        }
        WireClient last = connect(address);
        assertThat(ErrorCode.ofNumber(last.error().getCode())).isEqualTo(ErrorCode.TOO_MANY_CONNECTIONS);
    }

    @Test
    void whenTheNodesQueueIsFullItsOwnProceduresAreServed() throws Exception {
        HostAddress address = start(false, false).address();
        WireClient client = WireClient.opened(address, 1);
        clients.add(client);
        for (int i = 1; i <= REQUESTS; i++) {
            client.call(i, "Held");
            router.next();
        }
        client.call(3, "Echo");
        assertThat(ErrorCode.ofNumber(client.reply().getStatus())).isEqualTo(ErrorCode.SERVER_BUSY);
        client.call(4, "@Statistics");
        assertThat(client.reply().getValue()).isEqualTo(1);
        client.bind(1, "@Statistics");
        client.call(5, 1, "", WireClient.noParameters());
        assertThat(client.reply().getValue()).isEqualTo(1);
    }

    @Test
    void thePortOfAdministratorsIsTheirsAndNobodyAdministersAtTheOther() throws Exception {
        NodeServer started = start(true, true);
        WireClient there = enter(started.administrationAddress(), "root");
        there.call(1, "@Restart");
        assertThat(there.reply().getValue()).isEqualTo(1);
        WireClient here = enter(started.address(), "root");
        here.call(1, "@Restart");
        assertThat(here.reply().getValue()).as("may not administer").isZero();
        enter(started.address(), "ann");
        assertRefused(started.administrationAddress(), "ann", ErrorCode.PERMISSION_DENIED);
        assertThat(audit)
                .anySatisfy(
                        event -> assertThat(event.kind() + " " + event.user()).isEqualTo("DENIED ANN"));
    }

    @Test
    void whatOthersDoAtTheirPortTakesNothingFromTheOneOfAdministrators() throws Exception {
        NodeServer started = start(false, true);
        for (int i = 0; i < CONNECTIONS; i++) {
            clients.add(WireClient.opened(started.address(), i));
        }
        assertThat(ErrorCode.ofNumber(connect(started.address()).error().getCode()))
                .isEqualTo(ErrorCode.TOO_MANY_CONNECTIONS);
        clients.add(WireClient.opened(started.administrationAddress(), 99));
    }

    @Test
    void theConnectionsOfAUserWhoIsGoneAreEnded() throws Exception {
        NodeServer started = start(true, false);
        WireClient ann = enter(started.address(), "ann");
        WireClient root = enter(started.address(), "root");
        started.endConnectionsOf(user -> user.equals("ANN"));
        assertThat(ann.error().getMessage()).contains("user ANN does not exist any more");
        assertThat(ann.closedByServer()).isTrue();
        root.call(1, "@Ping");
        assertThat(root.reply().getValue()).isEqualTo(1);
    }
}
