package dev.fulmar.node.wiring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.durability.replica.ReplicaState;
import dev.fulmar.coordinator.durability.replica.ReplicaStatus;
import dev.fulmar.coordinator.membership.ClusterRecord;
import dev.fulmar.coordinator.membership.leadership.Leadership.Role;
import dev.fulmar.coordinator.membership.real.EmbeddedZooKeeper;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.node.config.NodeConfiguration;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Health of two real nodes with copies of the same partition, while ZooKeeper and a copy go. */
@Timeout(150)
class HealthInClusterTest {
    private static final int COPIES = 2;

    @TempDir
    private Path folder = Path.of("replaced by JUnit");

    private final HttpClient http = HttpClient.newHttpClient();
    private EmbeddedZooKeeper zookeeper;

    @BeforeEach
    void start() throws IOException {
        zookeeper = EmbeddedZooKeeper.start(folder.resolve("zookeeper"), 0);
        try (ClusterStore store = ClusterStore.open(configuration(1).cluster(), "")) {
            store.found(
                    new ClusterRecord(UUID.randomUUID(), "two", 1, COPIES, 1), List.of(new NodeId(1), new NodeId(2)));
        }
    }

    @AfterEach
    void stop() {
        zookeeper.close();
        http.close();
    }

    private NodeConfiguration configuration(int node) {
        TreeMap<String, String> settings = new TreeMap<>();
        settings.put("cluster", "two");
        settings.put("zookeeper", zookeeper.servers());
        settings.put("node", Integer.toString(node));
        settings.put("listen", "127.0.0.1:0");
        settings.put("listen-nodes", "127.0.0.1:0");
        settings.put("metrics.listen", "127.0.0.1:0");
        settings.put("sites", "1");
        settings.put("memory.limit", "64m");
        settings.put("jmx", "false");
        settings.put("stop.grace", "1s");
        settings.put("data", folder.resolve("data" + node).toString());
        return NodeConfiguration.of(settings);
    }

    private HttpResponse<String> ask(FulmarNode node, String path) throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + node.metricsPort().orElseThrow() + path);
        return http.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
    }

    /** Asks until that is the answer. */
    private HttpResponse<String> answered(FulmarNode node, int status) throws Exception {
        HttpResponse<String> answer = ask(node, "/health/ready");
        while (answer.statusCode() != status) {
            Thread.sleep(50);
            answer = ask(node, "/health/ready");
        }
        return answer;
    }

    private static boolean leads(FulmarNode node) {
        return node.database().copies().isHere(0);
    }

    @Test
    void liveDependsOnNobodyAndReadyOnWhatACommitNeeds() throws Exception {
        CompletableFuture<FulmarNode> starting =
                CompletableFuture.supplyAsync(() -> FulmarNode.start(configuration(1)));
        try (FulmarNode second = FulmarNode.start(configuration(2));
                FulmarNode first = starting.get(60, TimeUnit.SECONDS)) {
            answered(first, 200);
            answered(second, 200);
            FulmarNode primary = leads(first) ? first : second;
            FulmarNode backup = leads(first) ? second : first;
            assertThat(leads(backup)).isFalse();

            zookeeper.close();
            assertThat(answered(backup, 503).body())
                    .contains("the node leads no partition and has no connection to ZooKeeper");
            HttpResponse<String> ready = ask(primary, "/health/ready");
            assertThat(ready.statusCode())
                    .as("transactions commit, as both copies are there: " + ready.body())
                    .isEqualTo(200);
            assertThat(ask(primary, "/health/live").statusCode()).isEqualTo(200);
            assertThat(ask(backup, "/health/live").statusCode()).isEqualTo(200);

            backup.close();
            assertThat(answered(primary, 503).body()).contains("partition P0 has not answered for");
            assertThat(ask(primary, "/health/live").statusCode()).isEqualTo(200);
        }
    }

    private static String problemOf(Role role, boolean isServing, boolean isBroken, boolean isPlanned) {
        ReplicaState state = isBroken ? ReplicaState.BROKEN : isServing ? ReplicaState.SERVING : ReplicaState.FOLLOWING;
        return NodeHealth.problemOf(new ReplicaStatus(role, 1, state), isPlanned);
    }

    /** A rolling restart goes on once a node is ready, perhaps to the one that has the only copy in sync. */
    @Test
    void aCopyThatTheClusterCannotCountOnIsAProblem() {
        assertThat(problemOf(Role.LEARNER, false, false, true)).contains("not in sync");
        assertThat(problemOf(Role.NONE, false, false, true)).contains("primary is not known");
        assertThat(problemOf(Role.PRIMARY, false, false, true)).contains("about to lead");
        assertThat(problemOf(Role.BACKUP, false, true, true)).contains("broke");
    }

    @Test
    void aCopyInSyncIsNoneAndNeitherIsOneThatNobodyWantsHere() {
        assertThat(problemOf(Role.PRIMARY, true, false, true)).isEmpty();
        assertThat(problemOf(Role.BACKUP, false, false, true)).isEmpty();
        assertThat(problemOf(Role.NONE, false, false, false)).isEmpty();
        assertThat(problemOf(Role.LEARNER, false, false, false))
                .as("the plan has moved it to another node")
                .isEmpty();
    }
}
