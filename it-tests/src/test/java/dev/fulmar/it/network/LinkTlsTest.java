package dev.fulmar.it.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.node.tls.TlsContexts;
import dev.fulmar.node.tls.TlsFiles;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
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
