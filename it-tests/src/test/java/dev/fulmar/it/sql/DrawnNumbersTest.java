package dev.fulmar.it.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.client.FulmarClient;
import dev.fulmar.client.ResultTable;
import dev.fulmar.node.wiring.FulmarNode;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A number that was drawn once is never drawn again: not after a restart, and not where a backup was restored to
 * another number of partitions.
 */
@Timeout(180)
class DrawnNumbersTest {
    private static final int ROUNDS = 20;

    @TempDir
    private Path folder;

    private final Map<String, Set<Long>> drawn = new TreeMap<>();

    private FulmarNode start(String data, int partitions) {
        return SmallNode.durable(folder.resolve(data), partitions);
    }

    private static void create(FulmarClient client) {
        client.execute("CREATE TABLE code (id INTEGER IDENTITY PRIMARY KEY, name VARCHAR(10)) REPLICATED");
        client.execute(
                "CREATE TABLE event (owner VARCHAR(10) NOT NULL, id BIGINT IDENTITY, note VARCHAR(10), PRIMARY KEY (owner, id))");
        client.execute("PARTITION TABLE event ON COLUMN owner");
        client.execute("CREATE TABLE orders (id BIGINT IDENTITY PRIMARY KEY, item VARCHAR(10))");
        client.execute("PARTITION TABLE orders ON COLUMN id");
        client.execute("CREATE SEQUENCE ticket");
        client.execute("CREATE SEQUENCE dense CACHE 6");
        client.execute("CREATE TABLE invoice (n INTEGER IDENTITY (CACHE 5) PRIMARY KEY, note VARCHAR(10))");
        client.execute("PARTITION TABLE invoice ON COLUMN n");
        client.execute("CREATE PROCEDURE tell PARTITION ON TABLE event COLUMN owner"
                + " AS INSERT INTO event (owner, note) VALUES (?, 'call') RETURNING id");
        // So near the end that each row of numbers has two at most.
        client.execute("CREATE TABLE last (owner VARCHAR(10) NOT NULL, id INTEGER IDENTITY (START WITH 2147482000),"
                + " PRIMARY KEY (owner, id))");
        client.execute("PARTITION TABLE last ON COLUMN owner");
        client.execute("CREATE PROCEDURE tell_last PARTITION ON TABLE last COLUMN owner"
                + " AS INSERT INTO last (owner) VALUES (?) RETURNING id");
    }

    private void take(String sequence, ResultTable table) {
        while (table.next()) {
            assertThat(drawn.computeIfAbsent(sequence, key -> new TreeSet<>()).add(table.getLong(0)))
                    .as("%s of %s is new", table.getLong(0), sequence)
                    .isTrue();
        }
    }

    /** Draws numbers in every way, and leaves few of the rows that have them. */
    private void draw(FulmarClient client) {
        for (int round = 0; round < ROUNDS; round++) {
            take(
                    "code",
                    client.execute("INSERT INTO code (name) VALUES ('x'), ('y') RETURNING id")
                            .table());
            take("event", client.call("tell", "o" + round).table());
            take(
                    "event",
                    client.execute("INSERT INTO event (owner, note) VALUES ('p" + round
                                    + "', 'sql'), ('q', 'sql') RETURNING id")
                            .table());
            take(
                    "orders",
                    client.execute("INSERT INTO orders (item) VALUES ('x'), ('y') RETURNING id")
                            .table());
            drawLast(client, "o" + round);
            take("ticket", client.execute("SELECT NEXT VALUE FOR ticket").table());
            take("dense", client.execute("SELECT nextval('dense')").table());
            take(
                    "invoice",
                    client.execute("INSERT INTO invoice (note) VALUES ('x'), ('y') RETURNING n")
                            .table());
        }
        client.execute("DELETE FROM code WHERE name = 'y'");
        client.execute("DELETE FROM event WHERE note = 'sql'");
        client.execute("DELETE FROM orders");
        client.execute("DELETE FROM invoice");
    }

    /** Draws integers by a statement, by a procedure and in a session. */
    private void drawLast(FulmarClient client, String owner) {
        String insert = "INSERT INTO last (owner) VALUES ('" + owner + "') RETURNING id";
        take("last", client.execute(insert).table());
        take("last", client.call("tell_last", owner).table());
        take("last", client.transaction(session -> session.execute(insert).table()));
    }

    private void backUp(FulmarNode node, FulmarClient client) throws InterruptedException {
        SmallNode.backUp(node, client, folder.resolve("backup"));
    }

    @Test
    void noNumberComesTwice() throws Exception {
        try (FulmarNode node = start("data", 2);
                FulmarClient client = SmallNode.connect(node)) {
            create(client);
            draw(client);
        }
        try (FulmarNode node = start("data", 2);
                FulmarClient client = SmallNode.connect(node)) {
            draw(client);
            backUp(node, client);
        }
        for (int partitions : new int[] {1, 3}) {
            Map<String, Set<Long>> before = new TreeMap<>();
            drawn.forEach((sequence, numbers) -> before.put(sequence, new TreeSet<>(numbers)));
            String data = "restored" + partitions;
            SmallNode.restore(folder.resolve("backup"), folder.resolve(data), partitions);
            try (FulmarNode node = start(data, partitions);
                    FulmarClient client = SmallNode.connect(node)) {
                draw(client);
            }
            drawn.clear();
            drawn.putAll(before);
        }
        assertThat(drawn.get("last"))
                .hasSize(6 * ROUNDS)
                .allMatch(number -> number >= 2_147_482_000 && number <= Integer.MAX_VALUE);
        assertThat(drawn.get("code")).hasSize(4 * ROUNDS).contains(1L, 4L * ROUNDS);
    }
}
