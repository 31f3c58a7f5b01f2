package dev.fulmar.it.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.client.FulmarClient;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.node.backup.Restore;
import dev.fulmar.node.config.NodeConfiguration;
import dev.fulmar.node.wiring.FulmarNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Changes of tables survive: rows written before and after them come back from the log, from checkpoints and from a
 * backup.
 */
@Timeout(180)
class AlteredDatabaseTest {
    private static final int ROWS = 300;

    @TempDir
    private Path folder;

    private FulmarNode start(String data, int partitions) {
        TreeMap<String, String> settings = new TreeMap<>(Map.of(
                "data",
                folder.resolve(data).toString(),
                "listen",
                "127.0.0.1:0",
                "jmx",
                "false",
                "memory.limit",
                "128m",
                "sites",
                "1"));
        settings.put("partitions", Integer.toString(partitions));
        return FulmarNode.start(NodeConfiguration.of(settings));
    }

    private static FulmarClient connect(FulmarNode node) {
        return FulmarClient.connect("127.0.0.1:" + node.port());
    }

    private static List<String> rows(FulmarClient client, String query) {
        return ResultRows.of(client, query, " ");
    }

    private static void create(FulmarClient client) {
        client.execute(
                "CREATE TABLE item (id INTEGER NOT NULL PRIMARY KEY, name VARCHAR(10), stock INTEGER CHECK (stock >= 0))");
        client.execute("PARTITION TABLE item ON COLUMN id");
        client.execute("CREATE TABLE note (line VARCHAR(20)) REPLICATED");
        client.execute("CREATE PROCEDURE take PARTITION ON TABLE item COLUMN id PARAMETER 1"
                + " AS UPDATE item SET stock = stock - ? WHERE id = ?");
        for (int id = 0; id < ROWS; id++) {
            client.call("ITEM.insert", id, "n" + id, 10);
        }
        client.execute("INSERT INTO note VALUES ('a'), ('b')");
    }

    private static void alter(FulmarClient client) {
        client.call("take", 3, 7);
        client.execute("ALTER TABLE item ADD COLUMN color VARCHAR(10) DEFAULT 'red' NOT NULL");
        client.execute("ALTER TABLE note ADD COLUMN n BIGINT DEFAULT 1");
        client.call("take", 3, 7);
        client.execute("ALTER TABLE item RENAME COLUMN name TO title");
        client.execute("ALTER TABLE item ALTER COLUMN id TYPE BIGINT");
        client.execute("INSERT INTO item (id, title, stock) VALUES (5000000000, 'far', 1)");
        client.execute("INSERT INTO note VALUES ('c', 2)");
        client.execute("DELETE FROM note WHERE line = 'a'");
        client.execute("UPDATE item SET color = 'blue' WHERE id < 2");
    }

    private static void check(FulmarClient client) {
        assertThat(rows(client, "SELECT COUNT(*), SUM(stock), MAX(id) FROM item"))
                .containsExactly((ROWS + 1) + " " + (10 * ROWS - 5) + " 5000000000");
        assertThat(rows(client, "SELECT id, title, stock, color FROM item WHERE id IN (1, 7, 5000000000) ORDER BY id"))
                .containsExactly("1 n1 10 blue", "7 n7 4 red", "5000000000 far 1 red");
        assertThat(rows(client, "SELECT line, n FROM note ORDER BY line")).containsExactly("b 1", "c 2");
        assertThatThrownBy(() -> client.execute("UPDATE item SET stock = -1 WHERE id = 3"))
                .isInstanceOfSatisfying(
                        FulmarException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CHECK_VIOLATION));
    }

    @Test
    void whatWasAlteredComesBackFromTheLog() {
        try (FulmarNode node = start("data", 2);
                FulmarClient client = connect(node)) {
            create(client);
            alter(client);
            check(client);
        }
        for (int life = 0; life < 2; life++) {
            try (FulmarNode node = start("data", 2);
                    FulmarClient client = connect(node)) {
                check(client);
                client.execute("ALTER TABLE item ADD COLUMN life" + life + " INTEGER DEFAULT " + life);
            }
        }
        try (FulmarNode node = start("data", 2);
                FulmarClient client = connect(node)) {
            assertThat(rows(client, "SELECT life0, life1 FROM item WHERE id = 1"))
                    .containsExactly("0 1");
        }
    }

    private void backUp(FulmarNode node, FulmarClient client) throws InterruptedException {
        SmallNode.backUp(node, client, folder.resolve("backup"));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whatWasAlteredComesBackFromABackup(boolean before) throws Exception {
        try (FulmarNode node = start("data", 2);
                FulmarClient client = connect(node)) {
            create(client);
            if (before) {
                backUp(node, client);
            }
            alter(client);
            if (!before) {
                backUp(node, client);
            }
        }
        try (FulmarNode node = start("data", 2);
                FulmarClient client = connect(node)) {
            check(client);
        }
        for (int partitions : new int[] {2, 3}) {
            String data = "restored" + partitions;
            new Restore(
                            new Restore.Request(
                                    folder.resolve("backup"),
                                    folder.resolve(data),
                                    partitions,
                                    "",
                                    before ? List.of(folder.resolve("data")) : List.of(),
                                    OptionalLong.empty(),
                                    Map.of("memory.limit", "128m")),
                            line -> {})
                    .run();
            try (FulmarNode node = start(data, partitions);
                    FulmarClient client = connect(node)) {
                check(client);
            }
        }
    }

    /**
     * Adds one to the hits of rows until told to stop, and takes rows out and in; returns how many hits were
     * acknowledged.
     */
    private static long hit(FulmarNode node, int seed, AtomicBoolean stop) {
        Random random = new Random(seed);
        long hits = 0;
        try (FulmarClient client = connect(node)) {
            while (!stop.get()) {
                client.call("hit", random.nextInt(ROWS));
                hits++;
                int spare = ROWS + 10 * seed + random.nextInt(10);
                client.call("put", spare, "spare" + hits);
                if (random.nextBoolean()) {
                    client.call("ITEM.delete", spare);
                }
            }
        }
        return hits;
    }

    private static void alter(FulmarClient client, int round) {
        client.execute("ALTER TABLE item ADD COLUMN extra INTEGER DEFAULT " + round + " NOT NULL");
        client.execute("ALTER TABLE item ALTER COLUMN extra TYPE BIGINT");
        client.execute("ALTER TABLE item DROP COLUMN extra");
        client.execute("CREATE INDEX by_hits ON item (hits, name)");
        client.execute("ALTER TABLE item ADD CONSTRAINT named UNIQUE (id, name)");
        client.execute("ALTER TABLE item ADD CONSTRAINT counted CHECK (hits >= 0)");
        client.execute("ALTER TABLE item ALTER COLUMN hits SET NOT NULL");
        assertThatThrownBy(() -> client.execute("ALTER TABLE item ADD CHECK (id < " + ROWS / 2 + ")"))
                .isInstanceOfSatisfying(
                        FulmarException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CHECK_VIOLATION));
        assertThat(rows(client, "SELECT COUNT(*) FROM item WHERE hits >= 0 AND name IS NOT NULL AND id < " + ROWS))
                .containsExactly(Integer.toString(ROWS));
    }

    @Test
    void rowsHaveTheTimeAtWhichTheirColumnWasAdded() {
        String before;
        try (FulmarNode node = start("data", 2);
                FulmarClient client = connect(node)) {
            create(client);
            client.execute("ALTER TABLE item ADD COLUMN made TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL");
            client.execute("ALTER TABLE note ADD COLUMN made VARCHAR(40) DEFAULT 'at ' || CURRENT_TIMESTAMP;");
            before = times(client);
            assertThat(rows(client, "SELECT COUNT(DISTINCT made) FROM item")).containsExactly("1");
            client.execute("INSERT INTO item (id) VALUES (-1)");
            assertThat(rows(client, "SELECT COUNT(DISTINCT made) FROM item")).containsExactly("2");
        }
        try (FulmarNode node = start("data", 2);
                FulmarClient client = connect(node)) {
            assertThat(times(client)).isEqualTo(before);
        }
    }

    private static String times(FulmarClient client) {
        return rows(client, "SELECT MIN(made), COUNT(*) FROM item WHERE id >= 0") + " and "
                + rows(client, "SELECT DISTINCT made FROM note");
    }

    @Test
    void aTableThatIsInUseIsAlteredWithoutAnError() throws Exception {
        String hits;
        String rows;
        try (FulmarNode node = start("data", 2);
                FulmarClient client = connect(node)) {
            client.execute("CREATE TABLE item (id INTEGER NOT NULL PRIMARY KEY, name VARCHAR(20), hits BIGINT)");
            client.execute("PARTITION TABLE item ON COLUMN id");
            client.execute("CREATE INDEX by_name ON item (name)");
            client.execute("CREATE PROCEDURE hit PARTITION ON TABLE item COLUMN id"
                    + " AS UPDATE item SET hits = hits + 1 WHERE id = ?");
            client.execute("CREATE PROCEDURE put PARTITION ON TABLE item COLUMN id"
                    + " AS UPSERT INTO item (id, name, hits) VALUES (?, ?, 0)");
            for (int id = 0; id < ROWS; id++) {
                client.call("put", id, "n" + id);
            }
            AtomicBoolean stop = new AtomicBoolean();
            List<CompletableFuture<Long>> users = new ArrayList<>();
            for (int seed = 0; seed < 2; seed++) {
                int number = seed;
                users.add(CompletableFuture.supplyAsync(() -> hit(node, number, stop)));
            }
            for (int round = 0; round < 10; round++) {
                alter(client, round);
                if (round < 9) {
                    client.execute("DROP INDEX by_hits");
                    client.execute("ALTER TABLE item DROP CONSTRAINT named");
                    client.execute("ALTER TABLE item DROP CONSTRAINT counted");
                    client.execute("ALTER TABLE item ALTER COLUMN hits DROP NOT NULL");
                }
            }
            stop.set(true);
            long acknowledged = 0;
            for (CompletableFuture<Long> user : users) {
                acknowledged += user.get();
            }
            hits = rows(client, "SELECT SUM(hits), COUNT(*) FROM item WHERE id < " + ROWS)
                    .getFirst();
            assertThat(hits).isEqualTo(acknowledged + " " + ROWS);
            rows = String.join(", ", rows(client, "SELECT id, name, hits FROM item ORDER BY id"));
            assertThat(rows(client, "SELECT COUNT(*) FROM item WHERE name >= 'n' AND name < 'o'"))
                    .containsExactly(Integer.toString(ROWS));
        }
        try (FulmarNode node = start("data", 2);
                FulmarClient client = connect(node)) {
            assertThat(String.join(", ", rows(client, "SELECT id, name, hits FROM item ORDER BY id")))
                    .isEqualTo(rows);
            assertThat(rows(client, "SELECT COUNT(*) FROM item WHERE hits >= 0 AND id < " + ROWS))
                    .containsExactly(Integer.toString(ROWS));
            assertThatThrownBy(() -> client.execute("UPDATE item SET hits = -1 WHERE id = 1"))
                    .isInstanceOfSatisfying(
                            FulmarException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CHECK_VIOLATION));
        }
    }
}
