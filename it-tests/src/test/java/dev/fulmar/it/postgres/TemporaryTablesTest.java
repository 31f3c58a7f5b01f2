package dev.fulmar.it.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.client.FulmarClient;
import dev.fulmar.client.Session;
import dev.fulmar.engine.spi.TemporaryMark;
import java.io.StringReader;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.PGConnection;

/** Temporary tables of one node's sessions, with PostgreSQL's JDBC driver. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class TemporaryTablesTest extends PostgresNodeFixture {
    TemporaryTablesTest() {
        super(true);
    }

    private static List<String> rows(Connection of, String sql) throws SQLException {
        try (Statement statement = of.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            return rows(rows);
        }
    }

    /** Names of the tables that the driver finds of a type. */
    private static List<String> tables(Connection by, String type) throws SQLException {
        List<String> names = new ArrayList<>();
        try (ResultSet rows = by.getMetaData().getTables(null, null, "%", new String[] {type})) {
            while (rows.next()) {
                names.add(rows.getString("TABLE_NAME"));
            }
        }
        return names;
    }

    private void awaitNone() throws InterruptedException {
        LeftTemporaryTablesTest.awaitNone(node);
    }

    @Test
    void aTableIsSeenByItsSessionAlone() throws SQLException {
        try (Connection other = connect("")) {
            run(connection, "CREATE TEMP TABLE t (a INTEGER PRIMARY KEY, b VARCHAR(10))");
            assertThat(update("INSERT INTO t VALUES (1, 'x'), (2, 'y')")).isEqualTo(2);
            assertThat(rows("SELECT t.a, b FROM t ORDER BY a")).containsExactly("1,x", "2,y");
            assertThat(rows("SELECT t.b FROM pg_temp.t WHERE t.a = 2")).containsExactly("y");
            assertThat(state(other, "SELECT * FROM t")).isEqualTo("42P01");
            run(other, "CREATE LOCAL TEMPORARY TABLE t (c INTEGER)", "INSERT INTO t VALUES (7)");
            assertThat(rows(other, "SELECT * FROM t")).containsExactly("7");
            assertThat(rows("SELECT COUNT(*) FROM t")).containsExactly("2");
        }
    }

    /** A client that knows the name of the schema reaches nothing by it. */
    @Test
    void aClientNamesNoSessionsTables() throws SQLException {
        run(connection, "CREATE TEMP TABLE t (a INTEGER)", "INSERT INTO t VALUES (1)");
        String schema = node.database().catalog().temporarySchemas().first();
        try (FulmarClient client = FulmarClient.connect("127.0.0.1:" + node.port());
                Session session = client.begin();
                Connection other = connect("")) {
            for (String sql : List.of("SELECT a FROM t", "CREATE TABLE PG_TEMP.U (A INTEGER)", "DROP TABLE t")) {
                String marked = TemporaryMark.added(sql, schema);
                assertThatThrownBy(() -> client.execute(marked)).hasMessageContaining("leave it out");
                assertThatThrownBy(() -> session.execute(marked)).hasMessageContaining("leave it out");
            }
            assertThatThrownBy(() -> client.call("@Explain", TemporaryMark.added("SELECT a FROM t", schema)))
                    .hasMessageContaining("leave it out");
            assertThat(state(other, TemporaryMark.added("SELECT a FROM t", schema)))
                    .isEqualTo("42P01");
            assertThat(state(other, "SELECT a FROM \"" + schema + "\".t")).isEqualTo("3F000");
        }
        assertThat(rows("SELECT a FROM t")).containsExactly("1");
    }

    @Test
    void writesOfAllKindsMeanTheTemporaryTable() throws SQLException {
        run(
                connection,
                "CREATE TABLE t (a INTEGER PRIMARY KEY, b INTEGER)",
                "CREATE TEMP TABLE t (a INTEGER PRIMARY KEY, b INTEGER)",
                "INSERT INTO public.t VALUES (1, 100)",
                "INSERT INTO t VALUES (1, 10), (2, 20), (3, 30)");
        assertThat(rows("INSERT INTO t AS u VALUES (1, 1) ON CONFLICT (a) DO UPDATE SET b = u.b + 1 RETURNING b"))
                .containsExactly("11");
        assertThat(rows("UPDATE t SET b = t.b + 1 WHERE t.a = 2 RETURNING t.a, b"))
                .containsExactly("2,21");
        assertThat(update("UPDATE t SET b = s.b FROM (SELECT b FROM public.t) s WHERE a = 3"))
                .isEqualTo(1);
        assertThat(update("DELETE FROM t USING public.t p WHERE t.a = p.a")).isEqualTo(1);
        assertThat(rows("SELECT a, b FROM t ORDER BY a")).containsExactly("2,21", "3,100");
        assertThat(update("MERGE INTO t USING public.t s ON t.a = s.a WHEN NOT MATCHED THEN INSERT VALUES (s.a, s.b)"))
                .isEqualTo(1);
        assertThat(rows("WITH t AS (SELECT a FROM t WHERE a > 1) SELECT COUNT(*) FROM t"))
                .containsExactly("2");
        assertThat(rows("SELECT x.b FROM t x JOIN public.t y ON x.a = y.a")).containsExactly("100");
        run(connection, "TRUNCATE t");
        assertThat(rows("SELECT COUNT(*) FROM t")).containsExactly("0");
        assertThat(rows("SELECT COUNT(*) FROM public.t")).containsExactly("1");
    }

    @Test
    void aPermanentTableIsHiddenAndVisibleAgain() throws SQLException {
        run(connection, "CREATE TABLE t (a INTEGER)", "INSERT INTO t VALUES (1)");
        run(connection, "CREATE TEMP TABLE t AS SELECT a + 1 AS a FROM t");
        assertThat(rows("SELECT a FROM t")).containsExactly("2");
        assertThat(rows("SELECT a FROM public.t")).containsExactly("1");
        run(connection, "DROP TABLE t");
        assertThat(rows("SELECT a FROM t")).containsExactly("1");
        run(connection, "CREATE TEMP TABLE t (b INTEGER)");
        assertThat(rows("SELECT COUNT(b) FROM t")).containsExactly("0");
        run(connection, "DISCARD TEMP");
        assertThat(rows("SELECT a FROM t")).containsExactly("1");
    }

    @Test
    void indexesKeysAndChangesOfTwoSessionsDoNotMeet() throws SQLException {
        try (Connection other = connect("")) {
            for (Connection each : List.of(connection, other)) {
                run(
                        each,
                        "CREATE TEMP TABLE t (a INTEGER PRIMARY KEY, b INTEGER, CONSTRAINT once UNIQUE (b), CHECK (b > 0))",
                        "CREATE INDEX i ON t (b)",
                        "ALTER TABLE t ADD COLUMN c INTEGER",
                        "INSERT INTO t VALUES (1, 2, 3)");
                assertThat(state(each, "INSERT INTO t VALUES (1, 3, 3)")).isEqualTo("23505");
                assertThat(state(each, "INSERT INTO t VALUES (2, 2, 3)")).isEqualTo("23505");
                assertThat(state(each, "INSERT INTO t VALUES (2, 0, 3)")).isEqualTo("23514");
                run(
                        each,
                        "DROP INDEX i",
                        "ALTER TABLE t DROP CONSTRAINT once",
                        "INSERT INTO t VALUES (2, 2, 3)",
                        "ALTER TABLE t RENAME TO u",
                        "ALTER TABLE u RENAME COLUMN c TO d");
                assertThat(rows(each, "SELECT d FROM u WHERE a = 2")).containsExactly("3");
            }
        }
    }

    /** Such changes run by several statements of the node, which name the table. */
    @Test
    void tablesWithRowsGetKeysAndOtherPlaces() throws SQLException {
        run(
                connection,
                "CREATE TABLE t (z INTEGER PRIMARY KEY)",
                "CREATE TEMP TABLE t AS SELECT g AS a, g + 1 AS b, g AS c FROM generate_series(1, 100) AS g",
                "ALTER TABLE t ADD PRIMARY KEY (a)",
                "ALTER TABLE t ADD UNIQUE (b)",
                "CREATE UNIQUE INDEX i ON t (c)",
                "ALTER TABLE t ADD CONSTRAINT d UNIQUE (c, b)",
                "ALTER TABLE t DROP CONSTRAINT d");
        assertThat(state(connection, "INSERT INTO t VALUES (1, 1000, 1000)")).isEqualTo("23505");
        assertThat(state(connection, "INSERT INTO t VALUES (1000, 3, 1000)")).isEqualTo("23505");
        assertThat(state(connection, "INSERT INTO t VALUES (1000, 1000, 3)")).isEqualTo("23505");
        assertThat(rows("SELECT COUNT(*), SUM(a), SUM(b) FROM t")).containsExactly("100,5050,5150");
        run(connection, "CREATE TEMP TABLE u (a INTEGER, b INTEGER NOT NULL)", "INSERT INTO u SELECT a, b FROM t");
        run(connection, "ALTER TABLE u REPLICATED", "ALTER TABLE u PARTITION ON COLUMN b");
        assertThat(rows("SELECT COUNT(*), SUM(a), SUM(b) FROM u")).containsExactly("100,5050,5150");
    }

    @Test
    void rowsThatHaveExpiredGo() throws Exception {
        run(
                connection,
                "CREATE TEMP TABLE t (a INTEGER, b TIMESTAMP NOT NULL) USING TTL 1 SECONDS ON COLUMN b",
                "INSERT INTO t VALUES (1, TIMESTAMP '2020-01-01 00:00:00')");
        while (!rows("SELECT a FROM t").isEmpty()) {
            Thread.sleep(50);
        }
    }

    @Test
    void preparedStatementsOfOneTextAreOfTheirSessions() throws SQLException {
        run(connection, "CREATE TABLE t (a INTEGER)", "INSERT INTO t VALUES (5)");
        try (Connection other = connect("&prepareThreshold=1");
                Connection third = connect("&prepareThreshold=1")) {
            run(other, "CREATE TEMP TABLE t (a INTEGER)", "INSERT INTO t VALUES (6)");
            run(third, "CREATE TEMP TABLE t (a INTEGER)", "INSERT INTO t VALUES (7)");
            try (PreparedStatement permanent = connection.prepareStatement("SELECT a FROM t WHERE a > ?");
                    PreparedStatement sixth = other.prepareStatement("SELECT a FROM t WHERE a > ?");
                    PreparedStatement seventh = third.prepareStatement("SELECT a FROM t WHERE a > ?")) {
                for (int i = 0; i < 8; i++) {
                    assertThat(first(permanent)).isEqualTo(5);
                    assertThat(first(sixth)).isEqualTo(6);
                    assertThat(first(seventh)).isEqualTo(7);
                }
                run(other, "DROP TABLE t");
                assertThat(first(sixth)).isEqualTo(5);
            }
        }
    }

    private static int first(PreparedStatement statement) throws SQLException {
        statement.setInt(1, 0);
        try (ResultSet rows = statement.executeQuery()) {
            assertThat(rows.next()).isTrue();
            return rows.getInt(1);
        }
    }

    @Test
    void tablesGoWithTheirSession() throws Exception {
        try (Connection other = connect("")) {
            run(
                    other,
                    "CREATE TEMP TABLE t (a INTEGER GENERATED ALWAYS AS IDENTITY, b INTEGER)",
                    "CREATE TEMP SEQUENCE s");
            assertThat(node.database().catalog().temporarySchemas()).hasSize(1);
        }
        awaitNone();
        Connection vanishing = connect("");
        run(vanishing, "CREATE TEMP TABLE t (a INTEGER)");
        vanishing.abort(Runnable::run);
        awaitNone();
        run(connection, "CREATE TEMP TABLE t (a INTEGER)", "DISCARD ALL");
        assertThat(node.database().catalog().temporarySchemas()).isEmpty();
        run(connection, "CREATE TEMP TABLE t (a INTEGER)", "INSERT INTO t VALUES (1)");
        assertThat(rows("SELECT a FROM t")).containsExactly("1");
    }

    @Test
    void copyAndCatalogsKnowTheTable() throws Exception {
        run(connection, "CREATE TABLE t (z INTEGER)", "CREATE TEMP TABLE t (a INTEGER, b VARCHAR(10))");
        PGConnection driver = connection.unwrap(PGConnection.class);
        assertThat(driver.getCopyAPI().copyIn("COPY t (a, b) FROM STDIN", new StringReader("1\tx\n2\ty\n")))
                .isEqualTo(2);
        assertThat(rows("SELECT a, b FROM t ORDER BY a")).containsExactly("1,x", "2,y");
        assertThat(rows("SELECT relpersistence, pg_table_is_visible(oid) FROM pg_class WHERE relname = 't' ORDER BY 1"))
                .containsExactly("p,f", "t,t");
        assertThat(rows("SELECT 't'::regclass::oid = (SELECT oid FROM pg_class WHERE relname = 't'"
                        + " AND relpersistence = 't')"))
                .containsExactly("t");
        assertThat(rows("SELECT table_type FROM information_schema.tables WHERE table_name = 't' ORDER BY 1"))
                .containsExactly("BASE TABLE", "LOCAL TEMPORARY");
        assertThat(tables(connection, "TEMPORARY TABLE")).containsExactly("t");
        try (Connection other = connect("")) {
            assertThat(tables(other, "TEMPORARY TABLE")).isEmpty();
            assertThat(tables(other, "TABLE")).containsExactly("t");
            assertThat(rows(other, "SELECT relpersistence FROM pg_class WHERE relname = 't'"))
                    .containsExactly("p");
            assertThat(rows(other, "SELECT nspname FROM pg_namespace WHERE nspname LIKE 'pg_temp%'"))
                    .isEmpty();
            String schema = node.database().catalog().temporarySchemas().getFirst();
            for (String statement : List.of(
                    "SELECT * FROM ?.t",
                    "INSERT INTO ?.t (a) VALUES (1)",
                    "UPDATE ?.t SET a = 1",
                    "DROP TABLE ?.t",
                    "ALTER TABLE ?.t ADD COLUMN c INTEGER",
                    "CREATE INDEX i ON ?.t (a)",
                    "CREATE TABLE ?.u (a INTEGER)",
                    "TRUNCATE ?.t",
                    "DROP SCHEMA ? CASCADE")) {
                assertThat(state(other, statement.replace("?", schema)))
                        .as(statement)
                        .isIn("42P01", "3F000");
            }
            assertThat(state(other, "CREATE TABLE pg_temp.u (a INTEGER)")).isEqualTo("00000");
            assertThat(rows(other, "SELECT COUNT(*) FROM u")).containsExactly("0");
        }
    }

    @Test
    void onCommitIsObeyed() throws SQLException {
        run(connection, "CREATE TEMP TABLE kept (a INTEGER) ON COMMIT PRESERVE ROWS", "INSERT INTO kept VALUES (1)");
        run(
                connection,
                "CREATE TEMP TABLE emptied (a INTEGER) ON COMMIT DELETE ROWS",
                "INSERT INTO emptied VALUES (1)");
        assertThat(rows("SELECT COUNT(*) FROM emptied")).containsExactly("0");
        connection.setAutoCommit(false);
        run(connection, "INSERT INTO emptied VALUES (1), (2)");
        assertThat(rows("SELECT COUNT(*) FROM emptied")).containsExactly("2");
        connection.commit();
        assertThat(rows("SELECT COUNT(*) FROM emptied")).containsExactly("0");
        assertThat(rows("SELECT COUNT(*) FROM kept")).containsExactly("1");
        connection.commit();
        connection.setAutoCommit(true);
        assertThat(state(connection, "ALTER TABLE emptied RENAME TO other")).isEqualTo("0A000");
        run(connection, "CREATE TEMP TABLE gone ON COMMIT DROP AS SELECT a FROM kept");
        assertThat(state(connection, "SELECT * FROM gone")).isEqualTo("42P01");
    }

    /** The driver's usual mode has each statement described, which is of tables that there are. */
    @Test
    void onCommitIsObeyedWhereTheTransactionMakesTheTable() throws SQLException {
        try (Connection simple = connect("&preferQueryMode=simple")) {
            simple.setAutoCommit(false);
            run(simple, "CREATE TEMP TABLE dropped (a INTEGER) ON COMMIT DROP", "INSERT INTO dropped VALUES (1)");
            simple.commit();
            assertThat(state(simple, "SELECT * FROM dropped")).isEqualTo("42P01");
            simple.rollback();
            run(
                    simple,
                    "CREATE TEMP TABLE emptied (a INTEGER) ON COMMIT DELETE ROWS",
                    "INSERT INTO emptied VALUES (1)");
            simple.commit();
            assertThat(rows(simple, "SELECT COUNT(*) FROM emptied")).containsExactly("0");
            simple.commit();
            run(simple, "CREATE TEMP TABLE undone (a INTEGER) ON COMMIT DELETE ROWS");
            simple.rollback();
            simple.setAutoCommit(true);
            assertThat(state(simple, "SELECT * FROM undone")).isEqualTo("42P01");
            run(simple, "CREATE TEMP TABLE undone (a INTEGER)", "INSERT INTO undone VALUES (1)");
            assertThat(rows(simple, "SELECT COUNT(*) FROM undone")).containsExactly("1");
            run(simple, "CREATE TEMP TABLE a (x INTEGER) ON COMMIT DELETE ROWS; INSERT INTO a VALUES (1)");
            assertThat(rows(simple, "SELECT COUNT(*) FROM a")).containsExactly("0");
        }
    }

    /** As drivers and frameworks use them: in a transaction, with parameters, in batches and by COPY. */
    @Test
    void aTransactionUsesTheTableThatItMakes() throws Exception {
        run(
                connection,
                "CREATE TABLE p (a INTEGER PRIMARY KEY, b VARCHAR(10))",
                "INSERT INTO p VALUES (1, 'a'), (2, 'b')");
        connection.setAutoCommit(false);
        run(connection, "INSERT INTO p VALUES (3, 'c')");
        run(connection, "CREATE TEMP TABLE chosen (a INTEGER PRIMARY KEY) ON COMMIT DROP");
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO chosen VALUES (?)")) {
            for (int a = 2; a < 500; a++) {
                insert.setInt(1, a);
                insert.addBatch();
            }
            insert.executeBatch();
        }
        long copied = connection
                .unwrap(PGConnection.class)
                .getCopyAPI()
                .copyIn("COPY chosen FROM STDIN", new StringReader("1001\n1002\n"));
        assertThat(copied).isEqualTo(2);
        assertThat(rows("SELECT COUNT(*), MAX(a) FROM chosen")).containsExactly("500,1002");
        assertThat(rows("SELECT p.b FROM p JOIN chosen USING (a) ORDER BY a")).containsExactly("b", "c");
        run(connection, "CREATE TEMP TABLE copied AS SELECT p.a, p.b FROM p JOIN chosen USING (a)");
        try (Connection other = connect("")) {
            assertThat(state(other, "SELECT * FROM chosen")).isEqualTo("42P01");
        }
        connection.commit();
        assertThat(rows("SELECT b FROM copied ORDER BY a")).containsExactly("b", "c");
        assertThat(state(connection, "SELECT * FROM chosen")).isEqualTo("42P01");
        connection.rollback();
        connection.setAutoCommit(true);
    }

    @Test
    void whatATransactionMadeGoesWithIt() throws Exception {
        connection.setAutoCommit(false);
        run(connection, "CREATE TEMP TABLE kept (a INTEGER)", "INSERT INTO kept VALUES (1)", "SAVEPOINT s");
        run(connection, "CREATE TEMP TABLE undone (a INTEGER)", "INSERT INTO undone VALUES (1)");
        assertThat(rows("SELECT * FROM undone")).containsExactly("1");
        run(
                connection,
                "ROLLBACK TO s",
                "CREATE TEMP TABLE undone (b VARCHAR(5))",
                "INSERT INTO undone VALUES ('new')");
        connection.commit();
        assertThat(rows("SELECT a, b FROM kept, undone")).containsExactly("1,new");
        connection.commit();
        run(connection, "CREATE TEMP TABLE lost (a INTEGER)", "INSERT INTO lost VALUES (1)");
        connection.rollback();
        assertThat(state(connection, "SELECT * FROM lost")).isEqualTo("42P01");
        connection.rollback();
        run(connection, "CREATE TEMP TABLE IF NOT EXISTS kept (a INTEGER)");
        connection.rollback();
        assertThat(rows("SELECT * FROM kept")).as("it was there before").containsExactly("1");
        connection.commit();
        connection.setAutoCommit(true);
    }

    /** A statement that runs again at the COMMIT must not find another table of its name. */
    @Test
    void noRowGoesIntoATableThatCameLater() throws Exception {
        run(connection, "CREATE TABLE t (a INTEGER PRIMARY KEY)", "CREATE TEMP TABLE other (a INTEGER)");
        run(connection, "INSERT INTO t VALUES (1)");
        connection.setAutoCommit(false);
        run(connection, "INSERT INTO t VALUES (2)");
        assertThatThrownBy(() -> {
                    run(connection, "CREATE TEMP TABLE t (a INTEGER)");
                    connection.commit();
                })
                .isInstanceOf(SQLException.class);
        connection.rollback();
        assertThat(rows("SELECT COUNT(*) FROM public.t")).containsExactly("1");
        connection.rollback();
        assertThat(state(connection, "CREATE TEMP TABLE t AS SELECT * FROM t")).isEqualTo("0A000");
        connection.rollback();
        run(connection, "CREATE TEMP TABLE made (a INTEGER)", "INSERT INTO made VALUES (1)");
        assertThat(state(connection, "ALTER TABLE made RENAME TO t")).isNotEqualTo("00000");
        connection.rollback();
        connection.setAutoCommit(true);
        assertThat(rows("SELECT COUNT(*) FROM t")).containsExactly("1");
    }

    @Test
    void whatIsRefusedIsRefusedByName() throws SQLException {
        run(connection, "CREATE TABLE p (a INTEGER PRIMARY KEY)", "CREATE TEMP TABLE t (a INTEGER PRIMARY KEY)");
        assertThat(state(connection, "CREATE TEMP VIEW v AS SELECT 1 AS a")).isEqualTo("0A000");
        assertThat(state(connection, "CREATE VIEW v AS SELECT a FROM t")).isEqualTo("0A000");
        assertThat(state(connection, "CREATE TABLE q (a INTEGER) ON COMMIT DROP"))
                .isEqualTo("0A000");
        assertThat(state(connection, "CREATE TEMP TABLE public.q (a INTEGER)")).isEqualTo("0A000");
        assertThat(state(connection, "CREATE TEMP TABLE q (a INTEGER) ON COMMIT FORGET"))
                .isEqualTo("42601");
        assertThat(state(connection, "CREATE TEMP TABLE q (a INTEGER REFERENCES p (a))"))
                .isEqualTo("0A000");
        assertThat(state(connection, "CREATE TABLE q (a INTEGER REFERENCES t (a))"))
                .isEqualTo("0A000");
        assertThat(state(connection, "ALTER TABLE t RENAME TO public.q")).isEqualTo("0A000");
        assertThatThrownBy(() -> {
                    for (int i = 0; i < 110; i++) {
                        run(connection, "CREATE TEMP TABLE many" + i + " (a INTEGER)");
                    }
                })
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("temporary tables");
    }
}
