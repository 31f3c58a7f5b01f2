package dev.fulmar.it.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.client.CallResult;
import dev.fulmar.client.Session;
import dev.fulmar.foundation.error.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tables with rows that are partitioned by another column. */
@Timeout(120)
class RepartitioningTest extends DurableNodeFixture {
    private static final int PARTITIONS = 4;
    private static final int ROWS = 3_000;

    RepartitioningTest() {
        super(PARTITIONS);
    }

    private String place(String table) {
        return ResultRows.of(
                        client,
                        "SELECT PARTITIONING_COLUMN FROM INFORMATION_SCHEMA.TABLES WHERE TABLE_NAME = '" + table + "'",
                        "")
                .getFirst();
    }

    private void fill(String insertion, int rows) {
        List<CompletableFuture<CallResult>> all = new ArrayList<>();
        for (int i = 0; i < rows; i++) {
            all.add(client.executeAsync(insertion, i, i % 7));
        }
        all.forEach(CompletableFuture::join);
    }

    @Test
    void rowsGoWhereTheOtherColumnSays() {
        run("CREATE TABLE item (id INTEGER NOT NULL PRIMARY KEY, k INTEGER NOT NULL) PARTITION ON COLUMN id");
        fill("INSERT INTO item VALUES (?, ?)", ROWS);
        run("ALTER TABLE item PARTITION ON k");
        assertThat(place("ITEM")).isEqualTo("K");
        assertSums();
        assertThat(client.call("ITEM.select", 5).table().rowCount()).isEqualTo(1);
        run("INSERT INTO item VALUES (-1, 3)");
        fails(ErrorCode.UNIQUE_VIOLATION, "INSERT INTO item VALUES (-1, 4)", "ITEM_PRIMARY_KEY");
        run("DELETE FROM item WHERE id = -1");
        restart();
        assertThat(place("ITEM")).isEqualTo("K");
        assertSums();
        run("ALTER TABLE item REPLICATED");
        assertThat(place("ITEM")).isEqualTo("null");
        assertSums();
        run("ALTER TABLE item PARTITIONED", "ALTER TABLE item PARTITIONED");
        assertThat(place("ITEM")).isEqualTo("ID");
        assertSums();
        restart();
        assertSums();
    }

    private void assertSums() {
        assertThat(number("SELECT COUNT(*) FROM item")).isEqualTo(ROWS);
        assertThat(number("SELECT SUM(id) FROM item")).isEqualTo((long) ROWS * (ROWS - 1) / 2);
        assertThat(number("SELECT COUNT(*) FROM item WHERE k = 3")).isEqualTo((ROWS + 3) / 7);
        assertThat(number("SELECT COUNT(*) FROM item WHERE id = 77")).isEqualTo(1);
    }

    @Test
    void keysOfSeveralColumnsAndTypesAreCopiedInPieces() {
        run(
                "CREATE TABLE item (name VARCHAR(20) NOT NULL, price DECIMAL(12, 2) NOT NULL, at_day DATE NOT NULL,"
                        + " id INTEGER NOT NULL, k INTEGER NOT NULL, PRIMARY KEY (name, price, at_day, id)) PARTITION ON COLUMN id");
        fill("INSERT INTO item VALUES ('a', 1.5, DATE '2027-01-01', ?, ?)", 2_500);
        fill("INSERT INTO item VALUES ('b''', 1.5, DATE '2027-01-01', ?, ?)", 10);
        fill("INSERT INTO item VALUES ('b''', 2.25, DATE '2027-01-02', ?, ?)", 1_200);
        run("ALTER TABLE item PARTITION ON COLUMN k");
        assertThat(number("SELECT COUNT(*) FROM item")).isEqualTo(3_710);
        assertThat(number("SELECT COUNT(*) FROM item WHERE price > 2")).isEqualTo(1_200);
    }

    @Test
    void allThatATableHasGoesAlong() {
        run(
                "CREATE TABLE team (id INTEGER NOT NULL PRIMARY KEY, name VARCHAR(20)) PARTITION ON COLUMN id",
                "CREATE TABLE player (id INTEGER NOT NULL PRIMARY KEY, team INTEGER NOT NULL REFERENCES team ON DELETE CASCADE,"
                        + " mail VARCHAR(30) CONSTRAINT once UNIQUE, born DATE DEFAULT DATE '2000-01-01', CHECK (id > 0))"
                        + " PARTITION ON COLUMN id",
                "CREATE INDEX by_birth ON player (born DESC)",
                "CREATE TABLE goal (id INTEGER NOT NULL PRIMARY KEY, player INTEGER REFERENCES player ON DELETE SET NULL)"
                        + " PARTITION ON COLUMN id",
                "CREATE VIEW names AS SELECT p.id, t.name FROM player p JOIN team t ON t.id = p.team",
                "COMMENT ON COLUMN player.mail IS 'for letters'",
                "CREATE PROCEDURE mail AS SELECT mail FROM player WHERE id = ?",
                "INSERT INTO team VALUES (1, 'red'), (2, 'blue')",
                "INSERT INTO player (id, team, mail) VALUES (1, 1, 'a@x'), (2, 2, 'b@x'), (3, 1, NULL), (4, 2, NULL)",
                "INSERT INTO goal VALUES (1, 1), (2, 4), (3, NULL)",
                "ALTER TABLE player PARTITION ON COLUMN team");
        for (int life = 0; life < 2; life++) {
            fails(ErrorCode.UNIQUE_VIOLATION, "INSERT INTO player (id, team, mail) VALUES (5, 2, 'a@x')", "ONCE");
            fails(ErrorCode.UNIQUE_VIOLATION, "INSERT INTO player (id, team) VALUES (1, 2)", "PLAYER_PRIMARY_KEY");
            fails(ErrorCode.FOREIGN_KEY_VIOLATION, "INSERT INTO player (id, team) VALUES (9, 3)", "TEAM");
            fails(ErrorCode.CHECK_VIOLATION, "INSERT INTO player (id, team) VALUES (0, 1)", "");
            fails(ErrorCode.FOREIGN_KEY_VIOLATION, "INSERT INTO goal VALUES (9, 9)", "PLAYER");
            assertThat(number("SELECT COUNT(*) FROM player WHERE born = DATE '2000-01-01'"))
                    .isEqualTo(4);
            assertThat(number("SELECT COUNT(*) FROM names WHERE name = 'red'")).isEqualTo(2);
            assertThat(client.call("mail", 2).table().first().getString(0)).isEqualTo("b@x");
            assertThat(number(
                            "SELECT COUNT(*) FROM INFORMATION_SCHEMA.DEFINITIONS WHERE STATEMENT LIKE '%for letters%'"))
                    .isEqualTo(1);
            restart();
        }
        run("DELETE FROM team WHERE id = 2");
        assertThat(number("SELECT COUNT(*) FROM player")).isEqualTo(2);
        assertThat(number("SELECT COUNT(*) FROM goal WHERE player IS NULL")).isEqualTo(2);
        run("DROP INDEX by_birth", "ALTER TABLE player DROP CONSTRAINT once");
        assertThat(number("SELECT COUNT(*) FROM player")).isEqualTo(2);
    }

    @Test
    void whatRestsOnThePlaceOfRowsRefuses() {
        run(
                "CREATE TABLE item (id INTEGER NOT NULL PRIMARY KEY, k INTEGER NOT NULL, n INTEGER, d DOUBLE NOT NULL)"
                        + " PARTITION ON COLUMN id",
                "INSERT INTO item VALUES (1, 2, 3, 4)",
                "CREATE PROCEDURE look PARTITION ON TABLE item COLUMN id AS SELECT k FROM item WHERE id = ?");
        String alter = "ALTER TABLE item PARTITION ON COLUMN k";
        fails(ErrorCode.DEPENDENT_OBJECTS, alter, "procedure look is declared PARTITION ON TABLE ITEM COLUMN ID");
        run("DROP PROCEDURE look", "CREATE PROCEDURE put AS UPSERT INTO item VALUES (?, ?, ?, ?)");
        fails(ErrorCode.NOT_SUPPORTED, alter, "put");
        run("DROP PROCEDURE put", "CREATE MATERIALIZED VIEW ids AS SELECT id, COUNT(*) AS n FROM item GROUP BY id");
        fails(ErrorCode.DEPENDENT_OBJECTS, alter, "DROP VIEW IDS");
        run("DROP VIEW ids", "ALTER TABLE item ADD CONSTRAINT once UNIQUE (n) NOT VALID");
        fails(ErrorCode.DEPENDENT_OBJECTS, alter, "VALIDATE CONSTRAINT ONCE");
        run("ALTER TABLE item VALIDATE CONSTRAINT once", "CREATE UNIQUE INDEX odd ON item (id, n) WHERE n > 0");
        fails(ErrorCode.NOT_SUPPORTED, alter, "ODD");
        run("DROP INDEX odd");
        fails(ErrorCode.NOT_SUPPORTED, "ALTER TABLE item PARTITION ON COLUMN n", "may be null");
        fails(ErrorCode.NOT_SUPPORTED, "ALTER TABLE item PARTITION ON COLUMN d", "approximate");
        fails(ErrorCode.SYNTAX, alter + " INTO \".0123456789ABCDEF\"", "INTO");
        fails(ErrorCode.SYNTAX, alter + " FROM \".0123456789ABCDEF\"", "INTO");
        run(alter);
        assertThat(number("SELECT SUM(k) FROM item WHERE id = 1")).isEqualTo(2);
    }

    @Test
    void numbersGoOnBehindThoseThatWereDrawn() {
        run(
                "CREATE TABLE item (id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, k INTEGER NOT NULL) REPLICATED",
                "CREATE TABLE dense (id BIGINT GENERATED ALWAYS AS IDENTITY (CACHE 5) PRIMARY KEY, k INTEGER NOT NULL)"
                        + " REPLICATED");
        for (int i = 0; i < 20; i++) {
            client.execute("INSERT INTO item (k) VALUES (?)", i);
            client.execute("INSERT INTO dense (k) VALUES (?)", i);
        }
        run("DELETE FROM item WHERE id = 20");
        run("ALTER TABLE item PARTITION ON COLUMN k", "ALTER TABLE dense PARTITION ON COLUMN k");
        for (int life = 0; life < 2; life++) {
            for (int i = 0; i < 10; i++) {
                client.execute("INSERT INTO item (k) VALUES (?)", i);
                client.execute("INSERT INTO dense (k) VALUES (?)", i);
            }
            assertThat(number("SELECT COUNT(*) FROM item WHERE id <= 20"))
                    .as("not again")
                    .isEqualTo(19);
            assertThat(number("SELECT COUNT(DISTINCT id) FROM item")).isEqualTo(number("SELECT COUNT(*) FROM item"));
            restart();
        }
        fails(ErrorCode.NOT_SUPPORTED, "ALTER TABLE item REPLICATED", "draws the numbers");
        run("ALTER TABLE dense REPLICATED");
        assertThat(number("SELECT COUNT(DISTINCT id) FROM dense")).isEqualTo(40);
    }

    @Test
    void aTableWithoutAKeyIsPlacedAtOnce() {
        run("CREATE TABLE log (id INTEGER, k INTEGER NOT NULL) REPLICATED");
        fill("INSERT INTO log VALUES (?, ?)", 500);
        fill("INSERT INTO log VALUES (?, ?)", 500);
        fails(ErrorCode.NOT_SUPPORTED, "ALTER TABLE log PARTITIONED", "no primary key");
        run("ALTER TABLE log PARTITION ON COLUMN k");
        assertThat(number("SELECT COUNT(*) FROM log WHERE id = 499")).isEqualTo(2);
        assertThat(number("SELECT COUNT(*) FROM log")).isEqualTo(1000);
        run("DELETE FROM log WHERE id >= 250", "DELETE FROM log WHERE k > 3");
        run("CREATE TABLE one AS SELECT DISTINCT id, k FROM log", "ALTER TABLE one ADD PRIMARY KEY (id)");
        run("ALTER TABLE one PARTITIONED");
        assertThat(place("ONE")).isEqualTo("ID");
    }

    @Test
    void readersSeeAllRowsAndWritersAreToldToComeAgain() throws Exception {
        run("CREATE TABLE item (id INTEGER NOT NULL PRIMARY KEY, k INTEGER NOT NULL) PARTITION ON COLUMN id");
        fill("INSERT INTO item VALUES (?, ?)", ROWS);
        int written = 0;
        for (String column : List.of("k", "id", "k")) {
            CompletableFuture<CallResult> placed =
                    client.executeAsync("ALTER TABLE item PARTITION ON COLUMN " + column);
            List<CompletableFuture<CallResult>> writes = new ArrayList<>();
            while (!placed.isDone()) {
                assertThat(number("SELECT COUNT(*) FROM item WHERE id >= 0")).isEqualTo(ROWS);
                int id = -1 - written - writes.size();
                writes.add(client.executeAsync("INSERT INTO item VALUES (?, ?)", id, id));
            }
            placed.get();
            for (CompletableFuture<CallResult> write : writes) {
                written += write.handle((result, failure) -> failure == null).get() ? 1 : 0;
            }
            assertThat(number("SELECT COUNT(*) FROM item WHERE id < 0")).isEqualTo(written);
            written += 10_000; // other numbers in the next round
            run("DELETE FROM item WHERE id < 0");
            written = 0;
        }
        restart();
        assertThat(number("SELECT COUNT(*) FROM item")).isEqualTo(ROWS);
    }

    @Test
    void aTransactionPlacesTablesWithoutRows() {
        run("CREATE TABLE item (id INTEGER NOT NULL PRIMARY KEY, k INTEGER NOT NULL) PARTITION ON COLUMN id");
        try (Session session = client.begin()) {
            session.execute("ALTER TABLE item PARTITION ON COLUMN k");
            session.execute("CREATE TABLE other (id INTEGER NOT NULL PRIMARY KEY, k INTEGER NOT NULL)");
            session.execute("ALTER TABLE other PARTITION ON COLUMN k");
            session.commit();
        }
        assertThat(place("ITEM")).isEqualTo("K");
        assertThat(place("OTHER")).isEqualTo("K");
        run("INSERT INTO item VALUES (1, 2)");
        try (Session session = client.begin()) {
            session.execute("ALTER TABLE item PARTITION ON COLUMN id");
            assertThatThrownBy(session::commit).hasMessageContaining("outside of a transaction");
        }
        assertThat(place("ITEM")).isEqualTo("K");
    }

    @Test
    void aTransactionPlacesTablesThatAreNoLongerReplicatedOrBecomeSo() {
        run("CREATE TABLE keyed (id INTEGER NOT NULL PRIMARY KEY, k INTEGER NOT NULL)");
        run("CREATE TABLE plain (a INTEGER NOT NULL)", "CREATE TABLE apart (a INTEGER NOT NULL) PARTITION ON COLUMN a");
        run(
                "INSERT INTO plain VALUES (1), (1)",
                "DELETE FROM plain",
                "INSERT INTO apart VALUES (1)",
                "DELETE FROM apart");
        try (Session session = client.begin()) {
            session.execute("ALTER TABLE keyed PARTITION ON COLUMN k");
            session.execute("ALTER TABLE plain PARTITION ON COLUMN a");
            session.execute("ALTER TABLE apart REPLICATED");
            session.commit();
        }
        for (int life = 0; life < 2; life++) {
            assertThat(place("KEYED")).isEqualTo("K");
            assertThat(place("PLAIN")).isEqualTo("A");
            assertThat(place("APART")).isEqualTo("null");
            run("INSERT INTO keyed VALUES (" + life + ", 2)");
            run("INSERT INTO plain VALUES (1), (1), (2)", "INSERT INTO apart VALUES (1), (1)");
            assertThat(number("SELECT COUNT(*) FROM plain")).isEqualTo(3L * (life + 1));
            assertThat(number("SELECT COUNT(*) FROM apart")).isEqualTo(2L * (life + 1));
            restart();
        }
    }

    @Test
    void aTransactionPlacesTablesThatAreSpreadByRowIds() {
        run("CREATE TABLE empty (a INTEGER NOT NULL) PARTITION ON ROW");
        run("CREATE TABLE filled (a INTEGER NOT NULL) PARTITION ON ROW");
        run("INSERT INTO filled VALUES (1), (2)");
        try (Session session = client.begin()) {
            session.execute("ALTER TABLE empty PARTITION ON COLUMN a");
            session.commit();
        }
        assertThat(place("EMPTY")).isEqualTo("A");
        try (Session session = client.begin()) {
            session.execute("ALTER TABLE filled PARTITION ON COLUMN a");
            assertThatThrownBy(session::commit).hasMessageContaining("outside of a transaction");
        }
        run("ALTER TABLE filled PARTITION ON COLUMN a");
        assertThat(place("FILLED")).isEqualTo("A");
        run("INSERT INTO empty VALUES (1)");
        run("INSERT INTO filled VALUES (3)");
    }
}
