package dev.fulmar.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** The fake server keeps track of connections that clients make while it breaks others or stops, and of its port. */
final class FakeServerTest {
    private static final int CLIENTS = 40; // fewer than the listening socket's backlog
    private static final int ROUNDS = 20;
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    /** Connects anew whenever the server breaks the connection, until the server refuses. */
    private static void connectAgainAndAgain(int port) {
        while (true) {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                assertThat(socket.getInputStream().read()).isEqualTo(-1);
            } catch (ConnectException refused) {
                return;
            } catch (IOException broken) {
                continue;
            }
        }
    }

    private static List<Thread> connectMany(FakeServer server) {
        List<Thread> clients = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            clients.add(Thread.ofVirtual().start(() -> connectAgainAndAgain(server.port())));
        }
        awaitAll(server);
        return clients;
    }

    private static void awaitAll(FakeServer server) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (server.sessions().size() < CLIENTS && System.nanoTime() - end < 0) {
            LockSupport.parkNanos(1_000_000);
        }
        assertThat(server.sessions()).hasSize(CLIENTS);
    }

    @Test
    void aConnectionThatIsMadeWhileOthersBreakCanBeBrokenToo() throws Exception {
        try (FakeServer server = new FakeServer()) {
            connectMany(server);
            for (int i = 0; i < ROUNDS; i++) {
                server.breakConnections();
                awaitAll(server);
            }
        }
    }

    @Test
    void noConnectionOutlivesAServerThatStops() throws Exception {
        for (int i = 0; i < ROUNDS; i++) {
            try (FakeServer server = new FakeServer()) {
                List<Thread> clients = connectMany(server);
                server.breakConnections();
                server.stop();
                for (Thread client : clients) {
                    assertThat(client.join(PATIENCE)).isTrue();
                }
            }
        }
    }

    @Test
    void aStoppedServerKeepsItsPort() throws Exception {
        try (FakeServer server = new FakeServer();
                ServerSocket other = new ServerSocket()) {
            server.stop();
            other.setReuseAddress(false);
            InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port());
            assertThatThrownBy(() -> other.bind(address)).isInstanceOf(BindException.class);
            server.reopen();
            connectMany(server);
        }
    }
}
