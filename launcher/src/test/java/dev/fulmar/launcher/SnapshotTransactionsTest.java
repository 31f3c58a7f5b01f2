package dev.fulmar.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.benchmarks.run.LocalDatabase;
import dev.fulmar.client.FulmarClient;
import dev.fulmar.client.ResultTable;
import dev.fulmar.client.Session;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.wire.session.Isolation;
import dev.fulmar.wire.session.TransactionMode;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Transactions of level SNAPSHOT with all that SQL can change: what a change met and left must come again. */
@Timeout(120)
class SnapshotTransactionsTest {
    private static final TransactionMode SNAPSHOT = TransactionMode.USUAL.isolation(Isolation.SNAPSHOT);

    private LocalDatabase database;
    private FulmarClient client;

    @BeforeEach
    void start() {
        database = LocalDatabase.start(Map.of("partitions", "3", "sites", "1", "memory.limit", "64m", "jmx", "false"));
        client = database.connect(100);
        for (String statement : List.of(
                "CREATE TABLE item (id BIGINT NOT NULL PRIMARY KEY, price BIGINT NOT NULL, note VARCHAR(20))",
                "PARTITION TABLE item ON COLUMN id",
                "CREATE TABLE rate (id BIGINT NOT NULL PRIMARY KEY, percent BIGINT NOT NULL) REPLICATED",
                "INSERT INTO item VALUES (1, 100, 'a'), (2, 200, 'b'), (3, 300, 'c'), (4, 400, 'd')",
                "INSERT INTO rate VALUES (1, 10), (2, 20)")) {
            client.execute(statement);
        }
    }

    @AfterEach
    void stop() {
        client.close();
        database.close();
    }

    private long first(String sql, Object... arguments) {
        return client.execute(sql, arguments).table().first().getLong(0);
    }

    /** Runs the changes, then the statement of somebody else, if any, and commits. */
    private void commit(Consumer<Session> changes, String... meanwhile) {
        try (Session session = client.begin(SNAPSHOT)) {
            changes.accept(session);
            for (String sql : meanwhile) {
                client.execute(sql);
            }
            session.commit();
        }
    }

    private void assertCommits(String change, String... meanwhile) {
        commit(session -> session.execute(change), meanwhile);
    }

    private void assertFails(String change, String... meanwhile) {
        assertThatThrownBy(() -> commit(session -> session.execute(change), meanwhile))
                .isInstanceOfSatisfying(
                        FulmarException.class,
                        failure -> assertThat(failure.code())
                                .as(failure.getMessage())
                                .isEqualTo(ErrorCode.SERIALIZATION_FAILURE));
    }

    @Test
    void aSubqueryOfAChangeYieldsWhatItYielded() {
        String change = "UPDATE item SET price = price + (SELECT percent FROM rate WHERE id = 1) WHERE id = 1";
        assertCommits(change, "UPDATE rate SET percent = 30 WHERE id = 2");
        assertThat(first("SELECT price FROM item WHERE id = 1")).isEqualTo(110);
        assertFails(change, "UPDATE rate SET percent = 11 WHERE id = 1");
        assertCommits(change, "UPDATE rate SET percent = 12 WHERE id = 1", "UPDATE rate SET percent = 11 WHERE id = 1");
        assertThat(first("SELECT price FROM item WHERE id = 1")).isEqualTo(121);
    }

    @Test
    void insertedRowsAreThoseThatTheClientWasToldOf() {
        String change = "INSERT INTO item SELECT id + 10, price, note FROM item WHERE id = 2";
        assertFails(change, "UPDATE item SET price = 201 WHERE id = 2");
        assertCommits(change, "UPDATE item SET price = 301 WHERE id = 3");
        assertThat(first("SELECT price FROM item WHERE id = 12")).isEqualTo(201);
    }

    /** As many rows as before, and other ones: at READ COMMITTED the number alone counts. */
    @Test
    void aRangeHasTheSameRows() {
        String change = "UPDATE item SET note = 'dear' WHERE price >= 300";
        String[] meanwhile = {
            "UPDATE item SET price = 1 WHERE id = 3", "UPDATE item SET price = 300, note = 'c' WHERE id = 2"
        };
        assertFails(change, meanwhile);
        assertFails("DELETE FROM item WHERE price >= 300", "UPDATE item SET note = 'x' WHERE id = 2");
        assertCommits(change, "UPDATE item SET note = 'cheap' WHERE id = 1");
        assertThat(first("SELECT COUNT(*) FROM item WHERE note = 'dear'")).isEqualTo(2);
    }

    @Test
    void columnsThatAreNotChangedCountToo() {
        assertFails("UPDATE item SET price = price + 1 WHERE id = 1", "UPDATE item SET note = 'A' WHERE id = 1");
        assertFails("UPDATE item SET price = price + 1 WHERE id = 1", "UPDATE item SET note = NULL WHERE id = 1");
    }

    @Test
    void mergeAndUpsertMeetTheRowsThatTheyMet() {
        String merge = "MERGE INTO rate r USING (SELECT id, price FROM item WHERE id <= 2) i ON r.id = i.id"
                + " WHEN MATCHED THEN UPDATE SET percent = i.price WHEN NOT MATCHED THEN INSERT VALUES (i.id, i.price)";
        assertFails(merge, "UPDATE rate SET percent = 21 WHERE id = 2");
        assertFails(merge, "DELETE FROM rate WHERE id = 2");
        assertCommits(merge, "UPDATE item SET price = 7 WHERE id = 3");
        assertFails("UPSERT INTO rate VALUES (2, 5)", "UPDATE rate SET percent = 22 WHERE id = 2");
        assertCommits("UPSERT INTO rate VALUES (2, 5)");
        assertThat(first("SELECT SUM(percent) FROM rate")).isEqualTo(105);
    }

    /** A row without a primary key has a number, which another transaction may draw meanwhile. */
    @Test
    void insertsIntoATableWithoutKeyDoNotMeet() {
        client.execute("CREATE TABLE entry (id BIGINT NOT NULL, note VARCHAR(20))");
        client.execute("PARTITION TABLE entry ON COLUMN id");
        assertCommits("INSERT INTO entry VALUES (1, 'one')", "INSERT INTO entry VALUES (1, 'other')");
        assertFails("DELETE FROM entry WHERE id = 1", "UPDATE entry SET note = 'new' WHERE note = 'one'");
        assertThat(first("SELECT COUNT(*) FROM entry")).isEqualTo(2);
    }

    /** The rows of a view follow from those of its table, so changes of other rows of a group do not meet there. */
    @Test
    void changesOfOneGroupOfAMaterializedViewDoNotMeet() {
        client.execute("CREATE TABLE sale (id BIGINT NOT NULL PRIMARY KEY, shop BIGINT NOT NULL, amount BIGINT)");
        client.execute("PARTITION TABLE sale ON COLUMN id");
        client.execute("CREATE MATERIALIZED VIEW turnover (shop, sales, amount) AS"
                + " SELECT shop, COUNT(*), SUM(amount) FROM sale GROUP BY shop");
        assertCommits("INSERT INTO sale VALUES (1, 7, 10)", "INSERT INTO sale VALUES (2, 7, 20)");
        assertCommits("UPDATE sale SET amount = 11 WHERE id = 1", "DELETE FROM sale WHERE id = 2");
        assertThat(first("SELECT SUM(amount) FROM turnover")).isEqualTo(11);
    }

    /** The numbers of a statement's rows stay; draws of others do not matter. */
    @Test
    void identitiesAreDrawnOnce() {
        client.execute("CREATE TABLE bill (id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, note VARCHAR(20))");
        client.execute("PARTITION TABLE bill ON COLUMN id");
        assertCommits("INSERT INTO bill (note) VALUES ('mine')", "INSERT INTO bill (note) VALUES ('of another')");
        assertThat(first("SELECT COUNT(*) FROM bill")).isEqualTo(2);
    }

    /** A unique key that lacks the partitioning column is kept in steps, and rows that refer to others go with them. */
    @Test
    void keysOverPartitionsAndCascadesAreCompared() {
        for (String statement : List.of(
                "CREATE TABLE kind (id BIGINT NOT NULL PRIMARY KEY, name VARCHAR(20) UNIQUE)",
                "PARTITION TABLE kind ON COLUMN id",
                "CREATE TABLE part (id BIGINT NOT NULL PRIMARY KEY, kind BIGINT REFERENCES kind (id) ON DELETE CASCADE,"
                        + " weight BIGINT)",
                "PARTITION TABLE part ON COLUMN id",
                "INSERT INTO kind VALUES (1, 'a'), (2, 'b'), (3, 'c'), (4, 'd')",
                "INSERT INTO part VALUES (1, 4, 1), (2, 4, 2)")) {
            client.execute(statement);
        }
        assertCommits("UPDATE kind SET name = 'A' WHERE id = 1", "UPDATE kind SET name = 'B' WHERE id = 2");
        assertFails("UPDATE kind SET name = 'C' WHERE id = 3", "INSERT INTO kind VALUES (5, 'C')");
        assertFails("DELETE FROM kind WHERE id = 4", "UPDATE part SET weight = 9 WHERE id = 2");
        assertFails("INSERT INTO part VALUES (3, 3, 1)", "DELETE FROM kind WHERE id = 3");
        assertCommits("DELETE FROM kind WHERE id = 4");
        assertThat(first("SELECT COUNT(*) FROM part")).isZero();
    }

    @Test
    void theRowsThatReturningShowsAreCompared() {
        String change = "UPDATE item SET price = price + 1 WHERE id = 2 RETURNING price";
        assertFails(change, "UPDATE item SET note = 'x' WHERE id = 2");
        assertCommits(change, "UPDATE item SET note = 'x' WHERE id = 1");
        assertThat(first("SELECT price FROM item WHERE id = 2")).isEqualTo(201);
    }

    @Test
    void theLevelIsTold() {
        try (Session session = client.begin(SNAPSHOT)) {
            session.execute("SELECT price FROM item WHERE id = 1");
            ResultTable open = client.call("@Statistics", "TRANSACTION").table();
            assertThat(open.first().getString(open.column("ISOLATION"))).isEqualTo("SNAPSHOT");
        }
    }
}
