package dev.fulmar.it.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.client.FulmarClient;
import dev.fulmar.client.transfer.DatabaseDump;
import dev.fulmar.client.transfer.DatabaseLoad;
import dev.fulmar.client.transfer.TransferProgress;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.node.wiring.FulmarNode;
import dev.fulmar.sql.text.ScriptSplitter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A materialized view of a join is what its query yields, whichever table was written, undone, replayed, restored,
 * altered, or written while it was made.
 */
@Timeout(180)
class JoinedViewsTest {
    private static final int SHOPS = 8;
    private static final int STEPS = 400;
    private static final TransferProgress QUIET = (table, rows, rejected) -> {};

    private static final Map<String, String> VIEWS = Map.of(
            // A row of the one has at most one of the other.
            "by_owner",
            "SELECT s.owner, COUNT(*), SUM(i.amount), MIN(i.amount), MAX(s.size), AVG(i.amount * s.size) FROM item i JOIN shop s ON i.shop = s.id GROUP BY s.owner",
            "by_shop",
            "SELECT s.id, COUNT(i.amount), MAX(i.amount), MIN(i.amount + s.size) FROM shop s, item i WHERE i.shop = s.id AND (i.amount > 3 OR s.owner IS NULL) GROUP BY s.id",
            // Each row of the one may have many of the other, also by columns that are in no key.
            "by_code",
            "SELECT i.shop, v.page, COUNT(*), SUM(i.amount + v.pause), MAX(v.pause), MIN(i.amount) FROM item i JOIN visit v ON v.shop = i.shop AND v.page = i.code GROUP BY i.shop, v.page",
            "by_pause",
            "SELECT v.pause, COUNT(*), MAX(i.id), MIN(v.page) FROM visit v JOIN item i ON i.shop = v.shop WHERE i.amount < v.pause GROUP BY v.pause",
            // With a table that is on every partition.
            "by_area",
            "SELECT c.area, COUNT(*), SUM(i.amount * c.tax), MIN(c.tax), MAX(i.amount) FROM item i JOIN code c ON c.name = i.code GROUP BY c.area",
            "by_tax",
            "SELECT i.shop, c.tax, COUNT(*), MAX(c.area), MIN(i.amount) FROM item i JOIN code c ON c.name = i.code WHERE c.tax <> 2 GROUP BY i.shop, c.tax",
            // Of two that are.
            "by_head",
            "SELECT a.head, COUNT(*), SUM(c.tax), MIN(c.tax), MAX(c.name) FROM code c JOIN area a ON a.name = c.area GROUP BY a.head");

    @TempDir
    private Path folder;

    private ViewedNodes nodes() {
        return new ViewedNodes(folder, VIEWS);
    }

    private static void create(FulmarClient client) {
        client.execute("CREATE TABLE shop (id INTEGER NOT NULL PRIMARY KEY, owner VARCHAR(5), size INTEGER)");
        client.execute("PARTITION TABLE shop ON COLUMN id");
        client.execute("CREATE TABLE item (shop INTEGER NOT NULL, id INTEGER NOT NULL, code VARCHAR(3),"
                + " amount INTEGER CHECK (amount < 20), note VARCHAR(3), PRIMARY KEY (shop, id))");
        client.execute("PARTITION TABLE item ON COLUMN shop");
        client.execute("CREATE INDEX item_code ON item (code)");
        client.execute("CREATE INDEX item_shop_code ON item (shop, code)");
        client.execute(
                "CREATE TABLE visit (shop INTEGER NOT NULL REFERENCES shop ON DELETE CASCADE, page VARCHAR(3), pause INTEGER)");
        client.execute("PARTITION TABLE visit ON COLUMN shop");
        client.execute("CREATE INDEX visit_page ON visit (page, shop)");
        client.execute("CREATE TABLE code (name VARCHAR(3) PRIMARY KEY, area VARCHAR(5), tax INTEGER) REPLICATED");
        client.execute("CREATE INDEX code_area ON code (area)");
        client.execute("CREATE TABLE area (name VARCHAR(5) PRIMARY KEY, head VARCHAR(5)) REPLICATED");
        client.execute("CREATE PROCEDURE trade PARTITION ON TABLE shop COLUMN id PARAMETER 1 AS BEGIN"
                + " UPDATE shop SET size = size + 1, owner = ? WHERE id = ?;"
                + " DELETE FROM visit WHERE shop = ? AND pause = ?;"
                + " UPDATE item SET amount = amount + 1 WHERE shop = ?;"
                + " INSERT INTO item (shop, id, code, amount) VALUES (?, ?, ?, ?); END");
    }

    private static String text(Random random, String... values) {
        int choice = random.nextInt(values.length + 1);
        return choice == values.length ? "NULL" : "'" + values[choice] + "'";
    }

    private static String number(Random random, int bound) {
        return random.nextInt(6) == 0 ? "NULL" : Integer.toString(random.nextInt(bound));
    }

    private static String code(Random random) {
        return text(random, "a", "b", "c", "d");
    }

    private static String area(Random random) {
        return text(random, "n", "s");
    }

    private static String statement(Random random) {
        int shop = random.nextInt(SHOPS);
        int id = random.nextInt(10);
        return switch (random.nextInt(20)) {
            case 0, 1 ->
                "UPSERT INTO shop VALUES (" + shop + ", " + text(random, "x", "y") + ", " + number(random, 6) + ")";
            case 2 -> "UPDATE shop SET size = " + number(random, 6) + " WHERE id < " + shop;
            case 3 -> "UPDATE shop SET owner = " + text(random, "x", "y", "z") + " WHERE id = " + shop;
            case 4 -> random.nextInt(3) == 0 ? "DELETE FROM shop WHERE id = " + shop : "TRUNCATE TABLE visit";
            case 5, 6, 7 ->
                "UPSERT INTO item (shop, id, code, amount) VALUES (" + shop + ", " + id + ", " + code(random) + ", "
                        + number(random, 22) + ")";
            case 8 -> "UPDATE item SET code = " + code(random) + " WHERE id = " + id;
            case 9 -> "UPDATE item SET id = id + 1, amount = amount - 1 WHERE shop = " + shop;
            case 10 -> "DELETE FROM item WHERE id = " + id;
            case 11 -> "UPDATE item SET shop = " + random.nextInt(SHOPS) + " WHERE shop = " + shop + " AND id = " + id;
            case 12, 13, 14 ->
                "INSERT INTO visit VALUES (" + shop + ", " + code(random) + ", " + number(random, 9) + "), (" + shop
                        + ", " + code(random) + ", " + number(random, 9) + ")";
            case 15 -> "UPDATE visit SET page = " + code(random) + " WHERE pause = " + random.nextInt(9);
            case 16 -> "DELETE FROM visit WHERE page = " + code(random);
            case 17 ->
                "UPSERT INTO code (name, area, tax) VALUES ('" + "abcd".charAt(random.nextInt(4)) + "', " + area(random)
                        + ", " + number(random, 4) + ")";
            case 18 ->
                random.nextBoolean()
                        ? "UPDATE code SET area = " + area(random) + ", tax = tax + 1 WHERE tax < 3"
                        : "DELETE FROM code WHERE tax = " + random.nextInt(5);
            default ->
                random.nextBoolean()
                        ? "UPSERT INTO area VALUES ('" + "ns".charAt(random.nextInt(2)) + "', " + text(random, "p", "q")
                                + ")"
                        : "DELETE FROM area WHERE head = " + text(random, "p", "q");
        };
    }

    /** One write; many fail, by keys, checks and missing shops, and leave no trace. */
    private static void write(FulmarClient client, Random random) {
        try {
            if (random.nextInt(4) == 0) {
                int shop = random.nextInt(SHOPS);
                client.call(
                        "trade",
                        random.nextBoolean() ? "w" : null,
                        shop,
                        shop,
                        random.nextInt(9),
                        shop,
                        shop,
                        random.nextInt(10),
                        random.nextBoolean() ? "a" : null,
                        random.nextInt(22));
            } else {
                client.execute(statement(random));
            }
        } catch (FulmarException e) {
            assertThat(e.code().name()).as(e.getMessage()).contains("VIOLATION");
        }
    }

    /**
     * Columns that the views do not read come and go, also those of the first table of a join, behind which the other's
     * columns have their places.
     */
    private void alter(FulmarClient client) {
        client.execute("ALTER TABLE item DROP COLUMN note");
        nodes().check(client);
        client.execute("ALTER TABLE code ADD COLUMN rest INTEGER");
        client.execute("ALTER TABLE item ADD COLUMN other VARCHAR(3) DEFAULT 'n'");
        for (String refused : List.of(
                "ALTER TABLE code DROP COLUMN tax",
                "ALTER TABLE visit RENAME COLUMN pause TO rest",
                "ALTER TABLE item RENAME TO thing",
                "DROP INDEX item_code",
                "DROP TABLE area",
                "DROP TABLE code")) {
            assertThatThrownBy(() -> client.execute(refused)).as(refused).hasMessageContaining("materialized view");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4})
    void aViewIsWhatItsJoinYields(int partitions) {
        Random random = new Random(partitions);
        try (FulmarNode node = nodes().start("data", partitions);
                FulmarClient client = ViewedNodes.connect(node)) {
            create(client);
            nodes().createViews(client);
            for (int step = 0; step < STEPS; step++) {
                write(client, random);
                if (step % 40 == 39) {
                    nodes().check(client);
                }
                if (step == STEPS / 2) {
                    Objects.requireNonNull(node.database().durability()).requestCheckpoint();
                }
            }
            alter(client);
            for (int step = 0; step < 40; step++) {
                write(client, random);
            }
            nodes().check(client);
        }
        for (int life = 0; life < 2; life++) { // once from the log, once from what that left
            try (FulmarNode node = nodes().start("data", partitions);
                    FulmarClient client = ViewedNodes.connect(node)) {
                nodes().check(client);
                for (int step = 0; step < 30; step++) {
                    write(client, random);
                }
                nodes().check(client);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4})
    void aViewIsMadeWhileItsTablesAreWritten(int partitions) throws Exception {
        try (FulmarNode node = nodes().start("data", partitions);
                FulmarClient client = ViewedNodes.connect(node);
                FulmarClient writer = ViewedNodes.connect(node)) {
            create(client);
            Random random = new Random(7);
            for (int step = 0; step < STEPS; step++) {
                write(client, random);
            }
            AtomicBoolean over = new AtomicBoolean();
            CompletableFuture<Void> writing = CompletableFuture.runAsync(() -> {
                Random other = new Random(8);
                while (!over.get()) {
                    write(writer, other);
                }
            });
            nodes().createViews(client);
            over.set(true);
            writing.get();
            nodes().check(client);
        }
        try (FulmarNode node = nodes().start("data", partitions);
                FulmarClient client = ViewedNodes.connect(node)) {
            nodes().check(client);
        }
    }

    @Test
    void aBackupHasViewsForAnyNumberOfPartitions() throws Exception {
        Random random = new Random(9);
        try (FulmarNode node = nodes().start("data", 2);
                FulmarClient client = ViewedNodes.connect(node)) {
            create(client);
            nodes().createViews(client);
            for (int step = 0; step < STEPS; step++) {
                write(client, random);
            }
            nodes().backup(node, client);
        }
        for (int partitions : new int[] {2, 3}) {
            String data = "restored" + partitions;
            nodes().restore(data, partitions);
            try (FulmarNode node = nodes().start(data, partitions);
                    FulmarClient client = ViewedNodes.connect(node)) {
                nodes().check(client);
                for (int step = 0; step < 50; step++) {
                    write(client, random);
                }
                nodes().check(client);
            }
        }
    }

    @Test
    void aDumpHasViews() throws Exception {
        Random random = new Random(10);
        Path dump = folder.resolve("dump");
        try (FulmarNode node = nodes().start("data", 2);
                FulmarClient client = ViewedNodes.connect(node)) {
            create(client);
            nodes().createViews(client);
            for (int step = 0; step < STEPS; step++) {
                write(client, random);
            }
            new DatabaseDump(client, dump, 2, true, QUIET).run(List.of());
        }
        try (FulmarNode node = nodes().start("loaded", 3);
                FulmarClient client = ViewedNodes.connect(node)) {
            List<String> schema = ScriptSplitter.split(Files.readString(dump.resolve(DatabaseDump.SCHEMA_FILE)));
            new DatabaseLoad(client, dump, QUIET).run(schema, false, 0, 10);
            nodes().check(client);
            for (int step = 0; step < 50; step++) {
                write(client, random);
            }
            nodes().check(client);
        }
    }
}
