package dev.fulmar.it.network;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.network.real.LinkSecurity;
import dev.fulmar.foundation.network.real.LinkSettings;
import dev.fulmar.foundation.network.real.TcpNetwork;
import dev.fulmar.node.tls.TlsContexts;
import dev.fulmar.node.tls.TlsFiles;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Two nodes of a cluster, at {@code localhost} and at {@code 127.0.0.1}, and certificates for each of the two. */
@Timeout(180)
class EncryptedLinksTest {
    private static final int PATIENCE_SECONDS = 60;

    @TempDir
    private static Path folder;

    private static TlsFiles ofOne;
    private static TlsFiles ofTwo;

    @BeforeAll
    static void makeCertificates() throws Exception {
        Certificates one = Certificates.make(folder, "one", "dns:localhost");
        Certificates two = Certificates.make(folder, "two", "ip:127.0.0.1");
        Path authorities = folder.resolve("authorities.pem");
        Files.writeString(authorities, Files.readString(one.certificate()) + Files.readString(two.certificate()));
        ofOne = new TlsFiles(one.certificate(), one.key(), Optional.of(authorities));
        ofTwo = new TlsFiles(two.certificate(), two.key(), Optional.of(authorities));
    }

    private static final class TwoNodes implements AutoCloseable {
        private final TcpNetwork one;
        private final TcpNetwork two;
        private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();

        TwoNodes(TlsFiles shownByOne, TlsFiles shownByTwo) throws Exception {
            UUID cluster = UUID.randomUUID();
            one = network(1, shownByOne);
            two = network(2, shownByTwo);
            InetSocketAddress placeOfTwo = two.listen(new InetSocketAddress("127.0.0.1", 0));
            two.begin(cluster, 1);
            two.reach(one.self(), InetSocketAddress.createUnresolved("localhost", 1), 1);
            one.begin(cluster, 1);
            one.reach(two.self(), InetSocketAddress.createUnresolved("127.0.0.1", placeOfTwo.getPort()), 1);
        }

        private TcpNetwork network(int node, TlsFiles shown) {
            TcpNetwork network = new TcpNetwork(new NodeId(node), LinkSettings.DEFAULTS, security(shown));
            network.onMessage((from, message) -> heard.add(from + " says " + message.get()));
            return network;
        }

        String problem() {
            return one.links().getFirst().problem();
        }

        @Override
        public void close() {
            one.close();
            two.close();
        }
    }

    private static LinkSecurity security(TlsFiles shown) {
        return new LinkSecurity(() -> TlsContexts.forOpenedLinks(shown), () -> TlsContexts.forAcceptedLinks(shown));
    }

    @Test
    void nodesOfTheClusterHearEachOther() throws Exception {
        try (TwoNodes nodes = new TwoNodes(ofOne, ofTwo)) {
            for (int i = 0; i < 10 * PATIENCE_SECONDS; i++) {
                if (nodes.one.send(nodes.two.self(), ByteBuffer.wrap(new byte[] {7}))) {
                    break;
                }
                Thread.sleep(100);
            }
            assertThat(nodes.heard.poll(PATIENCE_SECONDS, TimeUnit.SECONDS)).isEqualTo(nodes.one.self() + " says 7");
        }
    }

    @Test
    void theKeyOfOneNodeDoesNotOpenThePlaceOfAnother() throws Exception {
        try (TwoNodes nodes = new TwoNodes(ofTwo, ofTwo)) {
            for (int i = 0; i < 10 * PATIENCE_SECONDS && !nodes.problem().contains("not for localhost"); i++) {
                Thread.sleep(100);
            }
            assertThat(nodes.problem()).contains("not for localhost");
            assertThat(nodes.one.send(nodes.two.self(), ByteBuffer.allocate(1))).isFalse();
        }
    }

    @Test
    void whoComesWithoutTlsIsNotHeard() throws Exception {
        try (TcpNetwork network = new TcpNetwork(new NodeId(2), LinkSettings.DEFAULTS, security(ofTwo))) {
            InetSocketAddress place = network.listen(new InetSocketAddress("127.0.0.1", 0));
            network.begin(UUID.randomUUID(), 1);
            try (Socket socket = new Socket(place.getAddress(), place.getPort())) {
                socket.setSoTimeout(1_000 * PATIENCE_SECONDS);
                socket.getOutputStream().write(new byte[] {0, 0, 0, 2, 1, 1});
                // An alert at most, and the end.
                assertThat(socket.getInputStream().readAllBytes().length).isLessThan(16);
            }
        }
    }
}
