package dev.fulmar.it.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.client.FulmarClient;
import dev.fulmar.client.Session;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.node.wiring.FulmarNode;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Sessions that read rows of several tables FOR UPDATE, and others that want some of these rows. */
@Timeout(120)
class JoinLeasesTest {
    private static final String JOIN =
            "SELECT l.amount FROM orders o JOIN line l ON l.orders = o.id JOIN rate r ON r.code = 'NOK' WHERE o.id = 7 FOR UPDATE";

    private FulmarNode node;
    private FulmarClient client;

    @BeforeEach
    void start() {
        node = SmallNode.start(3, Map.of("transactions.lease-time", "1m"));
        client = SmallNode.connect(node);
        client.execute(
                "CREATE TABLE orders (id INTEGER NOT NULL PRIMARY KEY, name VARCHAR(10)) PARTITION ON COLUMN id");
        client.execute("CREATE TABLE line (orders INTEGER NOT NULL, place INTEGER NOT NULL, amount INTEGER NOT NULL,"
                + " PRIMARY KEY (orders, place)) PARTITION ON COLUMN orders");
        client.execute("CREATE TABLE rate (code VARCHAR(3) NOT NULL PRIMARY KEY, rate INTEGER NOT NULL) REPLICATED");
        client.execute("INSERT INTO orders VALUES (7, 'ann'), (8, 'bob')");
        client.execute("INSERT INTO line VALUES (7, 1, 10), (7, 2, 20), (8, 1, 30)");
        client.execute("INSERT INTO rate VALUES ('NOK', 10), ('EUR', 1)");
    }

    @AfterEach
    void stop() {
        client.close();
        node.close();
    }

    /** Whether another transaction gets the lease of the query's rows at once. */
    private boolean isFree(String query) {
        try (Session session = client.begin()) {
            session.execute(query + " FOR UPDATE NOWAIT");
            return true;
        } catch (FulmarException e) {
            assertThat(e.code()).as(e.getMessage()).isEqualTo(ErrorCode.LOCK_NOT_AVAILABLE);
            return false;
        }
    }

    @Test
    void eachTableOfTheJoinHasALease() {
        try (Session session = client.begin()) {
            session.execute(JOIN);

            assertThat(isFree("SELECT * FROM orders WHERE id = 7")).isFalse();
            assertThat(isFree("SELECT * FROM line WHERE orders = 7 AND place = 2"))
                    .isFalse();
            assertThat(isFree("SELECT * FROM line WHERE orders = 7 AND place = 9"))
                    .as("a row that might be")
                    .isFalse();
            assertThat(isFree("SELECT * FROM rate WHERE code = 'NOK'")).isFalse();
            assertThat(isFree("SELECT o.name FROM orders o JOIN line l ON l.orders = o.id WHERE o.id = 7"))
                    .isFalse();
            assertThat(isFree("SELECT * FROM orders WHERE id = 8")).isTrue();
            assertThat(isFree("SELECT * FROM line WHERE orders = 8 AND place = 1"))
                    .isTrue();
            assertThat(isFree("SELECT * FROM rate WHERE code = 'EUR'")).isTrue();
            session.commit();
        }
        assertThat(isFree("SELECT * FROM orders WHERE id = 7"))
                .as("leases end with their transaction")
                .isTrue();
        assertThat(isFree("SELECT * FROM line WHERE orders = 7 AND place = 2")).isTrue();
        assertThat(isFree("SELECT * FROM rate WHERE code = 'NOK'")).isTrue();
    }

    @Test
    void onlyTheTablesBehindOfHaveOne() {
        try (Session session = client.begin()) {
            session.execute(JOIN + " OF o, r");

            assertThat(isFree("SELECT * FROM orders WHERE id = 7")).isFalse();
            assertThat(isFree("SELECT * FROM rate WHERE code = 'NOK'")).isFalse();
            assertThat(isFree("SELECT * FROM line WHERE orders = 7 AND place = 2"))
                    .isTrue();
        }
    }

    /** NOWAIT fails for a row of any of its tables. */
    @Test
    void aJoinDoesNotWaitIfItSaysSo() {
        String join = "SELECT o.name FROM orders o JOIN line l ON l.orders = o.id WHERE o.id = 7";
        for (String row : new String[] {"orders WHERE id = 7", "line WHERE orders = 7 AND place = 1"}) {
            try (Session session = client.begin()) {
                session.execute("SELECT * FROM " + row + " FOR UPDATE");
                assertThat(isFree(join)).as(row).isFalse();
            }
            assertThat(isFree(join)).as(row).isTrue();
        }
    }

    /** Each reads both rows and then changes both, in two orders: they take turns, and none has to run again. */
    @Test
    void transactionsOfOneJoinTakeTurns() {
        String[] joins = {
            "SELECT l.amount FROM orders o, line l WHERE l.orders = o.id AND o.id = 7 AND l.place = 1 FOR UPDATE",
            "SELECT l.amount FROM line l, orders o WHERE o.id = 7 AND l.orders = 7 AND l.place = 1 FOR UPDATE"
        };
        CompletableFuture<?>[] all = new CompletableFuture<?>[4];
        for (int i = 0; i < all.length; i++) {
            String join = joins[i % 2];
            all[i] = CompletableFuture.runAsync(() -> {
                for (int round = 0; round < 10; round++) {
                    try (Session session = client.begin()) {
                        long amount = session.execute(join).table().first().getLong(0);
                        session.execute("UPDATE line SET amount = ? WHERE orders = 7 AND place = 1", amount + 1);
                        session.execute("UPDATE orders SET name = ? WHERE id = 7", "n" + amount);
                        session.commit();
                    }
                }
            });
        }
        CompletableFuture.allOf(all).join();
        assertThat(client.execute("SELECT amount FROM line WHERE orders = 7 AND place = 1")
                        .table()
                        .first()
                        .getLong(0))
                .isEqualTo(10 + 40);
    }
}
