package dev.fulmar.it.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.client.FulmarClient;
import dev.fulmar.client.Session;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.node.wiring.FulmarNode;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** ON DELETE CASCADE that leads back to its table over partitions, on a node with three of them. */
@Timeout(180)
class CircularCascadesTest {
    private static final int LEVELS = 16;

    @TempDir
    private Path folder;

    private FulmarNode node;
    private FulmarClient client;

    @BeforeEach
    void start() {
        node = SmallNode.durable(folder.resolve("data"), 3);
        client = SmallNode.connect(node);
    }

    @AfterEach
    void stop() {
        client.close();
        node.close();
    }

    private void run(String... statements) {
        for (String statement : statements) {
            client.execute(statement);
        }
    }

    private long count(String table) {
        return client.execute("SELECT COUNT(*) FROM " + table).table().first().getLong(0);
    }

    private void violates(String statement) {
        assertThatThrownBy(() -> client.execute(statement))
                .isInstanceOfSatisfying(
                        FulmarException.class,
                        e -> assertThat(e.code()).as(e.getMessage()).isEqualTo(ErrorCode.FOREIGN_KEY_VIOLATION));
    }

    private void createChain(int rows) {
        run(
                "CREATE TABLE tree (id INTEGER NOT NULL PRIMARY KEY, parent INTEGER REFERENCES tree ON DELETE CASCADE)"
                        + " PARTITIONED",
                "INSERT INTO tree VALUES (1, NULL)");
        for (int id = 2; id <= rows; id++) {
            run("INSERT INTO tree VALUES (" + id + ", " + (id - 1) + ")");
        }
    }

    @Test
    void aTreeGoesWithItsRoot() {
        createChain(LEVELS + 1);
        run("INSERT INTO tree VALUES (100, NULL), (101, 100), (102, 5), (103, 5), (104, 103)");
        violates("INSERT INTO tree VALUES (200, 199)");
        assertThat(client.execute("DELETE FROM tree WHERE id = 1").longValue()).isEqualTo(1);
        assertThat(count("tree")).isEqualTo(2);
        run("UPDATE tree SET parent = 101 WHERE id = 100"); // each refers to the other now
        run("DELETE FROM tree WHERE id = 101");
        assertThat(count("tree")).isZero();
    }

    @Test
    void aTreeThatIsTooDeepStays() {
        createChain(LEVELS + 2);
        violates("DELETE FROM tree WHERE id = 1");
        assertThat(count("tree")).isEqualTo(LEVELS + 2);
        run("DELETE FROM tree WHERE id = " + (LEVELS + 2), "DELETE FROM tree WHERE id = 1");
        assertThat(count("tree")).isZero();
    }

    @Test
    void aTransactionDeletesATreeAndPutsItBack() {
        createChain(6);
        try (Session session = client.begin()) {
            session.execute("DELETE FROM tree WHERE id = 2");
            assertThat(session.execute("SELECT COUNT(*) FROM tree")
                            .table()
                            .first()
                            .getLong(0))
                    .isEqualTo(1);
            session.execute("INSERT INTO tree VALUES (7, 1)");
            session.rollback();
        }
        assertThat(count("tree")).isEqualTo(6);
        client.call("TREE.delete", 3);
        assertThat(count("tree")).isEqualTo(2);
    }

    @Test
    void tablesMayReferToEachOther() {
        run(
                "CREATE TABLE boss (id INTEGER NOT NULL PRIMARY KEY, crew INTEGER) PARTITIONED",
                "CREATE TABLE crew (id INTEGER NOT NULL PRIMARY KEY, boss INTEGER REFERENCES boss ON DELETE CASCADE)"
                        + " PARTITIONED",
                "ALTER TABLE boss ADD FOREIGN KEY (crew) REFERENCES crew ON DELETE CASCADE",
                "INSERT INTO boss VALUES (1, NULL)",
                "INSERT INTO crew VALUES (10, 1)",
                "INSERT INTO boss VALUES (2, 10), (3, 10)",
                "INSERT INTO crew VALUES (20, 2), (21, 2), (30, 3)",
                "UPDATE boss SET crew = 30 WHERE id = 1");
        run("DELETE FROM crew WHERE id = 21");
        assertThat(count("crew")).isEqualTo(3);
        run("DELETE FROM boss WHERE id = 2");
        assertThat(count("boss") + "/" + count("crew")).isEqualTo("2/2");
        run("DELETE FROM boss WHERE id = 1");
        assertThat(count("boss") + "/" + count("crew")).isEqualTo("0/0");
    }

    @Test
    void aTableMayReferToItselfTwice() {
        run(
                "CREATE TABLE pair (id INTEGER NOT NULL PRIMARY KEY, a INTEGER REFERENCES pair ON DELETE CASCADE,"
                        + " b INTEGER REFERENCES pair ON DELETE CASCADE) PARTITIONED",
                "INSERT INTO pair VALUES (1, NULL, NULL), (2, 1, NULL), (3, 2, 1), (4, NULL, 3), (5, 4, 4)");
        run("DELETE FROM pair WHERE id = 1");
        assertThat(count("pair")).isZero();
    }

    /** As auctionmark of BenchBase has them: categories on each partition, and items that refer to them elsewhere. */
    @Test
    void rowsOfAReplicatedTreeGoWithWhatRefersToThem() {
        run(
                "CREATE TABLE category (id BIGINT NOT NULL, name VARCHAR(50), parent BIGINT, PRIMARY KEY (id),"
                        + " FOREIGN KEY (parent) REFERENCES category (id) ON DELETE CASCADE) REPLICATED",
                "CREATE TABLE users (id BIGINT NOT NULL PRIMARY KEY) PARTITIONED",
                "CREATE TABLE item (id BIGINT NOT NULL, owner BIGINT NOT NULL REFERENCES users ON DELETE CASCADE,"
                        + " category BIGINT NOT NULL REFERENCES category ON DELETE CASCADE, PRIMARY KEY (id, owner))"
                        + " PARTITION ON COLUMN owner",
                "CREATE TABLE bid (id BIGINT NOT NULL, item BIGINT NOT NULL, owner BIGINT NOT NULL,"
                        + " buyer BIGINT NOT NULL REFERENCES users ON DELETE CASCADE, PRIMARY KEY (id, item, owner),"
                        + " FOREIGN KEY (item, owner) REFERENCES item ON DELETE CASCADE) PARTITION ON COLUMN owner",
                "CREATE TABLE purchase (id BIGINT NOT NULL PRIMARY KEY, bid BIGINT NOT NULL, item BIGINT NOT NULL,"
                        + " owner BIGINT NOT NULL, FOREIGN KEY (bid, item, owner) REFERENCES bid ON DELETE CASCADE)"
                        + " PARTITION ON COLUMN id",
                "INSERT INTO category VALUES (1, 'all', NULL), (2, 'books', 1), (3, 'maps', 2), (4, 'other', NULL)",
                "INSERT INTO users VALUES (1), (2), (3), (4), (5)",
                "UPDATE category SET name = 'atlases' WHERE id = 3");
        for (int item = 0; item < 20; item++) {
            run("INSERT INTO item VALUES (" + item + ", " + (1 + item % 5) + ", " + (1 + item % 4) + ")");
            run("INSERT INTO bid VALUES (" + item + ", " + item + ", " + (1 + item % 5) + ", " + (1 + item % 3) + ")");
            run("INSERT INTO purchase VALUES (" + item + ", " + item + ", " + item + ", " + (1 + item % 5) + ")");
        }
        run("DELETE FROM category WHERE id = 2");
        assertThat(count("category")).isEqualTo(2);
        assertThat(count("item")).isEqualTo(10);
        assertThat(count("bid")).isEqualTo(10);
        assertThat(count("purchase")).isEqualTo(10);
        run("DELETE FROM category");
        assertThat(count("item") + count("bid") + count("purchase")).isZero();
    }
}
