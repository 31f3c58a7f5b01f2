package dev.fulmar.it.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.client.FulmarClient;
import dev.fulmar.client.ResultTable;
import dev.fulmar.node.wiring.FulmarNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** EXPLAIN ANALYZE tells what happened, however many partitions it happened on. */
@Timeout(120)
class ExplainAnalyzeTest {
    private static final int ROWS = 300;

    private static FulmarClient filled(FulmarNode node) {
        FulmarClient client = FulmarClient.connect("127.0.0.1:" + node.port());
        client.execute("CREATE TABLE T (A INTEGER NOT NULL PRIMARY KEY, B INTEGER)");
        client.execute("PARTITION TABLE T ON COLUMN A");
        client.execute("CREATE TABLE S (A INTEGER NOT NULL PRIMARY KEY, N VARCHAR(10)) REPLICATED");
        client.execute("INSERT INTO S VALUES (1, 'one'), (2, 'two'), (5, 'five')");
        for (int i = 0; i < ROWS; i++) {
            client.execute("INSERT INTO T VALUES (?, ?)", i, i % 10);
        }
        return client;
    }

    /** The lines without their times, which nobody can foretell. */
    private static List<String> analysed(FulmarClient client, String query, @Nullable Object... arguments) {
        ResultTable table =
                client.execute("EXPLAIN ANALYZE " + query, arguments).table();
        List<String> lines = new ArrayList<>();
        while (table.next()) {
            lines.add(Objects.requireNonNull(table.getString(0)).replaceAll("time \\d+\\.\\d{3} ms", "time T"));
        }
        return lines;
    }

    @Test
    void rowsOfAllPartitionsAreAddedUp() {
        try (FulmarNode node = SmallNode.start(3);
                FulmarClient client = filled(node)) {
            List<String> lines = analysed(client, "SELECT B, COUNT(*) FROM T WHERE A >= 100 GROUP BY B ORDER BY B");
            assertThat(lines)
                    .anySatisfy(line ->
                            assertThat(line).contains("T", "[rows 200, time T at most, partitions 3, rows of each "));
            assertThat(lines)
                    .anySatisfy(
                            line -> assertThat(line)
                                    .contains(
                                            "aggregate COUNT(*) by B [rows 30, time T at most, partitions 3, rows of each 10 to 10]"));
            assertThat(lines).anySatisfy(line -> assertThat(line).endsWith("receive fragment 0 [rows 30, time T]"));
            assertThat(lines)
                    .anySatisfy(line -> assertThat(line).contains("sort by ").endsWith("[rows 10, time T]"));
        }
    }

    @Test
    void aJoinTellsOfBothItsSides() {
        try (FulmarNode node = SmallNode.start(1);
                FulmarClient client = filled(node)) {
            List<String> lines =
                    analysed(client, "SELECT T.A, S.N FROM T JOIN S ON S.A = T.B WHERE T.A < ? LIMIT 4", 100);
            assertThat(lines).anySatisfy(line -> assertThat(line).contains("limit 4 [rows 4, time T]"));
            assertThat(lines)
                    .anySatisfy(line -> assertThat(line).contains("join INNER").contains("[rows 4, time T]"));
            assertThat(lines.stream().filter(line -> line.contains("scan ")))
                    .hasSize(2)
                    .allMatch(line -> line.contains("[rows "));
        }
    }

    @Test
    void aKeyNeedsOnePartition() {
        try (FulmarNode node = SmallNode.start(3);
                FulmarClient client = filled(node)) {
            assertThat(analysed(client, "SELECT B FROM T WHERE A = ?", 7))
                    .anySatisfy(line -> assertThat(line).startsWith("fragment 0 on partition of ?"))
                    .anySatisfy(
                            line -> assertThat(line).contains("index scan T").endsWith("[rows 1, time T]"));
        }
    }

    @Test
    void whatDependsOnTheKeysTellsTheWayThatWasTaken() {
        try (FulmarNode node = SmallNode.start(1);
                FulmarClient client = filled(node)) {
            String query = "SELECT X.B, Y.B FROM T X, T Y WHERE X.A = ? AND Y.A = ?";
            List<String> lines = analysed(client, query, 7, 8);
            assertThat(lines)
                    .filteredOn(line -> line.contains("index scan"))
                    .hasSize(2)
                    .allMatch(line -> line.endsWith("[rows 1, time T]"));
        }
    }

    @Test
    void aSubqueryForEachRowAddsUpItsRuns() {
        try (FulmarNode node = SmallNode.start(1);
                FulmarClient client = filled(node)) {
            List<String> lines = analysed(
                    client,
                    "WITH RECURSIVE W (N) AS (SELECT 1 UNION ALL SELECT N + 1 FROM W WHERE N < 5) SELECT COUNT(*) FROM W");
            assertThat(lines)
                    .anySatisfy(
                            line -> assertThat(line).contains("repeat until").contains("[rows 5, time T]"));
            assertThat(lines)
                    .anySatisfy(line -> assertThat(line)
                            .contains("rows of the round before")
                            .contains("[rows 5, time T]"));
        }
    }
}
