package dev.fulmar.it.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.benchmarks.workload.Statements;
import dev.fulmar.client.FulmarClient;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A request that breaks the node that executes it, in a cluster of three: one node ends, and nobody sends the request
 * to another one.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class BrokenNodeIT {
    private static final int NODES = 3;
    private static final int DEFECT = 70;

    @TempDir
    private Path folder = Path.of("replaced by JUnit");

    private ClusterProcesses cluster;

    @BeforeEach
    void start() throws Exception {
        cluster = new ClusterProcesses(folder, NODES, 1, Map.of());
        cluster.runJavaWith(PlantedDefect.option(folder));
        for (int node = 1; node <= NODES; node++) {
            cluster.start(node);
        }
        cluster.awaitInSync();
        try (FulmarClient client = FulmarClient.connect(cluster.hosts().toArray(new String[0]))) {
            client.execute("CREATE TABLE t (id BIGINT NOT NULL PRIMARY KEY, v BIGINT NOT NULL)");
            client.execute("PARTITION TABLE t ON COLUMN id");
            client.execute("CREATE PROCEDURE " + PlantedDefect.PROCEDURE
                    + " PARTITION ON TABLE t COLUMN id AS UPDATE t SET v = v + 1 WHERE id = ?");
            client.execute("INSERT INTO t VALUES (1, 5)");
        }
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    private int leader() {
        return cluster.recordOf(0).primary().node().number();
    }

    @Test
    void aClientOfTheLeaderSendsItToNoOtherNode() throws Exception {
        try (FulmarClient client = FulmarClient.connect(cluster.hosts().toArray(new String[0]))) {
            breakTheLeader(client);
        }
    }

    @Test
    void aNodeThatPassedItOnPassesItToNoOther() throws Exception {
        int other = IntStream.rangeClosed(1, NODES)
                .filter(node -> node != leader())
                .findFirst()
                .orElseThrow();
        try (FulmarClient client = FulmarClient.builder()
                .hosts(cluster.host(other))
                .directRoute(false)
                .connect()) {
            breakTheLeader(client);
        }
    }

    private void breakTheLeader(FulmarClient client) throws Exception {
        int leader = leader();
        assertThatThrownBy(() -> client.call(PlantedDefect.PROCEDURE, 1L))
                .isInstanceOfSatisfying(FulmarException.class, failure -> {
                    assertThat(failure.code()).isEqualTo(ErrorCode.OUTCOME_UNKNOWN);
                    assertThat(failure).hasMessageContaining("broke");
                });
        assertThat(cluster.awaitEnd(leader)).isEqualTo(DEFECT);
        // The partition is led by another node now, which a request that was sent again would have broken.
        assertThat(Statements.longOf(client, "SELECT v FROM t WHERE id = 1")).isEqualTo(5);
        client.execute("UPDATE t SET v = 6 WHERE id = 1");
        for (int node = 1; node <= NODES; node++) {
            assertThat(cluster.isAlive(node)).as("node %d", node).isEqualTo(node != leader);
        }
        assertThat(leader()).isNotEqualTo(leader);
    }
}
