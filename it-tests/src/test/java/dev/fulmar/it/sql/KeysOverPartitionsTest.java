package dev.fulmar.it.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.client.FulmarClient;
import dev.fulmar.client.Session;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.node.wiring.FulmarNode;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Global unique keys, and foreign keys between rows on different partitions, hold for every way to write a row. */
@Timeout(120)
class KeysOverPartitionsTest {
    private static final int PARTITIONS = 4;
    private static final int ROWS = 40;

    private FulmarNode node;
    private FulmarClient client;

    @BeforeEach
    void start() {
        node = SmallNode.start(PARTITIONS);
        client = SmallNode.connect(node);
    }

    @AfterEach
    void stop() {
        client.close();
        node.close();
    }

    /** Databases of earlier versions have such tables: a CREATE TABLE that says nothing is not checked there. */
    private void startAsEarlier() {
        stop();
        node = SmallNode.start(PARTITIONS, Map.of("tables.partitioned", "false"));
        client = SmallNode.connect(node);
    }

    private void run(String... statements) {
        for (String statement : statements) {
            client.execute(statement);
        }
    }

    private void fails(ErrorCode code, String statement, Object... arguments) {
        fails(code, () -> client.execute(statement, arguments));
    }

    private static void fails(ErrorCode code, Runnable work) {
        assertThatThrownBy(work::run)
                .isInstanceOfSatisfying(
                        FulmarException.class,
                        e -> assertThat(e.code()).as(e.getMessage()).isEqualTo(code));
    }

    private long number(String query) {
        return client.execute(query).table().first().getLong(0);
    }

    private void createUsers() {
        run(
                "CREATE TABLE users (id INTEGER NOT NULL PRIMARY KEY, email VARCHAR(30) UNIQUE, name VARCHAR(30))",
                "PARTITION TABLE users ON COLUMN id");
        for (int id = 0; id < ROWS; id++) {
            client.execute("INSERT INTO users VALUES (?, ?, 'n')", id, "u" + id);
        }
    }

    @Test
    void aGlobalKeyIsUniqueOverAllPartitions() {
        createUsers();
        for (int id = ROWS; id < 2 * ROWS; id++) {
            fails(ErrorCode.UNIQUE_VIOLATION, "INSERT INTO users VALUES (?, 'u7', 'x')", id);
        }
        assertThat(number("SELECT COUNT(*) FROM users")).isEqualTo(ROWS);
        fails(ErrorCode.UNIQUE_VIOLATION, "UPDATE users SET email = 'u7' WHERE id = 8");
        fails(ErrorCode.UNIQUE_VIOLATION, "UPDATE users SET email = 'same' WHERE id < 10");
        fails(ErrorCode.UNIQUE_VIOLATION, "INSERT INTO users VALUES (100, 'new', 'x'), (101, 'new', 'x')");
        run(
                "INSERT INTO users VALUES (100, NULL, 'x'), (101, NULL, 'x')",
                "UPDATE users SET email = NULL WHERE id = 7",
                "INSERT INTO users VALUES (102, 'u7', 'x')",
                "UPDATE users SET name = 'y'");
        assertThat(number("SELECT id FROM users WHERE email = 'u7'")).isEqualTo(102);
        assertThat(number("SELECT COUNT(*) FROM users WHERE name = 'y'")).isEqualTo(ROWS + 3);
    }

    @Test
    void aViolationNamesTheKeyAndTheValue() {
        createUsers();
        assertThatThrownBy(() -> client.execute("INSERT INTO users VALUES (100, 'u7', 'x')"))
                .hasMessageContaining("USERS has a row with (EMAIL = 'u7') already");
    }

    @Test
    void keysThatOneStatementExchangesAreUniqueWhenItEnds() {
        createUsers();
        run("UPDATE users SET email = CASE WHEN id = 1 THEN 'u2' ELSE 'u1' END WHERE id IN (1, 2)");
        assertThat(ResultRows.of(client, "SELECT id, email FROM users WHERE id IN (1, 2) ORDER BY id", " "))
                .isEqualTo(List.of("1 u2", "2 u1"));
    }

    @Test
    void theRowsThatAWriteReturnsAreItsOwn() {
        createUsers();
        assertThat(ResultRows.of(
                        client.execute("INSERT INTO users VALUES (100, 'a', 'x') RETURNING name, id")
                                .table(),
                        " "))
                .isEqualTo(List.of("x 100"));
        assertThat(ResultRows.of(
                        client.execute("UPDATE users SET email = 'b' WHERE id = 100 RETURNING email")
                                .table(),
                        " "))
                .isEqualTo(List.of("b"));
        assertThat(client.execute("UPDATE users SET email = 'c' WHERE id = 100").longValue())
                .isEqualTo(1);
    }

    @Test
    void aPrimaryKeyNeedNotSayWhereItsRowIs() {
        run(
                "CREATE TABLE item (id INTEGER NOT NULL PRIMARY KEY, owner INTEGER NOT NULL)",
                "PARTITION TABLE item ON COLUMN owner",
                "INSERT INTO item VALUES (1, 1), (2, 1), (3, 2)");
        for (int owner = 0; owner < ROWS; owner++) {
            fails(ErrorCode.UNIQUE_VIOLATION, "INSERT INTO item VALUES (1, ?)", owner);
        }
        fails(ErrorCode.NOT_SUPPORTED, "UPSERT INTO item VALUES (1, 9)");
        run("UPDATE item SET owner = 17 WHERE id = 1");
        assertThat(number("SELECT owner FROM item WHERE id = 1")).isEqualTo(17);
        run("DELETE FROM item WHERE id = 1", "INSERT INTO item VALUES (1, 5)");
    }

    private void createFamilies(String action) {
        run(
                "CREATE TABLE parent (id INTEGER NOT NULL PRIMARY KEY)",
                "PARTITION TABLE parent ON COLUMN id",
                "CREATE TABLE child (id INTEGER NOT NULL PRIMARY KEY, parent INTEGER DEFAULT 0 REFERENCES parent "
                        + action + ")",
                "PARTITION TABLE child ON COLUMN id");
        for (int id = 0; id < ROWS; id++) {
            client.execute("INSERT INTO parent VALUES (?)", id);
            client.execute("INSERT INTO child VALUES (?, ?)", id + 1, id);
        }
    }

    @Test
    void aRowRefersToOneOfAnotherPartition() {
        createFamilies("");
        for (int id = 100; id < 100 + ROWS; id++) {
            fails(ErrorCode.FOREIGN_KEY_VIOLATION, "INSERT INTO child VALUES (?, 99)", id);
        }
        fails(ErrorCode.FOREIGN_KEY_VIOLATION, "UPDATE child SET parent = 99 WHERE id = 3");
        fails(ErrorCode.FOREIGN_KEY_VIOLATION, "INSERT INTO child SELECT id + 1000, parent + 1 FROM child");
        fails(ErrorCode.FOREIGN_KEY_VIOLATION, "UPSERT INTO child VALUES (3, 99)");
        run("INSERT INTO child VALUES (500, NULL)", "UPDATE child SET parent = 5 WHERE id = 500");
        assertThat(number("SELECT COUNT(*) FROM child")).isEqualTo(ROWS + 1);
        assertThat(number("SELECT COUNT(*) FROM child c LEFT JOIN parent p ON c.parent = p.id WHERE p.id IS NULL"))
                .isZero();
    }

    @Test
    void aParentStaysWhileRowsOfOtherPartitionsReferToIt() {
        createFamilies("");
        for (int id = 0; id < ROWS; id++) {
            fails(ErrorCode.FOREIGN_KEY_VIOLATION, "DELETE FROM parent WHERE id = ?", id);
        }
        fails(ErrorCode.NOT_SUPPORTED, "UPDATE parent SET id = 99 WHERE id = 1");
        run("DELETE FROM child WHERE id = 2", "DELETE FROM parent WHERE id = 1");
        assertThat(number("SELECT COUNT(*) FROM parent")).isEqualTo(ROWS - 1);
    }

    @Test
    void cascadeDeletesOverPartitions() {
        createFamilies("ON DELETE CASCADE");
        run(
                "CREATE TABLE toy (id INTEGER NOT NULL PRIMARY KEY, child INTEGER NOT NULL REFERENCES child ON DELETE CASCADE)",
                "PARTITION TABLE toy ON COLUMN id",
                "INSERT INTO toy SELECT id + 7, id FROM child");
        assertThat(client.execute("DELETE FROM parent WHERE id < 10").longValue())
                .isEqualTo(10);
        assertThat(number("SELECT COUNT(*) FROM child")).isEqualTo(ROWS - 10);
        assertThat(number("SELECT COUNT(*) FROM toy")).isEqualTo(ROWS - 10);
        run("DELETE FROM child");
        assertThat(number("SELECT COUNT(*) FROM toy")).isZero();
        assertThat(number("SELECT COUNT(*) FROM parent")).isEqualTo(ROWS - 10);
    }

    @Test
    void aCascadeOnOnePartitionGoesOnOverOthers() {
        run(
                "CREATE TABLE owner (id INTEGER NOT NULL PRIMARY KEY)",
                "PARTITION TABLE owner ON COLUMN id",
                "CREATE TABLE pet (owner INTEGER NOT NULL REFERENCES owner ON DELETE CASCADE, n INTEGER NOT NULL, PRIMARY KEY (owner, n))",
                "PARTITION TABLE pet ON COLUMN owner",
                "CREATE TABLE visit (id INTEGER NOT NULL PRIMARY KEY, owner INTEGER, n INTEGER,"
                        + " FOREIGN KEY (owner, n) REFERENCES pet ON DELETE SET NULL)",
                "PARTITION TABLE visit ON COLUMN id",
                "INSERT INTO owner VALUES (1), (2), (3), (4)",
                "INSERT INTO pet VALUES (1, 1), (1, 2), (2, 1), (3, 1)",
                "INSERT INTO visit VALUES (10, 1, 1), (11, 1, 2), (12, 2, 1), (13, 3, 1), (14, 1, 2)",
                "DELETE FROM owner WHERE id = 1");
        assertThat(number("SELECT COUNT(*) FROM pet")).isEqualTo(2);
        assertThat(ResultRows.of(client, "SELECT id, owner, n FROM visit ORDER BY id", " "))
                .isEqualTo(List.of("10 null null", "11 null null", "12 2 1", "13 3 1", "14 null null"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"SET NULL", "SET DEFAULT"})
    void rowsOfOtherPartitionsReferToNothingOrTheDefault(String action) {
        createFamilies("ON DELETE " + action);
        run("DELETE FROM parent WHERE id BETWEEN 1 AND 9");
        String condition = action.equals("SET NULL") ? "parent IS NULL" : "parent = 0 AND id > 1";
        assertThat(number("SELECT COUNT(*) FROM child WHERE " + condition)).isEqualTo(9);
        if (action.equals("SET DEFAULT")) {
            fails(ErrorCode.FOREIGN_KEY_VIOLATION, "DELETE FROM parent WHERE id = 0"); // nothing has the default then
        }
    }

    @Test
    void aTreeRefersToItselfOverPartitions() {
        run(
                "CREATE TABLE category (id INTEGER NOT NULL PRIMARY KEY, parent INTEGER REFERENCES category)",
                "PARTITION TABLE category ON COLUMN id",
                "INSERT INTO category VALUES (1, NULL), (2, 1), (3, 2), (4, 2)",
                "INSERT INTO category VALUES (6, 5), (5, 6)"); // each refers to a row of the same statement
        fails(ErrorCode.FOREIGN_KEY_VIOLATION, "INSERT INTO category VALUES (7, 8)");
        fails(ErrorCode.FOREIGN_KEY_VIOLATION, "DELETE FROM category WHERE id = 2");
        run("DELETE FROM category WHERE id IN (5, 6)", "DELETE FROM category");
    }

    @Test
    void aReplicatedTableRefersToAPartitionedOne() {
        run(
                "CREATE TABLE parent (id INTEGER NOT NULL PRIMARY KEY)",
                "PARTITION TABLE parent ON COLUMN id",
                "INSERT INTO parent VALUES (1), (2), (3)",
                "CREATE TABLE choice (name VARCHAR(10) NOT NULL PRIMARY KEY, parent INTEGER REFERENCES parent ON DELETE CASCADE)",
                "INSERT INTO choice VALUES ('a', 1), ('b', 2), ('c', NULL)");
        fails(ErrorCode.FOREIGN_KEY_VIOLATION, "INSERT INTO choice VALUES ('d', 9)");
        run("DELETE FROM parent WHERE id = 1");
        assertThat(number("SELECT COUNT(*) FROM choice")).isEqualTo(2);
        fails(ErrorCode.FOREIGN_KEY_VIOLATION, "UPDATE choice SET parent = 1");
    }

    @Test
    void proceduresKeepTheSameKeys() {
        createUsers();
        run(
                "CREATE PROCEDURE rename PARTITION ON TABLE users COLUMN id PARAMETER 1 AS UPDATE users SET email = ? WHERE id = ?",
                "CREATE PROCEDURE name PARTITION ON TABLE users COLUMN id PARAMETER 1 AS UPDATE users SET name = ? WHERE id = ?");
        fails(ErrorCode.UNIQUE_VIOLATION, () -> client.call("rename", "u3", 4));
        client.call("rename", "free", 4);
        fails(ErrorCode.UNIQUE_VIOLATION, () -> client.call("USERS.insert", 100, "free", "x"));
        client.call("USERS.insert", 100, "u4", "x");
        client.call("name", "z", 4);
        assertThat(number("SELECT COUNT(*) FROM users WHERE name = 'z' AND email = 'free'"))
                .isEqualTo(1);
    }

    @Test
    void aTransactionOfSeveralStatementsSeesViolationsAtTheStatement() {
        createFamilies("ON DELETE CASCADE");
        try (Session session = client.begin()) {
            fails(ErrorCode.FOREIGN_KEY_VIOLATION, () -> session.execute("INSERT INTO child VALUES (500, 99)"));
            session.execute("INSERT INTO parent VALUES (99)");
            session.execute("INSERT INTO child VALUES (500, 99)");
            session.execute("DELETE FROM parent WHERE id = 3");
            session.commit();
        }
        assertThat(number("SELECT COUNT(*) FROM child WHERE parent IN (3, 99)")).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " (CACHE 20)"})
    void drawnNumbersAreKeysToo(String cache) {
        run(
                "CREATE TABLE account (id INTEGER GENERATED BY DEFAULT AS IDENTITY" + cache
                        + " PRIMARY KEY, mail VARCHAR(20) UNIQUE, sponsor INTEGER REFERENCES account) PARTITIONED",
                "INSERT INTO account (mail) VALUES ('a')");
        for (int i = 0; i < ROWS; i++) {
            client.execute("INSERT INTO account (mail) VALUES (?) RETURNING id", "m" + i);
            fails(ErrorCode.UNIQUE_VIOLATION, "INSERT INTO account (mail) VALUES ('a') RETURNING id");
        }
        try (Session session = client.begin()) {
            long id = session.execute("INSERT INTO account (mail) VALUES ('s') RETURNING id")
                    .table()
                    .first()
                    .getLong(0);
            session.execute("INSERT INTO account (mail, sponsor) VALUES ('t', ?)", id);
            fails(ErrorCode.UNIQUE_VIOLATION, () -> session.execute("INSERT INTO account (mail) VALUES ('s')"));
            session.commit();
        }
        assertThat(number("SELECT COUNT(*) FROM account a JOIN account b ON b.sponsor = a.id"))
                .isEqualTo(1);
        assertThat(number("SELECT COUNT(DISTINCT id) FROM account")).isEqualTo(ROWS + 3);
    }

    @Test
    void mergesKeepTheSameKeys() {
        createUsers();
        fails(
                ErrorCode.UNIQUE_VIOLATION,
                "MERGE INTO users u USING (VALUES (8, 'u9'), (100, 'new')) AS s (id, email) ON u.id = s.id"
                        + " WHEN MATCHED THEN UPDATE SET email = s.email"
                        + " WHEN NOT MATCHED THEN INSERT (id, email) VALUES (s.id, s.email)");
        assertThat(number("SELECT COUNT(*) FROM users")).isEqualTo(ROWS);
        run("MERGE INTO users u USING (VALUES (8, 'other'), (100, 'new')) AS s (id, email) ON u.id = s.id"
                + " WHEN MATCHED THEN UPDATE SET email = s.email"
                + " WHEN NOT MATCHED THEN INSERT (id, email) VALUES (s.id, s.email)");
        fails(ErrorCode.UNIQUE_VIOLATION, "INSERT INTO users VALUES (101, 'new', 'x')");
    }

    @Test
    void actionsThatNoStatementCouldTakeAreRefused() {
        run(
                "CREATE TABLE token (id INTEGER NOT NULL PRIMARY KEY, seen TIMESTAMP) USING TTL 1 HOURS ON COLUMN seen",
                "PARTITION TABLE token ON COLUMN id",
                "CREATE TABLE usage (id INTEGER NOT NULL PRIMARY KEY, token INTEGER)",
                "PARTITION TABLE usage ON COLUMN id");
        fails(ErrorCode.NOT_SUPPORTED, "ALTER TABLE usage ADD FOREIGN KEY (token) REFERENCES token");
        run(
                "CREATE TABLE door (id INTEGER NOT NULL PRIMARY KEY, seen TIMESTAMP) PARTITION ON COLUMN id",
                "CREATE TABLE entry (id INTEGER NOT NULL PRIMARY KEY, door INTEGER REFERENCES door) PARTITION ON COLUMN id",
                "INSERT INTO door VALUES (1, NULL)",
                "INSERT INTO entry VALUES (1, 1)");
        fails(ErrorCode.NOT_SUPPORTED, "ALTER TABLE door ADD USING TTL 1 HOURS ON COLUMN seen");
    }

    @Test
    void anActionLooksAtTheOtherKeysOfItsColumns() {
        run(
                "CREATE TABLE p (id INTEGER NOT NULL PRIMARY KEY) REPLICATED",
                "CREATE TABLE q (id INTEGER NOT NULL PRIMARY KEY) PARTITION ON COLUMN id",
                "INSERT INTO p VALUES (0), (1), (2), (3), (4), (5)",
                "INSERT INTO q VALUES (1), (2)",
                "CREATE TABLE c (x INTEGER NOT NULL PRIMARY KEY, b INTEGER DEFAULT 0 REFERENCES p ON DELETE SET DEFAULT,"
                        + " CONSTRAINT to_q FOREIGN KEY (b) REFERENCES q) PARTITION ON COLUMN x",
                "INSERT INTO c VALUES (1, 1), (2, 1), (3, 2)");
        fails(ErrorCode.FOREIGN_KEY_VIOLATION, "DELETE FROM p WHERE id = 1"); // q has no 0
        run("INSERT INTO q VALUES (0)", "DELETE FROM p WHERE id = 1");
        assertThat(number("SELECT COUNT(*) FROM c WHERE b = 0")).isEqualTo(2);
        run(
                "CREATE TABLE d (x INTEGER NOT NULL PRIMARY KEY, b INTEGER DEFAULT 0 UNIQUE REFERENCES p ON DELETE SET DEFAULT)"
                        + " PARTITION ON COLUMN x",
                "INSERT INTO d VALUES (1, 3), (2, 4), (3, 5)",
                "DELETE FROM p WHERE id = 3");
        fails(ErrorCode.UNIQUE_VIOLATION, "DELETE FROM p WHERE id = 4");
        fails(
                ErrorCode.NOT_SUPPORTED,
                "CREATE TABLE e (x INTEGER NOT NULL PRIMARY KEY, b INTEGER DEFAULT 0 UNIQUE REFERENCES p ON UPDATE SET DEFAULT)"
                        + " PARTITION ON COLUMN x");
    }

    @Test
    void columnsThatAnActionSetsAreNotReferredToOverPartitions() {
        startAsEarlier();
        run(
                "CREATE TABLE p (id INTEGER NOT NULL PRIMARY KEY) REPLICATED",
                "CREATE TABLE c (x INTEGER NOT NULL, b INTEGER REFERENCES p ON DELETE SET NULL, UNIQUE (x, b))"
                        + " PARTITION ON COLUMN x",
                "CREATE TABLE h (id INTEGER NOT NULL PRIMARY KEY, x INTEGER, b INTEGER, FOREIGN KEY (x, b) REFERENCES c (x, b))",
                "INSERT INTO p VALUES (1)",
                "INSERT INTO c VALUES (1, 1), (2, 1)");
        fails(ErrorCode.NOT_SUPPORTED, "INSERT INTO h VALUES (1, 1, 1)");
        run("DELETE FROM p");
        fails(
                ErrorCode.NOT_SUPPORTED,
                "CREATE TABLE i (id INTEGER NOT NULL PRIMARY KEY, x INTEGER, b INTEGER, FOREIGN KEY (x, b) REFERENCES c (x, b))"
                        + " PARTITION ON COLUMN id");
    }

    @Test
    void rowsReferToAGlobalPrimaryKey() {
        run(
                "CREATE TABLE item (id INTEGER NOT NULL PRIMARY KEY, owner INTEGER NOT NULL) PARTITION ON COLUMN owner",
                "CREATE TABLE bid (id INTEGER NOT NULL PRIMARY KEY, item INTEGER REFERENCES item ON DELETE CASCADE)"
                        + " PARTITION ON COLUMN id",
                "INSERT INTO item VALUES (1, 1), (2, 2)",
                "INSERT INTO bid VALUES (1, 1), (2, 2), (3, 1)");
        fails(ErrorCode.FOREIGN_KEY_VIOLATION, "INSERT INTO bid VALUES (4, 9)");
        run("DELETE FROM item WHERE id = 1");
        assertThat(number("SELECT COUNT(*) FROM bid")).isEqualTo(1);
    }

    @Test
    void aKeyThatNoStatementCouldEnforceHarmsNoOtherTable() {
        startAsEarlier();
        run(
                "CREATE TABLE token (id INTEGER NOT NULL PRIMARY KEY, seen TIMESTAMP) USING TTL 1 HOURS ON COLUMN seen"
                        + " PARTITION ON COLUMN id",
                "INSERT INTO token VALUES (1, NULL), (2, NULL)",
                "CREATE TABLE usage (id INTEGER NOT NULL, token INTEGER NOT NULL REFERENCES token)");
        fails(ErrorCode.NOT_SUPPORTED, "INSERT INTO usage VALUES (1, 1)");
        fails(
                ErrorCode.NOT_SUPPORTED,
                "CREATE TABLE other (id INTEGER NOT NULL PRIMARY KEY, token INTEGER REFERENCES token) PARTITION ON COLUMN id");
        run(
                "DELETE FROM token WHERE id = 1",
                "CREATE TABLE a (id INTEGER NOT NULL PRIMARY KEY, b INTEGER) PARTITION ON COLUMN id",
                "ALTER TABLE a ADD UNIQUE (b)",
                "PARTITION TABLE usage ON COLUMN token",
                "DROP TABLE usage");
    }

    @Test
    void chainsOfTablesThatReferTwiceAreBounded() {
        run("CREATE TABLE t0 (id INTEGER NOT NULL PRIMARY KEY) PARTITION ON COLUMN id");
        for (int i = 1; i < 6; i++) {
            run(twice(i));
        }
        assertThatThrownBy(() -> {
                    for (int i = 6; i < 12; i++) {
                        run(twice(i));
                    }
                })
                .isInstanceOfSatisfying(
                        FulmarException.class,
                        e -> assertThat(e.code()).as(e.getMessage()).isEqualTo(ErrorCode.STATEMENT_TOO_COMPLEX));
    }

    private static String twice(int i) {
        String reference = " INTEGER REFERENCES t" + (i - 1) + " ON DELETE CASCADE";
        return "CREATE TABLE t" + i + " (id INTEGER NOT NULL PRIMARY KEY, a" + reference + ", b" + reference
                + ") PARTITION ON COLUMN id";
    }

    @Test
    void automaticProceduresComeBackWithTheDropOfTheKeyThatForbidsThem() {
        run(
                "CREATE TABLE p (id INTEGER NOT NULL PRIMARY KEY, code INTEGER UNIQUE) PARTITION ON COLUMN id",
                "CREATE TABLE c (id INTEGER NOT NULL PRIMARY KEY, code INTEGER REFERENCES p (code)) PARTITION ON COLUMN id",
                "INSERT INTO p VALUES (1, 1)");
        fails(ErrorCode.UNKNOWN_PROCEDURE, () -> client.call("P.update", 1, 2));
        run("DROP TABLE c");
        client.call("P.update", 1, 2);
        assertThat(number("SELECT code FROM p")).isEqualTo(2);
    }

    @Test
    void aRowIsLeasedByAGlobalKey() {
        createUsers();
        try (Session first = client.begin();
                Session second = client.begin()) {
            first.execute("SELECT id FROM users WHERE email = 'u7' FOR UPDATE");
            fails(
                    ErrorCode.LOCK_NOT_AVAILABLE,
                    () -> second.execute("SELECT id FROM users WHERE email = 'u7' FOR UPDATE NOWAIT"));
            second.execute("SELECT id FROM users WHERE email = 'u8' FOR UPDATE NOWAIT");
            first.rollback();
        }
        try (Session third = client.begin()) {
            third.execute("SELECT id FROM users WHERE email = 'u7' FOR UPDATE NOWAIT");
        }
    }

    @Test
    void explainTellsWhatFollows() {
        createFamilies("ON DELETE CASCADE");
        assertThat(ResultRows.of(client, "EXPLAIN DELETE FROM parent WHERE id = 1", " "))
                .anySatisfy(line -> assertThat(line).contains("then, for each key"))
                .anySatisfy(line -> assertThat(line).contains("delete").contains("CHILD"));
        assertThat(ResultRows.of(client, "EXPLAIN INSERT INTO child VALUES (1, 2)", " "))
                .anySatisfy(line -> assertThat(line).contains("there must be a row"));
        assertThat(ResultRows.of(client, "EXPLAIN DELETE FROM child WHERE id = 4", " "))
                .noneSatisfy(line -> assertThat(line).contains("for each key"));
    }

    @Test
    void manyWritersAtOnceLeaveEachKeyOnce() {
        createUsers();
        AtomicInteger taken = new AtomicInteger();
        List<CompletableFuture<Void>> writers = IntStream.range(0, 4)
                .mapToObj(writer -> CompletableFuture.runAsync(() -> {
                    for (int i = 0; i < 60; i++) {
                        try {
                            client.execute("INSERT INTO users VALUES (?, ?, 'w')", 1000 + writer * 100 + i, "w" + i);
                            taken.incrementAndGet();
                        } catch (FulmarException e) {
                            assertThat(e.code()).as(e.getMessage()).isEqualTo(ErrorCode.UNIQUE_VIOLATION);
                        }
                    }
                }))
                .toList();
        writers.forEach(CompletableFuture::join);
        assertThat(taken).hasValue(60);
        assertThat(number("SELECT COUNT(DISTINCT email) FROM users WHERE name = 'w'"))
                .isEqualTo(60);
    }
}
