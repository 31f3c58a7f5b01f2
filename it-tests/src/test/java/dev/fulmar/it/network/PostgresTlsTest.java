package dev.fulmar.it.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.node.config.NodeConfiguration;
import dev.fulmar.node.wiring.FulmarNode;
import dev.fulmar.wire.postgres.codec.FrontendEncoder;
import dev.fulmar.wire.postgres.message.FrontendMessage;
import dev.fulmar.wire.postgres.message.FrontendMessage.GssEncryptionRequest;
import dev.fulmar.wire.postgres.message.FrontendMessage.Query;
import dev.fulmar.wire.postgres.message.FrontendMessage.SslRequest;
import dev.fulmar.wire.postgres.message.FrontendMessage.StartupMessage;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Clients of PostgreSQL's protocol at a node with users and TLS. */
@Timeout(180)
class PostgresTlsTest {
    private static final String PASSWORD = "correct horse";
    private static final int READ_TIMEOUT_MILLIS = 20_000;

    @TempDir
    private static Path folder;

    private static Certificates here;
    private static Certificates elsewhere;
    private static FulmarNode node;

    @BeforeAll
    static void start() throws Exception {
        here = Certificates.make(folder, "here", "ip:127.0.0.1");
        elsewhere = Certificates.make(folder, "elsewhere", "ip:127.0.0.1");
        Path administrator = Files.createFile(
                folder.resolve("administrator"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(administrator, "root:" + PASSWORD);
        node = FulmarNode.start(NodeConfiguration.of(Map.of(
                "listen",
                "127.0.0.1:0",
                "authentication",
                "true",
                "security.administrator",
                administrator.toString(),
                "tls.certificate",
                here.certificate().toString(),
                "tls.key",
                here.key().toString(),
                "jmx",
                "false",
                "memory.limit",
                "64m",
                "partitions",
                "1",
                "sites",
                "1")));
    }

    @AfterAll
    static void stop() {
        node.close();
    }

    private static int port() {
        return node.postgresAddress().orElseThrow().port();
    }

    private static Connection connect(String parameters) throws SQLException {
        return DriverManager.getConnection(
                "jdbc:postgresql://127.0.0.1:" + port() + "/fulmar?" + parameters, "root", PASSWORD);
    }

    // The driver.

    @Test
    void aDriverBindsItsPasswordToTheCertificate() throws SQLException {
        try (Connection connection =
                        connect("sslmode=verify-full&channelBinding=require&sslrootcert=" + here.certificate());
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT 7")) {
            assertThat(rows.next()).isTrue();
            assertThat(rows.getInt(1)).isEqualTo(7);
        }
    }

    @Test
    void aDriverRefusesAnotherCertificate() {
        assertThatThrownBy(() -> connect("sslmode=verify-full&sslrootcert=" + elsewhere.certificate())
                        .close())
                .isInstanceOf(SQLException.class)
                .hasRootCauseInstanceOf(GeneralSecurityException.class);
    }

    @Test
    void aDriverWithoutTlsIsRefused() {
        assertThatThrownBy(() -> connect("sslmode=disable").close())
                .isInstanceOfSatisfying(
                        SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("28P01"))
                .hasMessageContaining("sslmode=require");
    }

    // Bytes.

    private static StartupMessage startUp(String user) {
        LinkedHashMap<String, String> parameters = new LinkedHashMap<>();
        parameters.put("user", user);
        return new StartupMessage(StartupMessage.VERSION_3_0, parameters);
    }

    private static void send(Socket to, FrontendMessage... messages) throws IOException {
        ByteBuf bytes = Unpooled.buffer();
        for (FrontendMessage message : messages) {
            FrontendEncoder.write(bytes, message);
        }
        to.getOutputStream().write(ByteBufUtil.getBytes(bytes));
    }

    private static Socket open() throws IOException {
        Socket socket = new Socket("127.0.0.1", port());
        socket.setSoTimeout(READ_TIMEOUT_MILLIS);
        socket.setTcpNoDelay(true);
        return socket;
    }

    private static SSLSocket encrypted(Socket plain) throws Exception {
        KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
        trusted.load(null, null);
        try (InputStream pem = Files.newInputStream(here.certificate())) {
            trusted.setCertificateEntry(
                    "here", CertificateFactory.getInstance("X.509").generateCertificate(pem));
        }
        TrustManagerFactory managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        managers.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, managers.getTrustManagers(), null);
        SSLSocket socket =
                (SSLSocket) context.getSocketFactory().createSocket(plain, "127.0.0.1", plain.getPort(), true);
        socket.startHandshake();
        return socket;
    }

    /** All that comes until the server closes the connection. */
    private static String rest(Socket from) throws IOException {
        try {
            return new String(from.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        } catch (SocketException | SSLException reset) { // the server did not read all
            return "";
        }
    }

    /** The first message is an offer of mechanisms. */
    private static void assertOffered(Socket socket) throws IOException {
        byte[] header = socket.getInputStream().readNBytes(9);
        assertThat(header).startsWith('R').endsWith(0, 0, 0, 10);
    }

    @Test
    void aClientMayAskForAnotherEncryptionFirst() throws Exception {
        try (Socket plain = open()) {
            send(plain, new GssEncryptionRequest());
            assertThat((char) plain.getInputStream().read()).isEqualTo('N');
            send(plain, new SslRequest());
            assertThat((char) plain.getInputStream().read()).isEqualTo('S');
            try (SSLSocket socket = encrypted(plain)) {
                send(socket, startUp("root"));
                assertOffered(socket);
            }
        }
    }

    /** Somebody between could have written them (CVE-2021-23222). */
    @Test
    void bytesInTheClearBehindARequestForTlsAreNoMessages() throws Exception {
        try (Socket plain = open()) {
            send(plain, new SslRequest(), startUp("eve"), new Query("DROP TABLE t"));
            assertThat((char) plain.getInputStream().read()).isEqualTo('S');
            try (SSLSocket socket = encrypted(plain)) {
                send(socket, startUp("root"));
                assertOffered(socket);
            }
        }
        try (Socket plain = open()) {
            send(plain, new SslRequest());
            assertThat((char) plain.getInputStream().read()).isEqualTo('S');
            send(plain, startUp("eve"));
            assertThat(rest(plain)).as("no message").doesNotContain("SCRAM", "08P01", "28P01");
        }
    }

    @Test
    void aSecondRequestForTlsIsRefused() throws Exception {
        try (Socket plain = open()) {
            send(plain, new SslRequest());
            assertThat((char) plain.getInputStream().read()).isEqualTo('S');
            try (SSLSocket socket = encrypted(plain)) {
                send(socket, new SslRequest());
                assertThat(rest(socket)).startsWith("E").contains("FATAL", "08P01");
            }
        }
    }
}
