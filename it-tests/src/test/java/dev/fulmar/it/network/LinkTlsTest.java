package dev.fulmar.it.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.network.real.LinkSecurity;
import dev.fulmar.foundation.network.real.LinkSettings;
import dev.fulmar.foundation.network.real.TcpNetwork;
import dev.fulmar.node.tls.TlsContexts;
import dev.fulmar.node.tls.TlsFiles;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Links between nodes: both sides show a certificate of the cluster's own authorities, or there is no link. */
@Timeout(120)
class LinkTlsTest {
    private static final int MOST_STEPS = 1_000;

    @TempDir
    private Path folder;

    private TlsFiles first;
    private TlsFiles second;
    private TlsFiles stranger;

    @BeforeEach
    void makeCertificates() throws Exception {
        Certificates one = Certificates.make(folder, "one", "dns:one.example");
        Certificates two = Certificates.make(folder, "two", "dns:two.example");
        Certificates three = Certificates.make(folder, "three", "dns:two.example");
        Path authorities = folder.resolve("authorities.pem");
        Files.writeString(authorities, Files.readString(one.certificate()) + Files.readString(two.certificate()));
        first = new TlsFiles(one.certificate(), one.key(), Optional.of(authorities));
        second = new TlsFiles(two.certificate(), two.key(), Optional.of(authorities));
        stranger = new TlsFiles(three.certificate(), three.key(), Optional.of(authorities));
    }

    @Test
    void nodesOfTheClusterAreLinked() throws Exception {
        assertThat(link(first, second, "two.example")).isEqualTo("TLSv1.3");
    }

    @Test
    void aNodeThatTheClusterDoesNotKnowIsNotLinkedEitherWay() {
        assertThatThrownBy(() -> link(stranger, second, "two.example")).isInstanceOf(SSLException.class);
        assertThatThrownBy(() -> link(first, stranger, "two.example")).isInstanceOf(SSLException.class);
    }

    @Test
    void aNodeIsTheOneThatWasConnectedTo() {
        assertThatThrownBy(() -> link(first, second, "one.example")).isInstanceOf(SSLException.class);
    }

    @Test
    void withoutAuthoritiesThereAreNoLinks() {
        TlsFiles alone = new TlsFiles(first.certificate(), first.key(), Optional.empty());
        assertThatThrownBy(() -> TlsContexts.forAcceptedLinks(alone)).isInstanceOf(FulmarException.class);
        assertThatThrownBy(() -> TlsContexts.forOpenedLinks(alone)).isInstanceOf(FulmarException.class);
    }

    /** The two nodes are at {@code localhost} and {@code 127.0.0.1}, and each has a certificate for its host. */
    private final class TwoNodes implements AutoCloseable {
        private final UUID cluster = UUID.randomUUID();
        private final TcpNetwork one;
        private final TcpNetwork two;
        private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();

        TwoNodes(TlsFiles shownByOne, TlsFiles shownByTwo) throws Exception {
            one = network(1, shownByOne);
            two = network(2, shownByTwo);
            InetSocketAddress placeOfTwo = two.listen(new InetSocketAddress("127.0.0.1", 0));
            two.begin(cluster, 1);
            two.reach(new NodeId(1), InetSocketAddress.createUnresolved("localhost", 1), 1);
            one.begin(cluster, 1);
            one.reach(
                    new NodeId(2), InetSocketAddress.createUnresolved("127.0.0.1", placeOfTwo.getPort()), 1);
        }

        private TcpNetwork network(int node, TlsFiles shown) {
            TcpNetwork network = new TcpNetwork(
                    new NodeId(node),
                    LinkSettings.DEFAULTS,
                    new LinkSecurity(
                            () -> TlsContexts.forOpenedLinks(shown), () -> TlsContexts.forAcceptedLinks(shown)));
            network.onMessage((from, message) -> heard.add(from + " says " + message.get()));
            return network;
        }

        /** What the second node hears of the first within a second. */
        @Nullable String hear() throws InterruptedException {
            for (int i = 0; i < 20; i++) {
                if (one.send(two.self(), ByteBuffer.wrap(new byte[] {7}))) {
                    return heard.poll(10, TimeUnit.SECONDS);
                }
                String early = heard.poll(50, TimeUnit.MILLISECONDS);
                if (early != null) {
                    return early;
                }
            }
            return null;
        }

        @Override
        public void close() {
            one.close();
            two.close();
        }
    }

    private TlsFiles filesFor(String name, String subject, Path authorities) throws Exception {
        Certificates made = Certificates.make(folder, name, subject);
        if (!Files.exists(authorities)) {
            Files.createFile(authorities);
        }
        Files.writeString(authorities, Files.readString(made.certificate()), StandardOpenOption.APPEND);
        return new TlsFiles(made.certificate(), made.key(), Optional.of(authorities));
    }

    @Test
    void aLinkIsEncryptedAndItsNodesAreWhereTheClusterHasThem() throws Exception {
        Path authorities = folder.resolve("cluster.pem");
        TlsFiles ofOne = filesFor("localhost", "dns:localhost", authorities);
        TlsFiles ofTwo = filesFor("loopback", "ip:127.0.0.1", authorities);
        try (TwoNodes nodes = new TwoNodes(ofOne, ofTwo)) {
            assertThat(nodes.hear()).isEqualTo(new NodeId(1) + " says 7");
        }
        // The second node's key does not open the place of the first, although the authority is the same.
        try (TwoNodes nodes = new TwoNodes(ofTwo, ofTwo)) {
            assertThat(nodes.hear()).isNull();
            assertThat(nodes.one.links().getFirst().problem()).contains("not for localhost");
        }
    }

    @Test
    void whoComesWithoutTlsIsNotHeard() throws Exception {
        Path authorities = folder.resolve("cluster.pem");
        TlsFiles files = filesFor("loopback", "ip:127.0.0.1", authorities);
        try (TcpNetwork network = new TcpNetwork(
                new NodeId(2),
                LinkSettings.DEFAULTS,
                new LinkSecurity(
                        () -> TlsContexts.forOpenedLinks(files), () -> TlsContexts.forAcceptedLinks(files)))) {
            InetSocketAddress place = network.listen(new InetSocketAddress("127.0.0.1", 0));
            network.begin(UUID.randomUUID(), 1);
            try (Socket socket = new Socket(place.getAddress(), place.getPort())) {
                socket.setSoTimeout(10_000);
                socket.getOutputStream().write(new byte[] {0, 0, 0, 2, 1, 1});
                // An alert at most, and the end.
                assertThat(socket.getInputStream().readAllBytes().length).isLessThan(16);
            }
        }
    }

    /** A handshake in memory; returns the protocol. */
    private static String link(TlsFiles opening, TlsFiles accepting, String host) throws SSLException {
        SSLEngine client = TlsContexts.forOpenedLinks(opening).newEngine(UnpooledByteBufAllocator.DEFAULT, host, 1);
        SSLEngine server = TlsContexts.forAcceptedLinks(accepting).newEngine(UnpooledByteBufAllocator.DEFAULT);
        ByteBuffer toServer = ByteBuffer.allocate(1 << 16);
        ByteBuffer toClient = ByteBuffer.allocate(1 << 16);
        client.beginHandshake();
        server.beginHandshake();
        for (int i = 0; i < MOST_STEPS && !(isDone(client) && isDone(server)); i++) {
            step(client, toClient, toServer);
            step(server, toServer, toClient);
        }
        assertThat(isDone(client) && isDone(server)).isTrue();
        return client.getSession().getProtocol();
    }

    private static boolean isDone(SSLEngine engine) {
        return engine.getHandshakeStatus() == HandshakeStatus.NOT_HANDSHAKING;
    }

    private static void step(SSLEngine engine, ByteBuffer in, ByteBuffer out) throws SSLException {
        for (Runnable task = engine.getDelegatedTask(); task != null; task = engine.getDelegatedTask()) {
            task.run();
        }
        if (engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP) {
            SSLEngineResult result = engine.wrap(ByteBuffer.allocate(0), out);
            assertThat(result.getStatus()).isEqualTo(SSLEngineResult.Status.OK);
        } else {
            in.flip();
            engine.unwrap(in, ByteBuffer.allocate(1 << 15));
            in.compact();
        }
    }
}
