package dev.fulmar.it.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.client.Builder;
import dev.fulmar.client.FulmarClient;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.node.audit.AuditFile;
import dev.fulmar.node.config.NodeConfiguration;
import dev.fulmar.node.wiring.FulmarNode;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Clients and a node with users and TLS: what is let in, and what neither side falls for. */
@Timeout(180)
class SecureConnectionTest {
    private static final String PASSWORD = "correct horse";

    @TempDir
    private Path folder;

    private FulmarNode start(Map<String, String> more) throws Exception {
        Path administrator = folder.resolve("administrator");
        if (!Files.exists(administrator)) {
            Files.createFile(
                    administrator, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            Files.writeString(administrator, "root:" + PASSWORD);
        }
        TreeMap<String, String> settings = new TreeMap<>(Map.of(
                "listen",
                "127.0.0.1:0",
                "authentication",
                "true",
                "security.administrator",
                administrator.toString(),
                "jmx",
                "false",
                "memory.limit",
                "64m",
                "partitions",
                "1",
                "sites",
                "1"));
        settings.putAll(more);
        return FulmarNode.start(NodeConfiguration.of(settings));
    }

    private static Map<String, String> tls(Certificates certificates) {
        return Map.of(
                "tls.certificate", certificates.certificate().toString(),
                "tls.key", certificates.key().toString());
    }

    private static Builder to(FulmarNode node) {
        return FulmarClient.builder()
                .hosts("127.0.0.1:" + node.port())
                .connectTimeout(Duration.ofSeconds(10))
                .user("root", PASSWORD);
    }

    private static void assertWorks(Builder builder) {
        try (FulmarClient client = builder.connect()) {
            assertThat(client.execute("VALUES (7)").table().first().getLong(0)).isEqualTo(7);
        }
    }

    private static void assertRefused(Builder builder, ErrorCode code, String message) {
        assertThatThrownBy(() -> builder.connect().close())
                .hasMessageContaining(message)
                .asInstanceOf(InstanceOfAssertFactories.type(FulmarException.class))
                .extracting(FulmarException::code)
                .isEqualTo(code);
    }

    @Test
    void aUserLogsInWithThePasswordAndNothingElse() throws Exception {
        try (FulmarNode node = start(Map.of())) {
            assertWorks(to(node).connectionsPerHost(3));
            assertWorks(to(node).user("ROOT", PASSWORD));
            long begin = System.nanoTime();
            assertRefused(to(node).user("root", "wrong horse"), ErrorCode.AUTHENTICATION_FAILED, "password is wrong");
            assertThat(System.nanoTime() - begin).as("at once").isLessThan(8_000_000_000L);
            assertRefused(to(node).user("eve", PASSWORD), ErrorCode.AUTHENTICATION_FAILED, "password is wrong");
            assertRefused(
                    FulmarClient.builder().hosts("127.0.0.1:" + node.port()),
                    ErrorCode.AUTHENTICATION_FAILED,
                    "asks for a user");
        }
    }

    @Test
    void aPasswordThatWasChangedHoldsForNewConnectionsAndAUserThatWasDroppedMayNothing() throws Exception {
        Path data = folder.resolve("data");
        try (FulmarNode node = start(Map.of("data", data.toString(), "durability", "none"));
                FulmarClient root = to(node).connect()) {
            root.execute("CREATE USER ann PASSWORD 'an old password'");
            try (FulmarClient ann = to(node).user("ann", "an old password").connect()) {
                ann.execute("VALUES (1)");
                root.execute("ALTER USER ann PASSWORD 'a new password'");
                assertRefused(
                        to(node).user("ann", "an old password"), ErrorCode.AUTHENTICATION_FAILED, "password is wrong");
                assertWorks(to(node).user("ann", "a new password"));
                root.execute("DROP USER ann");
                assertThatThrownBy(() -> ann.execute("VALUES (1)"))
                        .as("at once, or when her connection was ended, a moment later")
                        .hasMessageMatching("(?s).*(does not exist any more|password is wrong).*");
                awaitConnectionsOfNobodyElse(node);
            }
        }
    }

    private static void awaitConnectionsOfNobodyElse(FulmarNode node) throws Exception {
        Path log = Path.of(node.configuration().storage().data(), "audit.log");
        for (int i = 0; i < 100 && !Files.readString(log).contains("the connection is ended"); i++) {
            Thread.sleep(100);
        }
        assertThat(Files.readString(log)).contains("the connection is ended");
    }

    /** Somebody in between could otherwise pose as a server that needs no password. */
    @Test
    void aClientWithAUserRefusesAServerThatDoesNotAsk() throws Exception {
        try (FulmarNode node = start(Map.of("authentication", "false"))) {
            assertWorks(FulmarClient.builder().hosts("127.0.0.1:" + node.port()));
            assertRefused(to(node), ErrorCode.AUTHENTICATION_FAILED, "did not ask for the password");
        }
    }

    @Test
    void tlsIsForTheHostAndFromTheAuthority() throws Exception {
        Certificates here = Certificates.make(folder, "here", "ip:127.0.0.1");
        Certificates elsewhere = Certificates.make(folder, "elsewhere", "dns:elsewhere.example");
        try (FulmarNode node = start(tls(here))) {
            assertWorks(to(node).tls(here.certificate()));
            assertRefused(to(node).tls(elsewhere.certificate()), ErrorCode.AUTHENTICATION_FAILED, "no TLS connection");
            assertRefused(to(node).tls(), ErrorCode.AUTHENTICATION_FAILED, "no TLS connection");
            assertRefused(to(node).connectTimeout(Duration.ofSeconds(1)), ErrorCode.NOT_CONNECTED, "if it wants TLS");
        }
        try (FulmarNode node = start(tls(elsewhere))) {
            assertRefused(to(node).tls(elsewhere.certificate()), ErrorCode.AUTHENTICATION_FAILED, "no TLS connection");
            assertWorks(to(node).tls(elsewhere.certificate()).verifyHostNames(false));
        }
    }

    @Test
    void clientsMayHaveToShowACertificate() throws Exception {
        Certificates server = Certificates.make(folder, "server", "ip:127.0.0.1");
        Certificates known = Certificates.make(folder, "known", "dns:known");
        Certificates other = Certificates.make(folder, "other", "dns:other");
        TreeMap<String, String> settings = new TreeMap<>(tls(server));
        settings.put("tls.client-authorities", known.certificate().toString());
        try (FulmarNode node = start(settings)) {
            assertWorks(to(node).tls(server.certificate()).tlsCertificate(known.certificate(), known.key()));
            CompletableFuture<Void> without = connect(to(node).tls(server.certificate()));
            CompletableFuture<Void> unknown =
                    connect(to(node).tls(server.certificate()).tlsCertificate(other.certificate(), other.key()));
            assertThatThrownBy(without::join).hasCauseInstanceOf(FulmarException.class);
            assertThatThrownBy(unknown::join).hasCauseInstanceOf(FulmarException.class);
        }
    }

    private static CompletableFuture<Void> connect(Builder builder) {
        return CompletableFuture.runAsync(
                () -> builder.connectTimeout(Duration.ofSeconds(2)).connect().close());
    }

    @Test
    void onlyTls13And12AreSpoken() throws Exception {
        Certificates here = Certificates.make(folder, "here", "ip:127.0.0.1");
        try (FulmarNode node = start(tls(here))) {
            assertThat(protocolOf(node, "TLSv1.3")).isEqualTo("TLSv1.3");
            assertThat(protocolOf(node, "TLSv1.2")).isEqualTo("TLSv1.2");
            assertThatThrownBy(() -> protocolOf(node, "TLSv1.1")).isInstanceOf(SSLException.class);
        }
    }

    private static String protocolOf(FulmarNode node, String offered) throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[] {new TrustsAll()}, null);
        try (Socket socket = context.getSocketFactory().createSocket("127.0.0.1", node.port())) {
            SSLSocket tls = (SSLSocket) socket;
            tls.setEnabledProtocols(new String[] {offered});
            tls.startHandshake();
            return tls.getSession().getProtocol();
        }
    }

    /** For what is not looked at here. */
    private static final class TrustsAll implements X509TrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }

    @Test
    void aNewCertificateIsUsedWithoutARestartAndABadOneIsNot() throws Exception {
        Certificates old = Certificates.make(folder, "old", "ip:127.0.0.1");
        Certificates renewed = Certificates.make(folder, "renewed", "ip:127.0.0.1");
        Path authority = Files.copy(old.certificate(), folder.resolve("authority.pem"));
        try (FulmarNode node = start(tls(old));
                FulmarClient open = to(node).tls(authority).connect()) {
            Files.writeString(old.certificate(), "no certificate");
            Thread.sleep(1_500); // looked at every second
            assertWorks(to(node).tls(authority));
            renewed.copyOver(old);
            long deadline = System.nanoTime() + 30_000_000_000L;
            while (!works(to(node).tls(renewed.certificate())) && System.nanoTime() < deadline) {
                Thread.sleep(100);
            }
            assertWorks(to(node).tls(renewed.certificate()));
            assertRefused(to(node).tls(authority), ErrorCode.AUTHENTICATION_FAILED, "no TLS connection");
            open.execute("VALUES (1)");
        }
    }

    private static boolean works(Builder builder) {
        try (FulmarClient client = builder.connect()) {
            return client.readyConnections() > 0;
        } catch (FulmarException e) {
            return false;
        }
    }

    @Test
    void aNodeThatNobodyCouldLogInToDoesNotStart() throws Exception {
        assertThatThrownBy(() -> start(Map.of("security.administrator", "")))
                .isInstanceOf(FulmarException.class)
                .hasMessageContaining("--administrator");
        Path open = folder.resolve("open");
        Files.writeString(open, "root:" + PASSWORD);
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rw-r--r--"));
        assertThatThrownBy(() -> start(Map.of("security.administrator", open.toString())))
                .isInstanceOf(FulmarException.class)
                .hasMessageContaining("chmod 600");
    }

    @Test
    void whatHappenedIsInTheAuditLogAndPasswordsAreNot() throws Exception {
        Map<String, String> data = Map.of("data", folder.resolve("data").toString());
        try (FulmarNode node = start(data);
                FulmarClient root = to(node).name("the shell").connect()) {
            assertRefused(to(node).user("eve", "wrong horse"), ErrorCode.AUTHENTICATION_FAILED, "wrong");
            root.execute("CREATE TABLE t (id BIGINT NOT NULL PRIMARY KEY)");
            root.execute("CREATE USER ann PASSWORD 'anns own password'");
            root.execute("GRANT INSERT ON t TO ann");
            root.call("@Statistics", "NODE");
            try (FulmarClient ann = to(node).user("ann", "anns own password").connect()) {
                ann.call("T.insert", 77_077L);
                assertThatThrownBy(() -> ann.execute("SELECT id FROM t WHERE id = 77077"))
                        .isInstanceOf(FulmarException.class);
            }
        }
        Path log = folder.resolve("data").resolve("audit.log");
        String text = Files.readString(log);
        assertThat(text)
                .contains("\"made the administrator root\"")
                .contains("\"user\":\"ROOT\"", "\"what\":\"the shell\"")
                .contains("\"user\":\"eve\"", "AUTHENTICATION_FAILED")
                .contains("CREATE TABLE T", "CREATE USER ANN", "GRANT INSERT ON TABLE", "@Statistics")
                .contains("user ANN lacks SELECT on T", "PERMISSION_DENIED")
                .doesNotContain("horse", "own password", "SCRAM", "77077");
        assertThat(Files.getPosixFilePermissions(log)).isEqualTo(PosixFilePermissions.fromString("rw-------"));
        assertThat(Files.getPosixFilePermissions(log.getParent()))
                .isEqualTo(PosixFilePermissions.fromString("rwx------"));
        long lines = AuditFile.verify(log).lines();
        start(data).close();
        assertThat(AuditFile.verify(log).lines()).isGreaterThan(lines);
        Files.writeString(log, Files.readString(log).replace("\"user\":\"eve\"", "\"user\":\"bob\""));
        assertThatThrownBy(() -> AuditFile.verify(log)).hasMessageContaining("does not follow");
    }
}
