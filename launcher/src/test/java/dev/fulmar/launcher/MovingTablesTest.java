package dev.fulmar.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.client.FulmarClient;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.foundation.data.ParameterWriter;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.node.wiring.FulmarNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tables of all kinds change their partitions while clients work: with their views, children, texts and UUIDs. */
@Timeout(120)
class MovingTablesTest {
    private static final int KEYS = 150;

    /** Keys from 25 on of the first partition, those up to 125 of the second, and a single one. */
    private static final String AWAY = "{\"plan\": {\"*\": {\"Partition 0\": \"[-25)\","
            + " \"Partition 1\": [\"[25-60)\", \"[125-)\"], \"Partition 2\": [\"[60-125)\", \"7\"]}}}";

    private static final String BACK = "{\"plan\": {\"*\": {\"Partition 0\": \"[-75)\", \"Partition 1\": \"[75-)\"}}}";

    @TempDir
    private Path folder = Path.of("replaced by JUnit");

    private MovingAccounts commands = new MovingAccounts(folder);

    @BeforeEach
    void prepare() {
        commands = new MovingAccounts(folder.resolve("data"));
    }

    /** A client's work, again and again while keys move; each time with another random number. */
    private interface Work {
        void on(FulmarClient client, Random random);
    }

    private FulmarNode start() {
        return commands.start("2", "range:0,75", "256m");
    }

    private static FulmarClient connect(FulmarNode node) {
        return FulmarClient.connect("127.0.0.1:" + node.port());
    }

    private static CompletableFuture<Void> again(FulmarNode node, AtomicBoolean isOver, Work work) {
        return CompletableFuture.runAsync(() -> {
            Random random = new Random(5);
            try (FulmarClient client = connect(node)) {
                while (!isOver.get()) {
                    work.on(client, random);
                }
            }
        });
    }

    /** Reaches the plan slowly, while writers and readers work. */
    private void move(FulmarNode node, String plan, Work... works) throws IOException {
        Path file = folder.resolve("plan.json");
        Files.writeString(file, plan);
        AtomicBoolean isOver = new AtomicBoolean();
        List<CompletableFuture<Void>> under =
                List.of(works).stream().map(work -> again(node, isOver, work)).toList();
        int status =
                commands.run(node, "reconfigure", file.toString(), "--chunk-kib", "1", "--delay-ms", "5", "--watch");
        isOver.set(true);
        under.forEach(CompletableFuture::join);
        assertThat(status).as(commands.out() + commands.err()).isZero();
        assertThat(commands.out()).containsPattern("DONE: 0 ranges left, \\d+ buckets moved, [1-9]\\d* rows");
        assertThat(node.database().figures().tableDefects().join()).isEmpty();
    }

    private static long number(FulmarClient client, String query, Object... parameters) {
        return client.execute(query, parameters).table().first().getLong(0);
    }

    /**
     * Rows of views move in the hand-off of the rows that they are of. So every snapshot, before, at and after it,
     * shows a view that equals its query.
     */
    @Test
    void viewsMoveWithTheirRows() throws IOException {
        Work sale = (client, random) -> {
            int shop = random.nextInt(KEYS);
            client.execute(
                    "INSERT INTO sale (shop, item, price) VALUES (?, ?, ?)",
                    shop,
                    "item " + random.nextInt(5),
                    1 + random.nextInt(100));
            client.execute("DELETE FROM sale WHERE shop = ? AND price > 90", random.nextInt(KEYS));
        };
        Work look = (client, random) -> assertViewsEqualTheirQueries(client);
        try (FulmarNode node = start();
                FulmarClient client = connect(node)) {
            client.execute("CREATE TABLE sale (shop BIGINT NOT NULL, item VARCHAR(10) NOT NULL, price BIGINT NOT NULL)"
                    + " PARTITION ON COLUMN shop");
            client.execute("CREATE MATERIALIZED VIEW turnover (shop, sales, total, dearest) AS SELECT shop, COUNT(*),"
                    + " SUM(price), MAX(price) FROM sale GROUP BY shop");
            client.execute("CREATE MATERIALIZED VIEW items (item, sales, total) AS SELECT item, COUNT(*), SUM(price)"
                    + " FROM sale GROUP BY item");
            for (int shop = 0; shop < KEYS; shop++) {
                client.execute("INSERT INTO sale VALUES (?, 'item 0', ?)", shop, shop + 1);
            }
            for (String plan : List.of(AWAY, BACK)) {
                move(node, plan, sale, look);
                assertViewsEqualTheirQueries(client);
                for (int shop = 0; shop < KEYS; shop++) {
                    assertThat(number(client, "SELECT COALESCE(SUM(total), 0) FROM turnover WHERE shop = ?", shop))
                            .as("the group is where the rows are")
                            .isEqualTo(number(client, "SELECT COALESCE(SUM(price), 0) FROM sale WHERE shop = ?", shop));
                }
            }
        }
        try (FulmarNode node = start();
                FulmarClient client = connect(node)) {
            assertViewsEqualTheirQueries(client);
        }
    }

    private static void assertViewsEqualTheirQueries(FulmarClient client) {
        for (String view : List.of("turnover", "items")) {
            assertThat(number(
                            client,
                            "SELECT (SELECT SUM(total * 7 + sales) FROM " + view
                                    + ") - (SELECT SUM(price * 7 + 1) FROM sale)"))
                    .as(view)
                    .isZero();
        }
        assertThat(number(
                        client,
                        "SELECT COUNT(*) FROM turnover t WHERE t.dearest <> (SELECT MAX(price) FROM sale s WHERE s.shop"
                                + " = t.shop)"))
                .isZero();
    }

    /** Children lie with their parents, and go with them: no snapshot shows one alone, and a DELETE finds all. */
    @Test
    void childrenMoveWithTheirParents() throws IOException {
        Work replace = (client, random) -> {
            int customer = random.nextInt(KEYS);
            client.execute("DELETE FROM customer WHERE id = ?", customer);
            assertThat(number(client, "SELECT COUNT(*) FROM line WHERE customer = ?", customer))
                    .isZero();
            add(client, customer);
        };
        Work look = (client, random) -> assertNoOrphans(client);
        try (FulmarNode node = start();
                FulmarClient client = connect(node)) {
            client.execute("CREATE TABLE customer (id BIGINT NOT NULL PRIMARY KEY, name VARCHAR(20)) PARTITION ON"
                    + " COLUMN id");
            client.execute("CREATE TABLE orders (customer BIGINT NOT NULL REFERENCES customer ON DELETE CASCADE, n"
                    + " BIGINT NOT NULL, PRIMARY KEY (customer, n)) PARTITION ON COLUMN customer");
            client.execute(
                    "CREATE TABLE line (customer BIGINT NOT NULL, n BIGINT NOT NULL, item VARCHAR(10), CONSTRAINT"
                            + " line_of FOREIGN KEY (customer, n) REFERENCES orders ON DELETE CASCADE) PARTITION ON COLUMN"
                            + " customer");
            for (int customer = 0; customer < KEYS; customer++) {
                add(client, customer);
            }
            for (String plan : List.of(AWAY, BACK)) {
                move(node, plan, replace, look);
                assertNoOrphans(client);
                assertThat(number(client, "SELECT COUNT(*) FROM line")).isEqualTo(2 * KEYS);
            }
            for (int customer : new int[] {7, 30, 100}) {
                assertThatThrownBy(() -> client.execute("INSERT INTO line VALUES (?, 9, 'pen')", customer))
                        .as("there is no such order where the customer is now")
                        .isInstanceOfSatisfying(
                                FulmarException.class,
                                e -> assertThat(e.code()).isEqualTo(ErrorCode.FOREIGN_KEY_VIOLATION));
                client.execute("DELETE FROM customer WHERE id = ?", customer);
            }
            assertThat(number(client, "SELECT COUNT(*) FROM line")).isEqualTo(2 * (KEYS - 3));
            assertNoOrphans(client);
        }
    }

    /** A customer with two orders of a line each; their statements are single. */
    private static void add(FulmarClient client, int customer) {
        client.execute("INSERT INTO customer VALUES (?, 'ann')", customer);
        for (int n = 1; n <= 2; n++) {
            client.execute("INSERT INTO orders VALUES (?, ?)", customer, n);
            client.execute("INSERT INTO line VALUES (?, ?, 'pen')", customer, n);
        }
    }

    private static void assertNoOrphans(FulmarClient client) {
        assertThat(number(
                        client,
                        "SELECT (SELECT COUNT(*) FROM line l WHERE NOT EXISTS (SELECT 1 FROM orders o WHERE o.customer ="
                                + " l.customer AND o.n = l.n)) + (SELECT COUNT(*) FROM orders o WHERE NOT EXISTS"
                                + " (SELECT 1 FROM customer c WHERE c.id = o.customer))"))
                .isZero();
    }

    /**
     * Statements are sent again under their handles before, during and after the move: those that keep a unique key
     * over all partitions, and others. Each is found executed once.
     */
    @Test
    void statementsThatAreSentAgainAreExecutedOnce() throws IOException {
        List<String> statements = List.of(
                "INSERT INTO member VALUES (30, 'ann@example.org')",
                "UPDATE member SET email = 'bob@example.org' WHERE id = 30",
                "INSERT INTO member VALUES (100, 'cid@example.org')",
                "DELETE FROM member WHERE id = 31",
                "INSERT INTO note VALUES (30, 1)",
                "INSERT INTO note VALUES (7, 1)");
        try (FulmarNode node = start();
                FulmarClient client = connect(node)) {
            client.execute("CREATE TABLE member (id BIGINT NOT NULL PRIMARY KEY, email VARCHAR(40) UNIQUE) PARTITION ON"
                    + " COLUMN id");
            client.execute("CREATE TABLE note (id BIGINT NOT NULL, n BIGINT NOT NULL) PARTITION ON COLUMN id");
            client.execute("INSERT INTO member VALUES (31, 'dan@example.org')");
            client.execute("INSERT INTO note VALUES (30, 0)");
            sendAll(node, statements);
            move(node, AWAY, (other, random) -> sendAll(node, statements));
            sendAll(node, statements);
            assertThat(number(
                            client,
                            "SELECT COUNT(*) FROM member WHERE email IN ('bob@example.org'," + " 'cid@example.org')"))
                    .isEqualTo(2);
            assertThat(number(client, "SELECT COUNT(*) FROM member")).isEqualTo(2);
            assertThat(number(client, "SELECT COUNT(*) FROM note")).isEqualTo(3);
            assertThatThrownBy(() -> client.execute("INSERT INTO member VALUES (8, 'bob@example.org')"))
                    .as("the key is kept where its row is now")
                    .isInstanceOfSatisfying(
                            FulmarException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNIQUE_VIOLATION));
        }
    }

    /** Each under its own handle, and each changes one row. */
    private static void sendAll(FulmarNode node, List<String> statements) {
        ParameterWriter none = new ParameterWriter(16, 1 << 10);
        none.begin();
        none.end();
        for (int number = 0; number < statements.size(); number++) {
            TransactionRequest request =
                    new TransactionRequest.AdHoc(4_711, number + 1L, 0, statements.get(number), none.toByteArray());
            TransactionResponse response = node.database().submit(request).join();
            assertThat(response)
                    .as(statements.get(number))
                    .isInstanceOfSatisfying(
                            TransactionResponse.Committed.class,
                            done -> assertThat(done.value()).isEqualTo(1));
        }
    }

    /** Texts and UUIDs move by ranges of their hashes, and as single keys. */
    @Test
    void textsAndUuidsMove() throws IOException {
        String hashes = "{\"plan\": {\"*\": {\"0\": \"[#0000000000000000-#4000000000000000)\","
                + " \"1\": [\"[#8000000000000000-#c000000000000000)\"],"
                + " \"2\": [\"[#4000000000000000-#8000000000000000)\", \"[#c000000000000000-)\"]}}}";
        String single = "{\"plan\": {\"*\": {\"0\": [\"'name 3'\", \"" + uuid(4) + "\"], \"1\": [\"'name 5'\", \""
                + uuid(6) + "\"], \"2\": [\"'name 8'\", \"" + uuid(9) + "\"]}}}";
        Map<Integer, Long> added = new TreeMap<>();
        Work add = (client, random) -> {
            int key = random.nextInt(3) == 0 ? 3 + random.nextInt(7) : random.nextInt(KEYS);
            client.execute("UPDATE person SET visits = visits + 1 WHERE name = ?", "name " + key);
            client.execute("UPDATE device SET visits = visits + 1 WHERE id = ?", uuid(key));
            added.merge(key, 1L, Long::sum);
        };
        Work look = (client, random) -> {
            assertThat(number(client, "SELECT COUNT(*) FROM person")).isEqualTo(KEYS);
            assertThat(number(client, "SELECT COUNT(DISTINCT id) FROM device")).isEqualTo(KEYS);
        };
        try (FulmarNode node = start();
                FulmarClient client = connect(node)) {
            client.execute("CREATE TABLE person (name VARCHAR(20) NOT NULL PRIMARY KEY, visits BIGINT NOT NULL)"
                    + " PARTITION ON COLUMN name");
            client.execute("CREATE TABLE device (id UUID NOT NULL PRIMARY KEY, visits BIGINT NOT NULL) PARTITION ON"
                    + " COLUMN id");
            for (int key = 0; key < KEYS; key++) {
                client.execute("INSERT INTO person VALUES (?, 0)", "name " + key);
                client.execute("INSERT INTO device VALUES (?, 0)", uuid(key));
            }
            for (String plan : List.of(hashes, single)) {
                move(node, plan, add, look);
                assertVisits(client, added);
            }
        }
        try (FulmarNode node = start();
                FulmarClient client = connect(node)) {
            assertVisits(client, added);
        }
    }

    private static UUID uuid(int key) {
        return new UUID(0x550e8400e29b41d4L, 0xa716446655440000L + key);
    }

    private static void assertVisits(FulmarClient client, Map<Integer, Long> added) {
        for (int key = 0; key < KEYS; key++) {
            long visits = added.getOrDefault(key, 0L);
            assertThat(number(client, "SELECT visits FROM person WHERE name = ?", "name " + key))
                    .isEqualTo(visits);
            assertThat(number(client, "SELECT visits FROM device WHERE id = ?", uuid(key)))
                    .isEqualTo(visits);
        }
    }
}
