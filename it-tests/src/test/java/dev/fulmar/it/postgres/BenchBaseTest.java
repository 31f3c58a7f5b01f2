package dev.fulmar.it.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.fulmar.it.sql.SmallNode;
import dev.fulmar.node.wiring.FulmarNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** BenchBase, unchanged, against one node, where FULMAR_BENCHBASE names an unpacked benchbase-postgres.tgz. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BenchBaseTest {
    private static final Duration LIMIT = Duration.ofMinutes(5);
    private static final Optional<Path> BENCHBASE =
            Optional.ofNullable(System.getenv("FULMAR_BENCHBASE")).map(Path::of);

    /** The conditions of TPC-C §3.3.2.1 to 3.3.2.4, as queries of what breaks them. */
    private static final List<String> CONDITIONS = List.of(
            "SELECT w_id FROM warehouse WHERE w_ytd <> (SELECT SUM(d_ytd) FROM district WHERE d_w_id = w_id)",
            "SELECT d_w_id, d_id FROM district WHERE d_next_o_id - 1 <>"
                    + " (SELECT MAX(o_id) FROM oorder WHERE o_w_id = d_w_id AND o_d_id = d_id)",
            "SELECT no_w_id, no_d_id FROM new_order GROUP BY no_w_id, no_d_id"
                    + " HAVING MAX(no_o_id) - MIN(no_o_id) + 1 <> COUNT(*)",
            "SELECT d_w_id, d_id FROM district WHERE (SELECT SUM(o_ol_cnt) FROM oorder WHERE o_w_id = d_w_id AND o_d_id"
                    + " = d_id) <> (SELECT COUNT(*) FROM order_line WHERE ol_w_id = d_w_id AND ol_d_id = d_id)");

    @TempDir
    private static Path directory;

    private Optional<FulmarNode> node = Optional.empty();

    @BeforeAll
    void start() {
        assumeTrue(
                BENCHBASE.isPresent(), "FULMAR_BENCHBASE names no BenchBase; docs/BENCHBASE.md says how to build it");
        node = Optional.of(SmallNode.start(2, Map.of("memory.limit", "2g")));
    }

    @AfterAll
    void stop() {
        node.ifPresent(FulmarNode::close);
    }

    private int port() {
        return node.orElseThrow().postgresAddress().orElseThrow().port();
    }

    private static Path script() {
        Path directory = Path.of("").toAbsolutePath();
        for (Path candidate = directory; candidate != null; candidate = candidate.getParent()) {
            Path script = candidate.resolve("bin/benchbase");
            if (Files.exists(script)) {
                return script;
            }
        }
        throw new IllegalStateException("not inside a checkout: " + directory);
    }

    private void run(String workload, String... settings) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                script().toString(),
                BENCHBASE.orElseThrow().toString(),
                workload,
                "server=127.0.0.1:" + port() + "/fulmar",
                "results=" + directory));
        command.addAll(List.of(settings));
        ToolRun run = ToolRun.of(command, Map.of(), directory, LIMIT);
        assertThat(run.status()).as(run.output()).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "ycsb, 1",
        "smallbank, 0.01",
        "tatp, 0.05",
        "voter, 1",
        "sibench, 1",
        "hyadapt, 0.1",
        "otmetrics, 0.01",
        "epinions, 1",
        "twitter, 1",
        "seats, 0.1",
        "auctionmark, 0.1",
        "wikipedia, 1",
        "resourcestresser, 1",
        "noop, 1"
    })
    void itsWorkloadsRun(String workload, String scale) throws IOException, InterruptedException {
        run(workload, "scale=" + scale, "terminals=4", "seconds=3");
    }

    @Test
    void theDataOfItsTpccAreConsistent() throws IOException, InterruptedException, SQLException {
        run("tpcc", "scale=1", "terminals=8", "seconds=5");
        try (Connection connection =
                        DriverManager.getConnection("jdbc:postgresql://127.0.0.1:" + port() + "/fulmar?user=fulmar");
                Statement statement = connection.createStatement()) {
            for (String condition : CONDITIONS) {
                try (ResultSet broken = statement.executeQuery(condition)) {
                    assertThat(broken.next()).as(condition).isFalse();
                }
            }
        }
    }
}
