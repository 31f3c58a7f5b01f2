package dev.fulmar.node.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.wire.address.HostAddress;
import dev.fulmar.wire.frame.FrameKind;
import dev.fulmar.wire.limit.WireLimits;
import dev.fulmar.wire.proto.Bound;
import dev.fulmar.wire.proto.CatalogVersion;
import dev.fulmar.wire.proto.Hello;
import dev.fulmar.wire.proto.KeyKind;
import dev.fulmar.wire.proto.Topology;
import dev.fulmar.wire.proto.Welcome;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a server tells clients of where their calls run: those who understand it, at once and when it changes. */
class RoutingHintsTest {
    private static final Topology FIRST = Topology.newBuilder().addNodes(1).build();
    private static final Topology SECOND = Topology.newBuilder().addNodes(2).build();

    private final AtomicInteger parameter = new AtomicInteger(2);
    private NodeServer server;

    @BeforeEach
    void start() {
        ConnectionListener nobody = new ConnectionListener() {
            @Override
            public void opened(ConnectionStatistics client) {}

            @Override
            public void closed(ConnectionStatistics client) {}
        };
        server = new NodeServer(
                new ServerConfiguration(
                        new HostAddress("127.0.0.1", 0), 1, 10, 10, WireLimits.DEFAULT, Duration.ofSeconds(10), true),
                3,
                77,
                new ScriptedRouter(),
                name -> null,
                nobody,
                ServerSecurity.off());
        server.keys((procedure, caller) -> procedure.equals("Keyed")
                ? Bound.newBuilder()
                        .setParameter(parameter.get())
                        .setKey(KeyKind.TEXT_KEY)
                        .build()
                : null);
        server.announce(FIRST);
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(Duration.ZERO);
        server.endThreads();
    }

    private WireClient opened(int version) throws IOException {
        WireClient client = new WireClient(server.address());
        client.send(
                FrameKind.HELLO,
                Hello.newBuilder().setOldestVersion(1).setNewestVersion(version).build());
        client.read(FrameKind.WELCOME);
        return client;
    }

    @Test
    void whoServesWhatIsToldAtOnceAndWhenItChanges() throws Exception {
        try (WireClient client = opened(3)) {
            assertThat(Topology.parseFrom(client.read(FrameKind.TOPOLOGY))).isEqualTo(FIRST);
            server.announce(SECOND);
            assertThat(Topology.parseFrom(client.read(FrameKind.TOPOLOGY))).isEqualTo(SECOND);
        }
    }

    @Test
    void theKeyOfAProcedureIsToldWhenItIsBoundAndWhenItChanges() throws Exception {
        try (WireClient client = opened(3)) {
            client.read(FrameKind.TOPOLOGY);
            client.bind(1, "Keyless");
            client.bind(2, "Keyed");
            Bound told = Bound.parseFrom(client.read(FrameKind.BOUND));
            assertThat(told.getNumber()).isEqualTo(2);
            assertThat(told.getParameter()).isEqualTo(2);
            server.announceKeys();
            parameter.set(3);
            server.announceKeys();
            assertThat(Bound.parseFrom(client.read(FrameKind.BOUND)).getParameter())
                    .isEqualTo(3);
        }
    }

    /** Whatever a reply may tell of a change, its client knows then that there was one. */
    @Test
    void theCatalogsVersionIsToldBeforeAReply() throws Exception {
        AtomicLong version = new AtomicLong(7);
        server.catalog(version::get);
        try (WireClient client = new WireClient(server.address())) {
            client.send(
                    FrameKind.HELLO,
                    Hello.newBuilder().setOldestVersion(1).setNewestVersion(5).build());
            assertThat(Welcome.parseFrom(client.read(FrameKind.WELCOME)).getCatalogVersion())
                    .isEqualTo(7);
            client.read(FrameKind.TOPOLOGY);
            client.bind(1, "Echo");
            client.call(1, "Echo");
            assertThat(client.reply().getRequestId()).isEqualTo(1);
            version.set(8);
            client.call(2, "Echo");
            assertThat(CatalogVersion.parseFrom(client.read(FrameKind.CATALOG)).getVersion())
                    .isEqualTo(8);
            assertThat(client.reply().getRequestId()).isEqualTo(2);
        }
    }

    @Test
    void anOlderClientIsToldNothingThatItWouldNotUnderstand() throws Exception {
        try (WireClient client = opened(2)) {
            server.announce(SECOND);
            client.bind(1, "Keyed");
            server.announceKeys();
            server.catalog(() -> 9);
            client.call(1, "Echo");
            assertThat(client.reply().getRequestId()).isEqualTo(1);
        }
    }
}
