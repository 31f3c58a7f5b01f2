package dev.fulmar.it.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.coordinator.membership.ClusterRecord;
import dev.fulmar.coordinator.membership.StateKey;
import dev.fulmar.coordinator.membership.Versioned;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.node.config.NodeConfiguration;
import dev.fulmar.node.wiring.ClusterStore;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.zookeeper.server.ServerCnxnFactory;
import org.apache.zookeeper.server.ZooKeeperServer;
import org.apache.zookeeper.server.auth.ProviderRegistry;
import org.apache.zookeeper.server.auth.X509AuthenticationProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A ZooKeeper that takes TLS only, with certificates on both sides. */
@Timeout(180)
class EncryptedZooKeeperTest {
    private static final int TICK_MILLIS = 500;

    @TempDir
    private Path folder;

    private final Map<String, String> properties = new TreeMap<>();
    private Path authorities;
    private Path ofNode;
    private ServerCnxnFactory connections;

    @BeforeEach
    void start() throws Exception {
        Certificates server = Certificates.make(folder, "server", "dns:localhost,ip:127.0.0.1");
        Certificates node = Certificates.make(folder, "node", "ip:127.0.0.1");
        authorities = folder.resolve("authorities.pem");
        Files.writeString(authorities, Files.readString(server.certificate()) + Files.readString(node.certificate()));
        ofNode = both(node, "node-both.pem");
        properties.put(
                "zookeeper.ssl.keyStore.location",
                both(server, "server-both.pem").toString());
        properties.put("zookeeper.ssl.trustStore.location", authorities.toString());
        properties.put("zookeeper.ssl.clientAuth", "need");
        properties.put("zookeeper.authProvider.x509", X509AuthenticationProvider.class.getName());
        properties.put(
                ServerCnxnFactory.ZOOKEEPER_SERVER_CNXN_FACTORY, "org.apache.zookeeper.server.NettyServerCnxnFactory");
        properties.forEach(System::setProperty);
        ProviderRegistry.reset();
        connections = ServerCnxnFactory.createFactory();
        connections.configure(new InetSocketAddress("127.0.0.1", 0), 100, -1, true);
        connections.startup(new ZooKeeperServer(
                folder.resolve("snapshots").toFile(), folder.resolve("log").toFile(), TICK_MILLIS));
    }

    private Path both(Certificates one, String name) throws Exception {
        return Files.writeString(
                folder.resolve(name), Files.readString(one.key()) + Files.readString(one.certificate()));
    }

    @AfterEach
    void stop() {
        connections.shutdown();
        properties.keySet().forEach(System::clearProperty);
        ProviderRegistry.reset();
    }

    private ClusterStore open(Map<String, String> more) {
        Map<String, String> texts = new TreeMap<>(more);
        texts.put("cluster", "orders");
        texts.put("zookeeper", "127.0.0.1:" + connections.getLocalPort());
        texts.put("zookeeper.user", "orders");
        texts.put("zookeeper.password", "secret");
        return ClusterStore.open(NodeConfiguration.of(texts).cluster(), "");
    }

    @Test
    void whoShowsACertificateIsServedAndNobodyElse() throws Exception {
        String stranger = both(Certificates.make(folder, "stranger", "ip:127.0.0.1"), "stranger-both.pem")
                .toString();
        Map<String, String> encrypted = Map.of(
                "zookeeper.tls-authorities", authorities.toString(), "zookeeper.tls-identity", ofNode.toString());
        try (ClusterStore store = open(encrypted)) {
            store.found(new ClusterRecord(UUID.randomUUID(), "orders", 2, 1, 1), List.of(new NodeId(1)));
            assertThat(store.cluster().partitions()).isEqualTo(2);
        }
        try (ClusterStore without = open(Map.of());
                ClusterStore unknown = open(Map.of(
                        "zookeeper.tls-authorities", authorities.toString(), "zookeeper.tls-identity", stranger))) {
            CompletableFuture<Object> either = CompletableFuture.anyOf(read(without), read(unknown));
            assertThatThrownBy(() -> either.get(5, TimeUnit.SECONDS)).isInstanceOf(TimeoutException.class);
        }
    }

    private static CompletableFuture<Versioned<ClusterRecord>> read(ClusterStore store) {
        return CompletableFuture.supplyAsync(() -> store.read(new StateKey.Cluster()));
    }
}
