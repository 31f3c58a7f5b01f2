package dev.fulmar.it.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.client.Builder;
import dev.fulmar.client.FulmarClient;
import dev.fulmar.client.ResultTable;
import dev.fulmar.coordinator.membership.StateKey;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.it.network.Certificates;
import dev.fulmar.node.config.NodeConfiguration;
import dev.fulmar.node.wiring.ClusterRoster;
import dev.fulmar.node.wiring.ClusterStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What operators do to a cluster of three processes, and what its clients notice of it. */
@Timeout(600)
class ClusterOperationIT {
    private static final String PASSWORD = "correct horse";
    private static final Duration SHORT = Duration.ofSeconds(2);
    private static final Duration LONG = Duration.ofSeconds(60);

    @TempDir
    private Path folder;

    private Map<String, String> schema() throws Exception {
        Path file = Files.writeString(folder.resolve("schema.sql"), AccountLoad.SCHEMA);
        return new TreeMap<>(Map.of("schema", file.toString()));
    }

    private Path secret(String name, String text) throws Exception {
        Path file = Files.createFile(
                folder.resolve(name),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        return Files.writeString(file, text);
    }

    private static long forwarded(Builder builder) {
        try (FulmarClient client = builder.directRoute(false).connect()) {
            ResultTable member = client.call("@Statistics", "MEMBER").table();
            return member.first().getLong(member.column("FORWARDED_REQUESTS"));
        }
    }

    @Test
    void aSecuredClusterIsRestartedNodeByNodeWithoutAnErrorAndThenAsAWhole() throws Exception {
        Certificates certificates = Certificates.make(folder, "nodes", "ip:127.0.0.1");
        String pem = certificates.certificate().toString();
        Map<String, String> settings = schema();
        settings.putAll(Map.of(
                "tls.certificate",
                pem,
                "tls.key",
                certificates.key().toString(),
                "tls.node-authorities",
                pem,
                "authentication",
                "true",
                "security.administrator",
                secret("administrator", "root:" + PASSWORD).toString(),
                "zookeeper.user",
                "fulmar",
                "zookeeper.password-file",
                secret("zookeeper-password", "of zookeeper").toString()));
        try (ClusterProcesses cluster = new ClusterProcesses(folder, 3, 6, settings)) {
            for (int node = 1; node <= 3; node++) {
                cluster.start(node);
            }
            cluster.awaitInSync();
            AccountLoad load = new AccountLoad();
            try (FulmarClient client = builder(certificates, cluster.hosts()).connect()) {
                load.openAccounts(client);
                callsGoStraightToTheirNode(cluster, certificates, client);
                try (AccountLoad.Payers payers = load.begin(client)) {
                    assertThat(payers).isNotNull();
                    for (int node = 1; node <= 3; node++) {
                        cluster.stop(node);
                        cluster.start(node);
                        cluster.awaitInSync();
                    }
                }
                assertThat(load.failures()).isEmpty();
                assertThat(load.total()).isPositive();
                load.assertBalances(client);
            }
            nobodyElseReadsTheRecords(cluster);
            for (int node = 1; node <= 3; node++) {
                cluster.stop(node);
            }
            for (int node = 3; node >= 1; node--) {
                cluster.start(node);
            }
            cluster.awaitInSync();
            try (FulmarClient client = builder(certificates, cluster.hosts()).connect()) {
                load.assertBalances(client);
                assertThat(load.pay(client, 1, LONG)).isTrue();
            }
        }
    }

    private static Builder builder(Certificates certificates, List<String> hosts) {
        return FulmarClient.builder()
                .hosts(hosts)
                .connectTimeout(ClusterProcesses.PATIENCE)
                .callTimeout(LONG)
                .tls(certificates.certificate())
                .user("root", PASSWORD);
    }

    /** Once the client knows, no node has to pass anything on. */
    private static void callsGoStraightToTheirNode(
            ClusterProcesses cluster, Certificates certificates, FulmarClient client) throws InterruptedException {
        long passedOn = -1;
        for (int attempt = 0; passedOn != 0 && attempt < 50; attempt++) {
            Thread.sleep(200);
            long before = forwardedByAll(cluster, certificates);
            for (int account = 0; account < AccountLoad.ACCOUNTS; account++) {
                AccountLoad.balance(client, account, LONG);
            }
            passedOn = forwardedByAll(cluster, certificates) - before;
        }
        assertThat(passedOn).isZero();
    }

    private static long forwardedByAll(ClusterProcesses cluster, Certificates certificates) {
        return cluster.hosts().stream()
                .mapToLong(host -> forwarded(builder(certificates, List.of(host))))
                .sum();
    }

    private static void nobodyElseReadsTheRecords(ClusterProcesses cluster) {
        NodeConfiguration stranger =
                NodeConfiguration.of(Map.of("cluster", "processes", "zookeeper", cluster.zookeeper()));
        try (ClusterStore other = ClusterStore.open(stranger.cluster(), "")) {
            assertThatThrownBy(() -> other.read(new StateKey.Cluster())).isInstanceOf(FulmarException.class);
        }
    }

    @Test
    void nodesComeAndGoAndAreRestartedAndLoseAllTheirDataUnderLoad() throws Exception {
        try (ClusterProcesses cluster = new ClusterProcesses(folder, 3, 6, schema())) {
            for (int node = 1; node <= 4; node++) {
                cluster.start(node); // the last one has nothing to do yet
            }
            cluster.awaitInSync();
            AccountLoad load = new AccountLoad();
            ClusterRoster roster = new ClusterRoster(cluster.store());
            try (FulmarClient client = FulmarClient.builder()
                    .hosts(cluster.hosts())
                    .connectTimeout(ClusterProcesses.PATIENCE)
                    .callTimeout(LONG)
                    .connect()) {
                load.openAccounts(client);
                try (AccountLoad.Payers payers = load.begin(client)) {
                    assertThat(payers).isNotNull();
                    roster.add(new NodeId(4));
                    awaitFinished(cluster, roster);
                    assertThat(IntStream.range(0, 6)
                                    .filter(partition -> cluster.recordOf(partition)
                                            .inSyncOn(new NodeId(4))
                                            .isPresent())
                                    .count())
                            .isEqualTo(3);
                    awaitLeaders(roster);
                    assertThat(ledBy(cluster, 4)).as("its share").isBetween(1L, 2L);
                    roster.beginToRemove(new NodeId(1));
                    awaitComplete(roster);
                    awaitLeaders(roster);
                    assertThat(ledBy(cluster, 1))
                            .as("nobody waits when it ends")
                            .isZero();
                    roster.remove(new NodeId(1));
                    assertThat(cluster.awaitEnd(1)).as("taken no more").isEqualTo(77);
                    awaitFinished(cluster, roster);
                    client.execute("SELECT COUNT(*) FROM ACCOUNT WHERE ID = 1");
                    restart(cluster, 4);
                    cluster.awaitInSync();
                    cluster.stop(2);
                    cluster.wipe(2);
                    cluster.start(2);
                    cluster.awaitInSync();
                }
                assertThat(load.failures()).isEmpty();
                load.assertBalances(client);
            }
            assertThatThrownBy(() -> roster.add(new NodeId(1))).hasMessageContaining("another number");
        }
    }

    private static void awaitComplete(ClusterRoster roster) throws InterruptedException {
        for (int i = 0; i < 1_000 && roster.unfinished() > 0; i++) {
            Thread.sleep(100);
        }
        assertThat(roster.unfinished()).isZero();
    }

    private static void awaitLeaders(ClusterRoster roster) throws InterruptedException {
        for (int i = 0; i < 600 && roster.misled() > 0; i++) {
            Thread.sleep(100);
        }
        assertThat(roster.misled()).isZero();
    }

    private static long ledBy(ClusterProcesses cluster, int node) {
        return IntStream.range(0, 6)
                .filter(partition ->
                        cluster.recordOf(partition).primary().node().number() == node)
                .count();
    }

    /** All copies are where they should be, and nobody counts on others any more. */
    private static void awaitFinished(ClusterProcesses cluster, ClusterRoster roster) throws InterruptedException {
        awaitComplete(roster);
        cluster.awaitInSync();
    }

    private static void restart(ClusterProcesses cluster, int node) throws Exception {
        try (FulmarClient client = only(cluster, node)) {
            assertThat(client.call("@Restart").longValue()).isEqualTo(node);
        }
        assertThat(cluster.awaitEnd(node)).as("for its supervisor").isEqualTo(75);
        cluster.start(node);
    }

    @Test
    void aNodeThatIsCutOffServesNothingAndComesBack() throws Exception {
        try (ClusterProcesses cluster = new ClusterProcesses(folder, 3, 6, schema());
                CutProxy links = new CutProxy(cluster.nodePort(3));
                CutProxy zookeeper = new CutProxy(Integer.parseInt(
                        cluster.zookeeper().substring(cluster.zookeeper().indexOf(':') + 1)))) {
            // The node with the greatest number is the one that others connect to.
            cluster.set(3, Map.of("advertise-nodes", links.address(), "zookeeper", zookeeper.address()));
            for (int node = 1; node <= 3; node++) {
                cluster.start(node);
            }
            cluster.awaitInSync();
            AccountLoad load = new AccountLoad();
            try (FulmarClient many = only(cluster, 1, 2);
                    FulmarClient few = only(cluster, 3)) {
                load.openAccounts(many);
                for (int account = 0; account < AccountLoad.ACCOUNTS; account++) {
                    assertThat(load.pay(few, account, LONG)).isTrue();
                }
                links.cut();
                zookeeper.cut();
                cluster.awaitEvery(record ->
                        record.inSync().stream().noneMatch(copy -> copy.node().number() == 3));
                for (int account = 0; account < AccountLoad.ACCOUNTS; account++) {
                    assertThat(load.pay(many, account, LONG)).isTrue();
                }
                for (int account = 0; account < AccountLoad.ACCOUNTS; account += 4) {
                    int asked = account;
                    assertThat(load.pay(few, asked, SHORT))
                            .as("written in the minority")
                            .isFalse();
                    assertThatThrownBy(() -> AccountLoad.balance(few, asked, SHORT))
                            .as("read in the minority")
                            .isInstanceOf(FulmarException.class);
                }
                links.heal();
                zookeeper.heal();
                cluster.awaitInSync();
                for (int account = 0; account < AccountLoad.ACCOUNTS; account++) {
                    assertThat(load.pay(few, account, LONG)).isTrue();
                }
                load.assertBalances(few);
                load.assertBalances(many);
            }
        }
    }

    private static FulmarClient only(ClusterProcesses cluster, Integer... nodes) {
        return FulmarClient.builder()
                .hosts(List.of(nodes).stream().map(cluster::host).toList())
                .directRoute(false)
                .connectTimeout(ClusterProcesses.PATIENCE)
                .connect();
    }
}
