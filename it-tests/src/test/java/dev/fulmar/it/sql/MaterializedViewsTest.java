package dev.fulmar.it.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.client.FulmarClient;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.node.wiring.FulmarNode;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
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
 * A materialized view is what its query yields, whatever was written, undone, replayed, restored, or written while it
 * was made.
 */
@Timeout(180)
class MaterializedViewsTest {
    private static final int CUSTOMERS = 12;
    private static final int STEPS = 400;

    private static final Map<String, String> VIEWS = new TreeMap<>(
            Map.of(
                    "by_customer",
                    "SELECT customer, COUNT(*), COUNT(amount), SUM(amount), MIN(amount), MAX(amount), AVG(amount) FROM orders GROUP BY customer",
                    "by_state",
                    "SELECT customer, state, COUNT(*), SUM(price), MAX(price), MIN(note), MAX(note) FROM orders WHERE amount > 3 GROUP BY customer, state",
                    "by_note",
                    "SELECT note, COUNT(*), SUM(amount), AVG(price), MIN(price), MAX(id) FROM orders GROUP BY note",
                    "odd",
                    "SELECT state, customer, COUNT(*), SUM(amount * 2 - id), MIN(price * amount) FROM orders WHERE state IS NOT NULL OR price < 5 GROUP BY state, customer"));

    @TempDir
    private Path folder;

    private ViewedNodes nodes() {
        return new ViewedNodes(folder, VIEWS);
    }

    private static void create(FulmarClient client) {
        client.execute("CREATE TABLE customer (id INTEGER NOT NULL PRIMARY KEY)");
        client.execute("PARTITION TABLE customer ON COLUMN id");
        client.execute("CREATE TABLE orders (customer INTEGER NOT NULL REFERENCES customer ON DELETE CASCADE,"
                + " id INTEGER NOT NULL, state VARCHAR(5), amount INTEGER CHECK (amount < 20), price DECIMAL(8, 2), note VARCHAR(10),"
                + " PRIMARY KEY (customer, id))");
        client.execute("PARTITION TABLE orders ON COLUMN customer");
        client.execute("CREATE PROCEDURE take PARTITION ON TABLE orders COLUMN customer PARAMETER 1 AS BEGIN"
                + " UPDATE orders SET amount = amount + 1, state = ? WHERE customer = ?;"
                + " DELETE FROM orders WHERE customer = ? AND id = ?;"
                + " INSERT INTO orders VALUES (?, ?, ?, ?, ?, ?); END");
        for (int id = 0; id < CUSTOMERS; id++) {
            client.call("CUSTOMER.insert", id);
        }
    }

    private static String text(Random random, String... values) {
        int choice = random.nextInt(values.length + 1);
        return choice == values.length ? "NULL" : "'" + values[choice] + "'";
    }

    private static String number(Random random, int bound) {
        return random.nextInt(6) == 0 ? "NULL" : Integer.toString(random.nextInt(bound));
    }

    private static String values(Random random) {
        return random.nextInt(CUSTOMERS) + ", " + random.nextInt(30) + ", " + text(random, "new", "paid") + ", "
                + number(random, 25) + ", " + number(random, 9) + "." + random.nextInt(100) + ", "
                + text(random, "a", "b", "ccc");
    }

    private static String statement(Random random) {
        String row = values(random).replaceAll("NULL\\.\\d+", "NULL");
        String other = values(random).replaceAll("NULL\\.\\d+", "NULL");
        int customer = random.nextInt(CUSTOMERS);
        int id = random.nextInt(30);
        return switch (random.nextInt(12)) {
            case 0, 1, 2 -> "UPSERT INTO orders VALUES (" + row + ")";
            case 3 -> "INSERT INTO orders VALUES (" + row + "), (" + other + ")";
            case 4 -> "UPDATE orders SET amount = " + number(random, 20) + " WHERE id = " + id;
            case 5 ->
                "UPDATE orders SET state = " + text(random, "new", "paid", "sent") + ", note = "
                        + text(random, "a", "bb") + " WHERE customer = " + customer + " AND id < " + id;
            case 6 -> "DELETE FROM orders WHERE customer = " + customer + " AND id = " + id;
            case 7 -> "DELETE FROM orders WHERE id = " + id;
            case 8 -> "UPDATE orders SET id = id + 1 WHERE customer = " + customer;
            case 9 ->
                "UPDATE orders SET customer = " + random.nextInt(CUSTOMERS) + " WHERE customer = " + customer
                        + " AND id = " + id;
            case 10 -> "UPDATE orders SET price = price * 2 WHERE price = (SELECT MIN(price) FROM orders)";
            default ->
                random.nextInt(4) == 0
                        ? "DELETE FROM customer WHERE id = " + customer
                        : "UPDATE orders SET amount = amount + 1 WHERE id = " + id;
        };
    }

    /** One write; many fail, by keys, checks and missing customers, and leave no trace. */
    private static void write(FulmarClient client, Random random) {
        try {
            if (random.nextInt(3) == 0) {
                int customer = random.nextInt(CUSTOMERS);
                client.call(
                        "take",
                        random.nextBoolean() ? "done" : null,
                        customer,
                        customer,
                        random.nextInt(30),
                        customer,
                        random.nextInt(30),
                        "new",
                        random.nextInt(22),
                        null,
                        "p");
            } else {
                client.execute(statement(random));
            }
            if (random.nextInt(20) == 0) {
                client.execute("UPSERT INTO customer VALUES (" + random.nextInt(CUSTOMERS) + ")");
            }
        } catch (FulmarException e) {
            assertThat(e.code().name()).as(e.getMessage()).contains("VIOLATION");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void aViewIsWhatItsQueryYields(int seed) {
        Random random = new Random(seed);
        try (FulmarNode node = nodes().start("data", 1 + seed);
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
        }
        for (int life = 0; life < 2; life++) { // once from the log, once from what that left
            try (FulmarNode node = nodes().start("data", 1 + seed);
                    FulmarClient client = ViewedNodes.connect(node)) {
                nodes().check(client);
                for (int step = 0; step < 30; step++) {
                    write(client, random);
                }
                nodes().check(client);
            }
        }
    }

    @Test
    void aViewIsMadeWhileItsTableIsWritten() throws Exception {
        try (FulmarNode node = nodes().start("data", 2);
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
        try (FulmarNode node = nodes().start("data", 2);
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
}
