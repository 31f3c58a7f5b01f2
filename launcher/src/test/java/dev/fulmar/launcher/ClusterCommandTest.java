package dev.fulmar.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.fulmar.client.FulmarClient;
import dev.fulmar.client.ResultTable;
import dev.fulmar.coordinator.membership.real.EmbeddedZooKeeper;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.node.config.NodeConfiguration;
import dev.fulmar.node.wiring.FulmarNode;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What programs learn of a cluster. */
@Timeout(120)
class ClusterCommandTest {
    @TempDir
    private Path folder = Path.of("replaced by JUnit");

    private static final int ROWS = 60;

    private final StringWriter out = new StringWriter();
    private EmbeddedZooKeeper zookeeper;

    @BeforeEach
    void start() {
        zookeeper = EmbeddedZooKeeper.start(folder.resolve("zookeeper"), 0);
        assertThat(cluster("init", "--nodes", "1", "--partitions", "2", "--k", "0"))
                .isZero();
    }

    @AfterEach
    void stop() {
        zookeeper.close();
    }

    /** Exit status of the command; what it said is in {@link #out} alone. */
    private int cluster(String command, String... options) {
        return main(new String[] {"--cluster", "c", "--zookeeper", zookeeper.servers()}, command, options);
    }

    private int main(String[] place, String command, String... options) {
        out.getBuffer().setLength(0);
        List<String> all = new ArrayList<>(List.of("cluster", command));
        all.addAll(List.of(place));
        all.addAll(List.of(options));
        return executed(all);
    }

    /** Exit status; why a command failed is in the output of the test, since most expect it to succeed. */
    private int executed(List<String> words) {
        StringWriter errors = new StringWriter();
        int status = Main.commandLine()
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(errors))
                .execute(words.toArray(String[]::new));
        System.err.print(errors);
        return status;
    }

    private JsonNode status() throws Exception {
        assertThat(cluster("status", "--json")).isZero();
        return new ObjectMapper().readTree(out.toString());
    }

    @Test
    void aClusterWithoutNodesIsNotReadyAndSaysWhatIsMissing() throws Exception {
        assertThat(cluster("wait", "--timeout", "0")).isEqualTo(3);
        assertThat(out.toString())
                .contains("3 partitions are led by no node that is up, and 3 wait for copies")
                .hasLineCount(1);
        assertThat(cluster("wait", "--timeout", "0", "--led")).isEqualTo(3);
        JsonNode status = status();
        assertThat(status.path("unled").asInt()).isEqualTo(3);
        assertThat(status.path("unfinished").asInt()).isEqualTo(3);
        assertThat(status.path("nodes")).isEmpty();
        assertThat(status.path("partitions")).hasSize(2);
        assertThat(status.path("partitions").path(1).path("planned").path(0).asInt())
                .isEqualTo(1);
        assertThat(status.path("partitions").path(1).has("leader")).isFalse();
    }

    @Test
    void sparePartitionsAreCountedApart() throws Exception {
        assertThat(cluster("init", "--nodes", "1", "--partitions", "2", "--k", "0", "--spares", "1"))
                .as("another cluster of the name")
                .isNotZero();
        String[] other = {"--cluster", "d", "--zookeeper", zookeeper.servers()};
        assertThat(main(other, "init", "--nodes", "1", "--partitions", "2", "--k", "0", "--spares", "1"))
                .isZero();
        assertThat(out.toString()).contains("2 partitions and 1 spare");
        assertThat(main(other, "status")).isZero();
        assertThat(out.toString()).contains("2 partitions and 1 spare");
        assertThat(main(other, "status", "--json")).isZero();
        JsonNode status = new ObjectMapper().readTree(out.toString());
        assertThat(status.path("spares").asInt()).isEqualTo(1);
        assertThat(status.path("partitions")).hasSize(3);
    }

    private FulmarNode startOf(String cluster, int number, String... more) {
        TreeMap<String, String> settings = new TreeMap<>(Map.of(
                "cluster",
                cluster,
                "zookeeper",
                zookeeper.servers(),
                "node",
                Integer.toString(number),
                "listen",
                "127.0.0.1:0",
                "listen-nodes",
                "127.0.0.1:0",
                "sites",
                "1",
                "memory.limit",
                "64m",
                "data",
                folder.resolve(cluster + number).toString()));
        for (int i = 0; i < more.length; i += 2) {
            settings.put(more[i], more[i + 1]);
        }
        return FulmarNode.start(NodeConfiguration.of(settings));
    }

    private int command(FulmarNode node, String... words) {
        out.getBuffer().setLength(0);
        List<String> all = new ArrayList<>(List.of(words));
        all.addAll(List.of("--host", "127.0.0.1:" + node.port()));
        return executed(all);
    }

    private static void load(FulmarNode node) {
        try (FulmarClient client = FulmarClient.connect("127.0.0.1:" + node.port())) {
            client.execute("CREATE TABLE item (id BIGINT NOT NULL PRIMARY KEY) PARTITION ON COLUMN id");
            for (int id = 0; id < ROWS; id++) {
                client.execute("INSERT INTO item VALUES (?)", id);
            }
        }
    }

    private static long rows(FulmarNode node) {
        try (FulmarClient client = FulmarClient.connect("127.0.0.1:" + node.port())) {
            return client.execute("SELECT COUNT(*) FROM item").table().first().getLong(0);
        }
    }

    /** Leaders wait before they return to a node, so it takes its time. */
    @Test
    @Timeout(300)
    void aNodeIsAddedAndASparePartitionGetsItsShareOfTheKeys() {
        String[] place = {"--cluster", "d", "--zookeeper", zookeeper.servers()};
        assertThat(main(place, "init", "--nodes", "1", "--partitions", "2", "--k", "0", "--spares", "1"))
                .isZero();
        try (FulmarNode first = startOf("d", 1);
                FulmarNode second = startOf("d", 2)) {
            load(first);
            String host = "127.0.0.1:" + first.port();
            assertThat(main(place, "add", "--node", "2", "--balance-keys", "--host", host))
                    .isZero();
            assertThat(out.toString()).contains("keys move until partitions have equal shares");
            assertThat(command(first, "reconfigure", "status", "--watch")).isZero();
            assertThat(out.toString()).contains("DONE: 0 ranges left");
            assertThat(command(second, "plan", "show")).isZero();
            assertThat(out.toString())
                    .contains("partition 2: [#")
                    .containsPattern("partition 0: \\[#0{16}-#5{15}6\\)")
                    .doesNotContain("no keys");
            assertThat(rows(second)).isEqualTo(ROWS);
            assertThat(main(place, "remove", "--node", "2", "--balance-keys", "--host", host))
                    .isZero();
            assertThat(out.toString()).contains("node 2 is taken out", "equal shares of the hashes already");
            assertThat(rows(first)).isEqualTo(ROWS);
        }
    }

    /** Node 2 is not there, so the command would wait for its copies if it began. */
    @Test
    void keysThatAreDividedByRangesAreNotBalancedAndNothingIsChanged() throws Exception {
        String[] place = {"--cluster", "e", "--zookeeper", zookeeper.servers()};
        assertThat(main(place, "init", "--nodes", "1", "--partitions", "2", "--k", "0"))
                .isZero();
        try (FulmarNode node = startOf("e", 1, "partitioning", "range:0,30")) {
            String host = "127.0.0.1:" + node.port();
            assertThat(main(place, "status", "--json")).isZero();
            JsonNode before = new ObjectMapper().readTree(out.toString()).path("partitions");
            for (String command : List.of("add", "remove")) {
                assertThat(main(place, command, "--node", "2", "--balance-keys", "--host", host))
                        .isEqualTo(1);
            }
            assertThat(main(place, "status", "--json")).isZero();
            assertThat(new ObjectMapper().readTree(out.toString()).path("partitions"))
                    .isEqualTo(before);
            try (FulmarClient client = FulmarClient.connect(host)) {
                assertThatThrownBy(() -> client.call("@Reconfigure", "BALANCE"))
                        .isInstanceOf(FulmarException.class)
                        .hasMessageContaining("divides integers by ranges");
                ResultTable status =
                        client.call("@Reconfigure", "STATUS").table().first();
                assertThat(status.getString(status.column("STATE"))).isEqualTo("NONE");
            }
        }
    }

    @Test
    void waitingEndsWhenTheNodeLeadsAllAndIsNotSatisfiedWhenItIsGone() throws Exception {
        TreeMap<String, String> settings = new TreeMap<>(Map.of(
                "cluster", "c",
                "zookeeper", zookeeper.servers(),
                "node", "1",
                "listen", "127.0.0.1:0",
                "listen-nodes", "127.0.0.1:0",
                "sites", "1",
                "memory.limit", "64m",
                "data", folder.resolve("data").toString()));
        try (FulmarNode node = FulmarNode.start(NodeConfiguration.of(settings))) {
            assertThat(node).isNotNull();
            assertThat(cluster("wait", "--timeout", "60")).isZero();
            assertThat(out.toString()).isEqualTo(String.format("all partitions are led, and all copies are in sync%n"));
            JsonNode status = status();
            assertThat(status.path("unled").asInt()).isZero();
            assertThat(status.path("unfinished").asInt()).isZero();
            assertThat(status.path("nodes").path(0).path("up").asBoolean()).isTrue();
            assertThat(status.path("catalog").path("leader").asInt()).isEqualTo(1);
            assertThat(status.path("partitions").path(0).path("inSync").path(0).asInt())
                    .isEqualTo(1);
        }
        assertThat(cluster("wait", "--timeout", "0")).isEqualTo(3);
        assertThat(status().path("nodes").path(0).path("up").asBoolean()).isFalse();
    }
}
