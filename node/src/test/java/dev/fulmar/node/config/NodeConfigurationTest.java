package dev.fulmar.node.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.coordinator.durability.environment.DurabilityEnvironment;
import dev.fulmar.coordinator.durability.environment.DurabilityMode;
import dev.fulmar.coordinator.membership.real.ZooKeeperAccess;
import dev.fulmar.coordinator.portal.PortalLimits;
import dev.fulmar.coordinator.session.SessionLimits;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.network.Network;
import dev.fulmar.node.server.HandshakeLimits;
import dev.fulmar.node.server.PostgresAddress;
import dev.fulmar.node.server.ServerConfiguration;
import dev.fulmar.node.tls.ClientCertificates;
import dev.fulmar.node.tls.TlsFiles;
import dev.fulmar.wire.address.HostAddress;
import dev.fulmar.wire.limit.WireLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NodeConfigurationTest {
    private static final Machine SMALL = new Machine(2, 8L << 30, 2L << 30);

    @Test
    void everyDefaultIsAsDocumented() {
        assertThat(NodeConfiguration.of(Map.of(), SMALL))
                .isEqualTo(new NodeConfiguration(
                        0,
                        new PartitionConfiguration(1, 0, List.of(), 1, false, true, true),
                        new MemoryConfiguration(4L << 30, 90, 256L << 20, 256L << 20, 512L << 20),
                        new RequestConfiguration(false, Duration.ofSeconds(5), Duration.ofSeconds(30), 16_384),
                        new ServerConfiguration(
                                new HostAddress("127.0.0.1", 7420),
                                1,
                                1024,
                                65_536,
                                WireLimits.DEFAULT,
                                Duration.ofSeconds(10),
                                true),
                        Duration.ofSeconds(30),
                        true,
                        new StorageConfiguration(
                                "",
                                DurabilityMode.NONE,
                                DurabilityEnvironment.policy(256L << 20, 1L << 30, 10_000_000_000L),
                                "",
                                Long.MAX_VALUE,
                                new BackendConfiguration("file", 8L << 30, false)),
                        new SecurityConfiguration(
                                false, Optional.empty(), ClientCertificates.NONE, Optional.empty(), Optional.empty()),
                        HandshakeLimits.DEFAULT,
                        List.of(),
                        new ClusterConfiguration(
                                "",
                                "",
                                0,
                                "",
                                "",
                                new HostAddress("127.0.0.1", 7421),
                                "",
                                "",
                                Optional.empty(),
                                Optional.empty()),
                        Optional.empty(),
                        new PlannerConfiguration(1, 256),
                        new TransactionConfiguration(
                                new SessionLimits(10_000, 64L << 20, 300_000_000_000L, 3_600_000_000_000L, 5),
                                SMALL.heapBytes() / 16,
                                Duration.ofSeconds(1),
                                10_000),
                        new PortalConfiguration(PortalLimits.DEFAULT, SMALL.heapBytes() / 16),
                        Optional.of(new PostgresAddress(new HostAddress("127.0.0.1", 5432), false)),
                        ""));
    }

    /** A transaction may go to another node of the cluster in one message. */
    @Test
    void aClusterTakesSmallerTransactions() {
        NodeConfiguration member =
                NodeConfiguration.of(Map.of("cluster", "orders", "node", "1", "zookeeper", "127.0.0.1:7422"), SMALL);
        assertThat(member.transactions().limits()).isEqualTo(SessionLimits.DEFAULT);
        assertThat(SessionLimits.DEFAULT.bytes()).isLessThanOrEqualTo(Network.MAX_MESSAGE_BYTES);
    }

    @Test
    void defaultsFollowTheMachine() {
        NodeConfiguration large = NodeConfiguration.of(Map.of(), new Machine(16, 64L << 30, 16L << 30));
        assertThat(large.partitions().sites()).isEqualTo(15);
        assertThat(large.partitions().count()).isEqualTo(15);
        assertThat(large.partitions().pinSites()).isTrue();
        assertThat(large.partitions().shareThreads()).isFalse();
        assertThat(large.memory().limitBytes()).isEqualTo(32L << 30);
        assertThat(large.server().eventLoopThreads()).isEqualTo(4);
        assertThat(NodeConfiguration.defaults().partitions().sites()).isPositive();
    }

    private static Map<String, String> everySetting() {
        Map<String, String> texts = new TreeMap<>();
        texts.put("node", "7");
        texts.put("partitions", "3");
        texts.put("sites", "2");
        texts.put("partitioning", "range:1, 11,21");
        texts.put("sites.pin", "true");
        texts.put("sites.share-threads", "false");
        texts.put("tables.partitioned", "false");
        texts.put("memory.limit", "64m");
        texts.put("procedures.strict", "TRUE");
        texts.put("procedures.time-budget", "250ms");
        texts.put("requests.timeout", "2m");
        texts.put("requests.queue-per-partition", "9");
        texts.put("requests.undo-limit", "5k");
        texts.put("requests.intermediate-limit", "7m");
        texts.put("listen", "[::1]:99");
        texts.put("server.event-loops", "3");
        texts.put("server.max-connections", "4");
        texts.put("server.max-queued", "5");
        texts.put("server.limits.frame", "1g");
        texts.put("server.limits.parameters", "6");
        texts.put("server.limits.result", "7");
        texts.put("server.limits.outstanding", "8");
        texts.put("server.limits.bound-procedures", "0");
        texts.put("server.hello-timeout", "3s");
        texts.put("server.native", "false");
        texts.put("stop.grace", "0s");
        texts.put("jmx", "false");
        texts.put("backend", "llpl");
        texts.put("backend.capacity", "1g");
        texts.put("backend.emulated", "true");
        texts.put("data", "/somewhere");
        texts.put("durability", "ASYNC");
        texts.put("log.archive", "/archive");
        texts.put("schema", " a.sql, b.jar,");
        putClusterSettings(texts);
        texts.put("log.archive-size", "6m");
        texts.put("checkpoint.log-size", "3m");
        texts.put("checkpoint.dirty-memory", "5m");
        texts.put("recovery.objective", "7s");
        texts.put("authentication", "true");
        texts.put("tls.certificate", "/node.pem");
        texts.put("tls.key", "/node.key");
        texts.put("tls.client-authorities", "/ca.pem");
        texts.put("tls.client-certificates", "optional");
        texts.put("security.administrator", "/first");
        texts.put("audit", "/audited");
        texts.put("server.max-unauthenticated", "20");
        texts.put("server.max-unauthenticated-per-address", "10");
        texts.put("listen-administration", "127.0.0.1:98");
        texts.put("memory.write-percent", "75");
        texts.put("partitions.spare", "2");
        texts.put("planner.threads", "12");
        texts.put("planner.queue", "13");
        putClientSettings(texts);
        texts.put("clock.offset-file", "/wrong");
        return texts;
    }

    private static void putClientSettings(Map<String, String> texts) {
        texts.put("postgres", "127.0.0.1:97");
        texts.put("transactions.statements", "30");
        texts.put("transactions.bytes", "31m");
        texts.put("transactions.idle-timeout", "32s");
        texts.put("transactions.timeout", "33s");
        texts.put("transactions.memory-limit", "34m");
        texts.put("transactions.lease-time", "36s");
        texts.put("transactions.max-open", "35");
        texts.put("transactions.reruns", "37");
        texts.put("portals.idle-timeout", "41s");
        texts.put("portals.part-bytes", "42k");
        texts.put("portals.per-connection", "43");
        texts.put("portals.max-open", "44");
        texts.put("portals.memory-limit", "45m");
    }

    private static void putClusterSettings(Map<String, String> texts) {
        texts.put("cluster", "orders");
        texts.put("zookeeper", "zk:1,zk:2");
        texts.put("zookeeper.embedded", "9");
        texts.put("zookeeper.user", "fulmar");
        texts.put("zookeeper.password", "secret");
        texts.put("listen-nodes", "0.0.0.0:5");
        texts.put("advertise-nodes", "db1:6");
        texts.put("advertise", "db1:7");
        texts.put("zookeeper.tls-authorities", "/zk-ca.pem");
        texts.put("zookeeper.tls-identity", "/zk.pem");
        texts.put("metrics.listen", "127.0.0.1:12");
        texts.put("tls.node-authorities", "/nodes.pem");
        texts.put("tls.node-certificate", "/link.pem");
        texts.put("tls.node-key", "/link.key");
        texts.put("requests.memory-limit", "2g");
        texts.put("server.stall-timeout", "17s");
    }

    @Test
    void everySettingIsRead() {
        assertThat(NodeConfiguration.of(everySetting(), SMALL))
                .isEqualTo(new NodeConfiguration(
                        7,
                        new PartitionConfiguration(3, 2, List.of(1L, 11L, 21L), 2, true, false, false),
                        new MemoryConfiguration(64L << 20, 75, 5 << 10, 7 << 20, 2L << 30),
                        new RequestConfiguration(true, Duration.ofMillis(250), Duration.ofMinutes(2), 9),
                        new ServerConfiguration(
                                new HostAddress("::1", 99),
                                3,
                                4,
                                5,
                                new WireLimits(1 << 30, 6, 7, 8, 0),
                                Duration.ofSeconds(3),
                                false,
                                Duration.ofSeconds(17),
                                Optional.of(new HostAddress("127.0.0.1", 98))),
                        Duration.ZERO,
                        false,
                        new StorageConfiguration(
                                "/somewhere",
                                DurabilityMode.ASYNC,
                                DurabilityEnvironment.policy(3L << 20, 5L << 20, 7_000_000_000L),
                                "/archive",
                                6L << 20,
                                new BackendConfiguration("llpl", 1L << 30, true)),
                        new SecurityConfiguration(
                                true,
                                Optional.of(new TlsFiles(
                                        Path.of("/node.pem"), Path.of("/node.key"), Optional.of(Path.of("/ca.pem")))),
                                ClientCertificates.OPTIONAL,
                                Optional.of(Path.of("/first")),
                                Optional.of(Path.of("/audited"))),
                        new HandshakeLimits(20, 10),
                        List.of("a.sql", "b.jar"),
                        everyClusterSetting(),
                        Optional.of(new MetricsConfiguration(new HostAddress("127.0.0.1", 12), "")),
                        new PlannerConfiguration(12, 13),
                        new TransactionConfiguration(
                                new SessionLimits(30, 31 << 20, 32_000_000_000L, 33_000_000_000L, 37),
                                34 << 20,
                                Duration.ofSeconds(36),
                                35),
                        new PortalConfiguration(new PortalLimits(41_000_000_000L, 42 << 10, 43, 44), 45 << 20),
                        Optional.of(new PostgresAddress(new HostAddress("127.0.0.1", 97), true)),
                        "/wrong"));
        assertThat(NodeConfiguration.of(everySetting(), SMALL).memory().markBytes())
                .isEqualTo(48L << 20);
    }

    private static ClusterConfiguration everyClusterSetting() {
        return new ClusterConfiguration(
                "orders",
                "zk:1,zk:2",
                9,
                "fulmar",
                "secret",
                new HostAddress("0.0.0.0", 5),
                "db1:6",
                "db1:7",
                Optional.of(
                        new TlsFiles(Path.of("/link.pem"), Path.of("/link.key"), Optional.of(Path.of("/nodes.pem")))),
                Optional.of(new ZooKeeperAccess.Encryption(Path.of("/zk-ca.pem"), Optional.of(Path.of("/zk.pem")))));
    }

    @ParameterizedTest
    @CsvSource({
        "sites,0,from 1 to 1024",
        "sites,many,a whole number",
        "partitions,5000,from 1 to 4096",
        "node,-1,from 0",
        "partitioning,modulo,hash or range",
        "partitioning,range:1;x,hash or range",
        "sites.pin,yes,true or false",
        "durability,perhaps,'sync, async or none'",
        "durability,sync,the setting data",
        "memory.limit,1k,from 16777216",
        "memory.limit,'',unit k",
        "memory.limit,99999999999g,unit k",
        "memory.write-percent,101,from 1 to 100",
        "listen-administration,10.0.0.1:7,which others can reach",
        "postgres,10.0.0.1:7,which others can reach",
        "procedures.time-budget,5,units are",
        "procedures.time-budget,0ms,units are",
        "procedures.time-budget,2h,units are",
        "requests.timeout,xs,units are",
        "listen,nowhere:port,host:port",
        "server.limits.frame,100,between 128 KiB",
        "server.limits.parameters,16m,64 KiB less",
        "colour,red,there is no setting colour"
    })
    void whatCannotBeIsRefusedWithAdvice(String name, String text, String advice) {
        assertThatThrownBy(() -> NodeConfiguration.of(Map.of(name, text), SMALL))
                .isInstanceOf(FulmarException.class)
                .hasMessageContaining(advice);
    }

    @Test
    void aRangePlanSaysHowManyPartitionsThereAre() {
        assertThat(NodeConfiguration.of(Map.of("partitioning", "range:1,2,3"), SMALL)
                        .partitions()
                        .count())
                .isEqualTo(3);
        assertThatThrownBy(() -> NodeConfiguration.of(Map.of("partitioning", "range:1,2", "partitions", "3"), SMALL))
                .hasMessageContaining("as many first keys as partitions");
    }

    @Test
    void partitionsAndPartitioningAreDefaultsTogether() {
        Map<String, String> found = Map.of("partitions", "3", "partitioning", "range:1,5,9", "partitions.spare", "2");
        assertThat(NodeConfiguration.of(null, Map.of("sites", "2"), found).layout())
                .isEqualTo(found);
        assertThat(NodeConfiguration.of(null, Map.of("partitions", "2"), found).layout())
                .isEqualTo(Map.of("partitions", "2", "partitioning", "hash", "partitions.spare", "2"));
        assertThat(NodeConfiguration.of(null, Map.of("partitioning", "range:4,7"), found)
                        .partitions()
                        .count())
                .isEqualTo(2);
    }

    @Test
    void aClusterNeedsAZooKeeperAndAZooKeeperACluster() {
        assertThatThrownBy(() -> NodeConfiguration.of(Map.of("cluster", "orders")))
                .hasMessageContaining("the setting zookeeper");
        assertThatThrownBy(() -> NodeConfiguration.of(Map.of("zookeeper", "zk:1")))
                .hasMessageContaining("the setting cluster");
        ClusterConfiguration embedded = NodeConfiguration.of(
                        Map.of("cluster", "orders", "zookeeper.embedded", "7422", "zookeeper.password", "hush"))
                .cluster();
        assertThat(embedded.zookeeper()).isEqualTo("127.0.0.1:7422");
        assertThat(embedded.isMember()).isTrue();
        assertThat(embedded.toString()).doesNotContain("hush");
        assertThat(NodeConfiguration.defaults().cluster().isMember()).isFalse();
    }

    @Test
    void yamlSaysTheSameAsProperties(@TempDir Path folder) throws IOException {
        Path yaml = Files.writeString(folder.resolve("node.yaml"), """
            # a comment
            node: 3
            listen: 127.0.0.1:1
            cluster: orders
            zookeeper:
              value: zk:2181
              user: fulmar
              password: secret
            server:
              limits:
                frame: 32m
            jmx: false
            """);
        Path properties = Files.writeString(folder.resolve("node.properties"), """
            node=3
            listen=127.0.0.1:1
            cluster=orders
            zookeeper=zk:2181
            zookeeper.user=fulmar
            zookeeper.password=secret
            server.limits.frame=32m
            jmx=false
            """);
        assertThat(NodeConfiguration.of(yaml, Map.of())).isEqualTo(NodeConfiguration.of(properties, Map.of()));
        assertThat(NodeConfiguration.of(yaml, Map.of("node", "4")).node()).isEqualTo(4);
        assertThat(NodeConfiguration.of(Files.writeString(folder.resolve("empty.yml"), ""), Map.of()))
                .isEqualTo(NodeConfiguration.defaults());
        assertRefused(folder, "node: [1, 2]", "the value of node");
        assertRefused(folder, "- node", "no mapping");
        assertRefused(folder, "node: 1\n  listen: 2", "in line 2");
        assertRefused(folder, "nodes: 1", "there is no setting nodes");
        assertRefused(folder, "node: 1\nlisten: 127.0.0.1:1\nnode: 2", "Duplicate field 'node' in line 3");
        assertRefused(folder, "tls.key: a\ntls:\n  key: b", "tls.key is there twice");
    }

    private static void assertRefused(Path folder, String text, String part) throws IOException {
        Path file = Files.writeString(folder.resolve("bad.yaml"), text);
        assertThatThrownBy(() -> NodeConfiguration.of(file, Map.of()))
                .isInstanceOf(FulmarException.class)
                .hasMessageContaining(part);
    }

    @Test
    void aFileIsReadAndOverridden(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("node.properties"), "# a comment\nnode = 3\nlisten=127.0.0.1:1\n");
        NodeConfiguration read = NodeConfiguration.of(file, Map.of("listen", "127.0.0.1:2"));
        assertThat(read.node()).isEqualTo(3);
        assertThat(read.server().address().port()).isEqualTo(2);
        assertThatThrownBy(() -> NodeConfiguration.of(folder.resolve("absent"), Map.of()))
                .hasMessageContaining("check path");
    }

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1:1, '', true, false",
        "localhost:1, '', true, false",
        "'[::1]:1', '', true, false",
        "127.0.0.1:1, authentication=true, true, true",
        "0.0.0.0:1, '', false, false",
        "10.1.2.3:1, '', false, false",
        "no.such.host.invalid:1, '', false, false",
        "0.0.0.0:1, tls.certificate=c;tls.key=k, true, true",
        "0.0.0.0:1, authentication=true, false, false",
        "0.0.0.0:1, tls.certificate=c;tls.key=k;authentication=false, false, false",
        "0.0.0.0:1, tls.certificate=c, false, false",
        "0.0.0.0:1, insecure=true, true, false",
        "0.0.0.0:1, insecure=true;authentication=true, true, true",
        "127.0.0.1:1, tls.client-certificates=required, false, false"
    })
    void whatOthersCanReachIsProtected(String listen, String settings, boolean starts, boolean asks) {
        TreeMap<String, String> texts = new TreeMap<>(Map.of("listen", listen));
        for (String setting : settings.split(";")) {
            if (!setting.isEmpty()) {
                texts.put(setting.substring(0, setting.indexOf('=')), setting.substring(setting.indexOf('=') + 1));
            }
        }
        if (starts) {
            assertThat(NodeConfiguration.of(texts).security().authentication()).isEqualTo(asks);
        } else {
            assertThatThrownBy(() -> NodeConfiguration.of(texts)).isInstanceOf(FulmarException.class);
        }
    }

    @Test
    void linksThatOthersCanReachAreEncrypted() {
        Map<String, String> texts =
                new TreeMap<>(Map.of("cluster", "c", "zookeeper", "zk:1", "listen-nodes", "10.0.0.1:5"));
        assertThatThrownBy(() -> NodeConfiguration.of(texts, SMALL)).hasMessageContaining("tls.node-authorities");
        texts.put("insecure", "true");
        assertThat(NodeConfiguration.of(texts, SMALL).cluster().tls()).isEmpty();
        texts.remove("insecure");
        texts.put("tls.node-authorities", "/nodes.pem");
        assertThatThrownBy(() -> NodeConfiguration.of(texts, SMALL)).hasMessageContaining("tls.certificate");
        texts.put("tls.certificate", "/node.pem");
        texts.put("tls.key", "/node.key");
        assertThat(NodeConfiguration.of(texts, SMALL).cluster().tls())
                .contains(new TlsFiles(Path.of("/node.pem"), Path.of("/node.key"), Optional.of(Path.of("/nodes.pem"))));
        texts.put("listen-nodes", "0.0.0.0:5");
        assertThatThrownBy(() -> NodeConfiguration.of(texts, SMALL)).hasMessageContaining("advertise-nodes");
    }

    @Test
    void clientsAreToldAnAddressThatTheyCanReach() {
        Map<String, String> texts = new TreeMap<>(Map.of(
                "cluster",
                "c",
                "zookeeper",
                "zk:1",
                "listen-nodes",
                "0.0.0.0:5",
                "advertise-nodes",
                "db1:6",
                "insecure",
                "true"));
        assertThat(NodeConfiguration.of(texts, SMALL).cluster().clientAddress(new HostAddress("0.0.0.0", 8)))
                .isEqualTo(new HostAddress("db1", 8));
        texts.put("advertise", "db1.example:9");
        assertThat(NodeConfiguration.of(texts, SMALL).cluster().clientAddress(new HostAddress("0.0.0.0", 8)))
                .isEqualTo(new HostAddress("db1.example", 9));
    }

    @Test
    void aPasswordOfZooKeeperComesFromAFileThatIsNotOpenToOthers(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("secret"), "word\n");
        Map<String, String> texts = Map.of("zookeeper.password-file", file.toString());
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        assertThatThrownBy(() -> NodeConfiguration.of(texts, SMALL)).hasMessageContaining("only its owner");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        assertThat(NodeConfiguration.of(texts, SMALL).cluster().password()).isEqualTo("word");
    }

    @Test
    void figuresThatOthersCanReachNeedATokenAndTls(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("token"), "word\n");
        Map<String, String> texts = new TreeMap<>(Map.of("metrics.listen", "10.0.0.1:9"));
        assertThatThrownBy(() -> NodeConfiguration.of(texts, SMALL)).hasMessageContaining("metrics.token-file");
        texts.put("metrics.token-file", file.toString());
        assertThatThrownBy(() -> NodeConfiguration.of(texts, SMALL)).hasMessageContaining("tls.certificate");
        texts.put("tls.certificate", "/node.pem");
        texts.put("tls.key", "/node.key");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        assertThatThrownBy(() -> NodeConfiguration.of(texts, SMALL)).hasMessageContaining("only its owner");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        assertThat(NodeConfiguration.of(texts, SMALL).metrics())
                .contains(new MetricsConfiguration(new HostAddress("10.0.0.1", 9), "word"));
    }

    @Test
    void smallHeapsTakeSmallerCalls() {
        NodeConfiguration small = NodeConfiguration.of(Map.of(), new Machine(2, 8L << 30, 64L << 20));
        assertThat(small.memory().underWayBytes()).isEqualTo(16L << 20);
        assertThat(small.server().limits().frameBytes()).isEqualTo(4 << 20);
        assertThat(small.server().limits().resultBytes()).isEqualTo((4 << 20) - (4 << 20) / 16);
        assertThat(NodeConfiguration.of(Map.of(), new Machine(2, 8L << 30, 256L << 20))
                        .server()
                        .limits())
                .isEqualTo(WireLimits.DEFAULT);
        assertThatThrownBy(() -> NodeConfiguration.of(
                        Map.of("requests.memory-limit", "64m", "server.limits.frame", "49m"), SMALL))
                .hasMessageContaining("server.limits.frame")
                .hasMessageContaining("requests.memory-limit");
    }
}
