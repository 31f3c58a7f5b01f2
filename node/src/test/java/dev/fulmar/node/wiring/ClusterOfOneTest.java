package dev.fulmar.node.wiring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.coordinator.membership.ClusterRecord;
import dev.fulmar.coordinator.membership.real.EmbeddedZooKeeper;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.foundation.data.ParameterWriter;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.node.config.NodeConfiguration;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A cluster of one node, which goes through everything that more nodes do but the way to others. */
@Timeout(120)
class ClusterOfOneTest {
    private static final int NODE = 1;

    @TempDir
    private Path folder = Path.of("replaced by JUnit");

    private EmbeddedZooKeeper zookeeper;

    @BeforeEach
    void start() throws IOException {
        zookeeper = EmbeddedZooKeeper.start(folder.resolve("zookeeper"), 0);
        Files.writeString(folder.resolve("schema.sql"), """
                -- the accounts
                CREATE TABLE ACCOUNT (ID BIGINT NOT NULL PRIMARY KEY);
                PARTITION TABLE ACCOUNT ON COLUMN ID;
                """);
    }

    @AfterEach
    void stop() {
        zookeeper.close();
    }

    private NodeConfiguration configuration(Map<String, String> more) {
        TreeMap<String, String> settings = new TreeMap<>(Map.of(
                "cluster", "one",
                "zookeeper", zookeeper.servers(),
                "node", Integer.toString(NODE),
                "listen", "127.0.0.1:0",
                "listen-nodes", "127.0.0.1:0",
                "sites", "1",
                "memory.limit", "64m",
                "data", folder.resolve("data").toString(),
                "schema", folder.resolve("schema.sql").toString()));
        settings.putAll(more);
        return NodeConfiguration.of(settings);
    }

    private void found() {
        try (ClusterStore store = ClusterStore.open(configuration(Map.of()).cluster(), "")) {
            store.found(new ClusterRecord(UUID.randomUUID(), "one", 3, 1, 1), List.of(new NodeId(NODE)));
            assertThatThrownBy(() -> store.found(
                            new ClusterRecord(UUID.randomUUID(), "one", 4, 1, 1), List.of(new NodeId(NODE))))
                    .hasMessageContaining("already");
        }
    }

    private static TransactionResponse answer(FulmarNode node, String sql) throws Exception {
        ParameterWriter writer = new ParameterWriter(64, 64);
        int length = writer.end();
        byte[] nothing = Arrays.copyOf(writer.array(), length);
        return node.database()
                .submit(new TransactionRequest.AdHoc(0, 0, 0, sql, nothing))
                .get(30, TimeUnit.SECONDS);
    }

    /** Until the partition has its primary. */
    private static TransactionResponse settled(FulmarNode node, String sql) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        TransactionResponse response = answer(node, sql);
        while (response instanceof TransactionResponse.Failed(ErrorCode code, var _, var _)
                && code == ErrorCode.NOT_CONNECTED
                && System.nanoTime() - deadline < 0) {
            Thread.sleep(20);
            response = answer(node, sql);
        }
        return response;
    }

    @Test
    void whatWasCommittedIsServedAgainAfterARestart() throws Exception {
        found();
        MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
        ObjectName copy = new ObjectName("fulmar:type=Copy,node=1,partition=0");
        ObjectName member = new ObjectName("fulmar:type=Member,node=1");
        try (FulmarNode node = FulmarNode.start(configuration(Map.of()))) {
            assertThat(node.configuration().partitions().count()).isEqualTo(3);
            for (int id = 0; id < 9; id++) {
                assertThat(settled(node, "INSERT INTO ACCOUNT (ID) VALUES (" + id + ")"))
                        .isInstanceOf(TransactionResponse.Committed.class);
            }
            assertThat(answer(node, "CREATE TABLE T (ID BIGINT NOT NULL PRIMARY KEY)"))
                    .isInstanceOf(TransactionResponse.Committed.class);
            assertThat(answer(node, "SELECT COUNT(*) FROM ACCOUNT")).isInstanceOf(TransactionResponse.Committed.class);
            assertThat(beans.getAttribute(copy, "Role")).isEqualTo("PRIMARY");
            assertThat(beans.getAttribute(copy, "Primary")).isEqualTo(NODE);
            assertThat(beans.getAttribute(copy, "InSync")).isEqualTo("1");
            assertThat(beans.getAttribute(member, "ServedPartitions")).isEqualTo(3);
            assertThat(beans.getAttribute(member, "Session")).isEqualTo("CONNECTED");
            assertThat(beans.getAttribute(member, "Incarnation")).isEqualTo(1L);
        }
        try (FulmarNode node = FulmarNode.start(configuration(Map.of()))) {
            for (int id = 0; id < 9; id++) {
                assertThat(settled(node, "SELECT ID FROM ACCOUNT WHERE ID = " + id))
                        .isInstanceOfSatisfying(
                                TransactionResponse.Committed.class,
                                found -> assertThat(found.results()).isNotEmpty());
            }
            assertThat(settled(node, "SELECT COUNT(*) FROM T")).isInstanceOf(TransactionResponse.Committed.class);
            assertThat(settled(node, "DELETE FROM ACCOUNT WHERE ID = 4"))
                    .isInstanceOfSatisfying(
                            TransactionResponse.Committed.class,
                            deleted -> assertThat(deleted.value()).isEqualTo(1));
            assertThat((long) beans.getAttribute(copy, "Epoch")).isEqualTo(2);
        }
        assertThatThrownBy(() -> FulmarNode.start(configuration(Map.of("node", "2"))))
                .hasMessageContaining("belongs to node 1");
    }

    @Test
    void withoutAClusterNoNodeStarts() {
        assertThatThrownBy(() -> FulmarNode.start(configuration(Map.of())))
                .hasMessageContaining("bin/fulmar cluster init");
    }

    @Test
    void aSchemaThatIsWrongIsToldWithItsFile() throws IOException {
        found();
        Files.writeString(folder.resolve("schema.sql"), "CREATE TABEL T (ID BIGINT);\n");
        assertThatThrownBy(() -> FulmarNode.start(configuration(Map.of())))
                .hasMessageContaining("schema.sql")
                .hasMessageContaining("SYNTAX");
    }

    @Test
    void whoseYoungerProcessRunsEndsWithoutBlameForItsDevice() throws InterruptedException {
        found();
        try (FulmarNode first = FulmarNode.start(configuration(Map.of()));
                FulmarNode second = FulmarNode.start(
                        configuration(Map.of("data", folder.resolve("other").toString(), "jmx", "false")))) {
            first.awaitClosed();
            assertThat(first.failure())
                    .hasMessageContaining("a younger process of N1")
                    .isInstanceOfSatisfying(
                            FulmarException.class,
                            failure -> assertThat(failure.code()).isEqualTo(ErrorCode.INVALID_CONFIGURATION));
            assertThat(second.failure()).isNull();
        }
    }
}
