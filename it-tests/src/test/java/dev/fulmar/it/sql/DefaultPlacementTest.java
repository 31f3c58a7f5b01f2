package dev.fulmar.it.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.client.FulmarClient;
import dev.fulmar.client.Session;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.node.wiring.FulmarNode;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A connection says where the tables are that it makes without saying it. */
@Timeout(120)
class DefaultPlacementTest {
    @TempDir
    private Path folder;

    private FulmarNode start(boolean partitions) {
        return SmallNode.start(
                3, Map.of("data", folder.toString(), "tables.partitioned", Boolean.toString(partitions)));
    }

    private static String placement(FulmarClient client, String table) {
        return ResultRows.of(
                        client,
                        "SELECT PLACEMENT FROM INFORMATION_SCHEMA.TABLES WHERE TABLE_NAME = '" + table + "'",
                        " ")
                .getFirst();
    }

    private static String shown(FulmarClient client) {
        return ResultRows.of(client, "SHOW default_placement", " ").getFirst();
    }

    @Test
    void theConnectionDecides() {
        try (FulmarNode node = start(false);
                FulmarClient client = SmallNode.connect(node);
                FulmarClient other = SmallNode.connect(node)) {
            assertThat(shown(client)).isEqualTo("REPLICATED");
            client.execute("SET default_placement = partitioned;");
            assertThat(shown(client)).isEqualTo("PARTITIONED");
            assertThat(shown(other)).isEqualTo("REPLICATED");
            client.execute("CREATE TABLE a (id INTEGER PRIMARY KEY); -- with a comment");
            client.execute("/* first */ CREATE TABLE IF NOT EXISTS b (n INTEGER)");
            client.execute("CREATE TABLE c (n INTEGER) REPLICATED");
            client.execute("CREATE TABLE d (\"AS\", n) AS SELECT 1, 2");
            client.execute("CREATE TABLE e REPLICATED AS SELECT 1 AS n");
            client.execute("CREATE TABLE f (id INTEGER PRIMARY KEY, k INTEGER NOT NULL) PARTITION ON COLUMN k");
            client.execute("CREATE TABLE public.g (seen TIMESTAMP) USING TTL 2 HOURS ON COLUMN seen");
            other.execute("CREATE TABLE h (n INTEGER)");
            try (Session session = client.begin()) {
                session.execute("CREATE TABLE i (n INTEGER)");
                session.execute("SET default_placement TO replicated");
                session.execute("CREATE TABLE j (n INTEGER)");
                session.commit();
            }
            assertThat(shown(client)).isEqualTo("REPLICATED");
            client.execute("SET SESSION default_placement = PARTITIONED");
            assertThat(ResultRows.of(client, "EXPLAIN CREATE TABLE x (n INTEGER)", " "))
                    .contains("partitioned on a hidden row id, for no column of a primary key can place rows");
            assertThat(ResultRows.of(client, "EXPLAIN CREATE TABLE x AS SELECT 1 AS n", " ")
                            .toString())
                    .contains("PARTITIONED");
            assertThat(ResultRows.of(other, "EXPLAIN CREATE TABLE x (n INTEGER)", " "))
                    .contains("replicated, by the setting tables.partitioned of the node");
            client.execute("RESET default_placement");
            client.execute("CREATE TABLE k (n INTEGER)");
            client.execute("SET default_placement = DEFAULT");
            check(client);
        }
        try (FulmarNode node = start(true);
                FulmarClient client = SmallNode.connect(node)) {
            check(client);
        }
    }

    @Test
    void aNodePartitionsWhatSaysNothing() {
        try (FulmarNode node = SmallNode.durable(folder, 3);
                FulmarClient client = SmallNode.connect(node);
                FulmarClient other = SmallNode.connect(node)) {
            assertThat(shown(client)).isEqualTo("PARTITIONED");
            assertThat(ResultRows.of(client, "EXPLAIN CREATE TABLE x (n INTEGER PRIMARY KEY)", " "))
                    .contains("partitioned on N, the first column of its primary key");
            client.execute("CREATE TABLE a (n INTEGER PRIMARY KEY)");
            client.execute("SET default_placement = replicated");
            assertThat(shown(client)).isEqualTo("REPLICATED");
            assertThat(ResultRows.of(client, "EXPLAIN CREATE TABLE x (n INTEGER PRIMARY KEY)", " "))
                    .contains("replicated");
            client.execute("CREATE TABLE b (n INTEGER PRIMARY KEY)");
            client.execute("CREATE TABLE c (n INTEGER PRIMARY KEY) PARTITIONED");
            client.execute("CREATE TABLE d AS SELECT 1 AS n");
            other.execute("CREATE TABLE e AS SELECT 1 AS n");
            client.execute("RESET default_placement");
            try (Session session = client.begin()) {
                session.execute("CREATE TABLE f (n INTEGER PRIMARY KEY)");
                session.execute("CREATE TABLE g (n INTEGER)");
                session.execute("INSERT INTO g VALUES (1), (1)");
                session.commit();
            }
        }
        try (FulmarNode node = start(false);
                FulmarClient client = SmallNode.connect(node)) {
            assertThat(Stream.of("A", "B", "C", "D", "E", "F", "G").map(table -> placement(client, table)))
                    .containsExactly("COLUMN", "REPLICATED", "COLUMN", "REPLICATED", "ROW", "COLUMN", "ROW");
        }
    }

    private static void check(FulmarClient client) {
        List<String> places = Stream.of("A", "B", "C", "D", "E", "F", "G", "H", "I", "J", "K")
                .map(table -> placement(client, table))
                .toList();
        assertThat(places)
                .containsExactly(
                        "COLUMN",
                        "ROW",
                        "REPLICATED",
                        "ROW",
                        "REPLICATED",
                        "COLUMN",
                        "ROW",
                        "REPLICATED",
                        "ROW",
                        "REPLICATED",
                        "REPLICATED");
    }

    @Test
    void wrongValuesChangeNothing() {
        try (FulmarNode node = SmallNode.start(2);
                FulmarClient client = SmallNode.connect(node)) {
            client.execute("SET default_placement = REPLICATED");
            for (String wrong : List.of(
                    "SET default_placement",
                    "SET default_placement = everywhere",
                    "SET default_placement PARTITIONED",
                    "SET default_placement = PARTITIONED, REPLICATED",
                    "SHOW default_placement now",
                    "SHOW everything")) {
                assertThatThrownBy(() -> client.execute(wrong))
                        .as(wrong)
                        .isInstanceOfSatisfying(
                                FulmarException.class,
                                e -> assertThat(e.code())
                                        .as(e.getMessage())
                                        .isIn(ErrorCode.SYNTAX, ErrorCode.NOT_SUPPORTED));
            }
            assertThat(shown(client)).isEqualTo("REPLICATED");
        }
    }
}
