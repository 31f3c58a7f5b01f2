package dev.fulmar.it.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Statements that begin with WITH and change rows, with PostgreSQL's JDBC driver. The answers are PostgreSQL 15's. */
@Timeout(60)
class ChangingWithOfClientsTest extends PostgresNodeFixture {
    private static final String UPSERT = "WITH u AS (UPDATE l SET what = ? WHERE n = ? RETURNING *)"
            + " INSERT INTO l SELECT ?, ? WHERE NOT EXISTS (SELECT 1 FROM u)";

    ChangingWithOfClientsTest() {
        super(false);
    }

    @BeforeEach
    void createTables() throws SQLException {
        run(
                connection,
                "CREATE TABLE jobs (id BIGINT PRIMARY KEY, state TEXT)",
                "CREATE TABLE a (id BIGINT PRIMARY KEY, v TEXT)",
                "CREATE TABLE b (id BIGINT PRIMARY KEY, v TEXT)",
                "CREATE TABLE l (n BIGINT PRIMARY KEY, what TEXT)",
                "INSERT INTO jobs SELECT g, 'new' FROM generate_series(1, 20) g",
                "INSERT INTO a SELECT g, 'v' || g FROM generate_series(1, 9) g");
    }

    @Test
    void rowsMoveFromTableToTable() throws SQLException {
        assertThat(update("WITH moved AS (DELETE FROM a WHERE id < 3 RETURNING *) INSERT INTO b SELECT * FROM moved"))
                .isEqualTo(2);
        assertThat(rows("WITH moved AS (DELETE FROM a WHERE id < 4 RETURNING id, v) INSERT INTO b (v, id)"
                        + " SELECT v || '!', id FROM moved RETURNING id, v"))
                .containsExactly("3,v3!");
        assertThat(rows("SELECT * FROM b ORDER BY id")).containsExactly("1,v1", "2,v2", "3,v3!");
        assertThat(rows("SELECT count(*), min(id) FROM a")).containsExactly("6,4");
    }

    @Test
    void rowsThatAreAddedAreShown() throws SQLException {
        assertThat(rows("WITH n AS (INSERT INTO l VALUES (1, 'x'), (2, 'y') RETURNING n) SELECT n FROM n ORDER BY n"))
                .containsExactly("1", "2");
        assertThat(rows("WITH n AS (INSERT INTO l VALUES (3, 'x') RETURNING n, what AS w)"
                        + " SELECT w, count(*) FROM n GROUP BY w"))
                .containsExactly("x,1");
        assertThat(rows("WITH n (k) AS (INSERT INTO l VALUES (4, 'x') RETURNING n, what) SELECT k, what FROM n"))
                .containsExactly("4,x");
        assertThat(rows("WITH RECURSIVE t(n) AS (SELECT 11 UNION ALL SELECT n + 1 FROM t WHERE n < 13),"
                        + " i AS (INSERT INTO l SELECT n, 'r' FROM t RETURNING n) SELECT sum(n) FROM i"))
                .containsExactly("36");
    }

    @Test
    void aPartRunsThoughNothingReadsIt() throws SQLException {
        assertThat(rows("WITH d AS (DELETE FROM a WHERE id > 5) SELECT count(*) FROM b"))
                .containsExactly("0");
        assertThat(rows("SELECT count(*) FROM a")).containsExactly("5");
    }

    @Test
    void rowsPassThroughSeveralParts() throws SQLException {
        run(connection, "INSERT INTO l VALUES (3, 'three')", "INSERT INTO b VALUES (1, 'b')");
        assertThat(update("WITH d AS (DELETE FROM l WHERE n = 3 RETURNING n), e AS (INSERT INTO a SELECT n + 100, 'l'"
                        + " FROM d RETURNING id) UPDATE b SET v = v || e.id FROM e WHERE b.id < 3"))
                .isEqualTo(1);
        assertThat(rows("SELECT v FROM b")).containsExactly("b103");
        assertThat(rows("SELECT v FROM a WHERE id = 103")).containsExactly("l");
        assertThat(rows("SELECT * FROM l")).isEmpty();
    }

    /** Parameters stand in several parts, and have a type in each. */
    @Test
    void rowsAreUpdatedOrAdded() throws SQLException {
        for (String value : new String[] {"first", "second"}) {
            try (PreparedStatement statement = connection.prepareStatement(UPSERT)) {
                statement.setString(1, value);
                statement.setLong(2, 7);
                statement.setLong(3, 7);
                statement.setString(4, value);
                assertThat(statement.executeUpdate()).isEqualTo(value.equals("first") ? 1 : 0);
            }
            assertThat(rows("SELECT * FROM l")).containsExactly("7," + value);
        }
        run(
                connection,
                "PREPARE p (bigint, text) AS WITH u AS (UPDATE l SET what = $2 WHERE n = $1 RETURNING *)"
                        + " INSERT INTO l SELECT $1, $2 WHERE NOT EXISTS (SELECT 1 FROM u)",
                "EXECUTE p (7, 'third')",
                "EXECUTE p (8, 'new')");
        assertThat(rows("SELECT * FROM l ORDER BY n")).containsExactly("7,third", "8,new");
    }

    @Test
    void aRowIsFoundOrAdded() throws SQLException {
        String sql = "WITH i AS (INSERT INTO l VALUES (?, 'x') ON CONFLICT (n) DO NOTHING RETURNING n)"
                + " SELECT n, 'new' FROM i UNION ALL SELECT n, 'old' FROM l WHERE n = ? LIMIT 1";
        List<String> found = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < 8; i++) { // the driver names the statement after some
                statement.setLong(1, i / 2);
                statement.setLong(2, i / 2);
                try (ResultSet rows = statement.executeQuery()) {
                    found.addAll(rows(rows));
                }
            }
        }
        assertThat(found).containsExactly("0,new", "0,old", "1,new", "1,old", "2,new", "2,old", "3,new", "3,old");
    }

    @Test
    void partsSeeTheRowsOfBefore() throws SQLException {
        assertThat(rows("WITH d AS (DELETE FROM a WHERE id > 5 RETURNING id), f AS (SELECT count(*) AS c FROM a)"
                        + " SELECT c, (SELECT count(*) FROM d) FROM f"))
                .containsExactly("9,4");
        assertThat(rows("WITH d AS (DELETE FROM a WHERE id = 5 RETURNING id) SELECT count(*), 'all' FROM a"
                        + " UNION ALL SELECT count(*), 'gone' FROM d ORDER BY 2"))
                .containsExactly("5,all", "1,gone");
        for (String sql : new String[] {
            "WITH d AS (DELETE FROM a WHERE id = 4 RETURNING id) SELECT d.id, (SELECT count(*) FROM a) FROM d",
            "WITH d AS (UPDATE a SET v = 'x' WHERE id = 4 RETURNING id) DELETE FROM a WHERE id = 4",
            "WITH d AS (DELETE FROM a WHERE id = 4) INSERT INTO a VALUES (4, 'x') ON CONFLICT DO NOTHING",
            "WITH d AS (DELETE FROM a WHERE id = 4 RETURNING id) INSERT INTO a SELECT id, 'x' FROM d"
                    + " ON CONFLICT (id) DO UPDATE SET v = 'y'"
        }) {
            assertThat(state(connection, sql)).as(sql).isEqualTo("0A000");
        }
        assertThat(rows("SELECT v FROM a WHERE id = 4")).containsExactly("v4");
    }

    @Test
    void aChangeHasAWithOfItsOwn() throws SQLException {
        assertThat(update("WITH a1 AS (WITH x AS (SELECT 1 AS n, 'x' AS w) INSERT INTO l SELECT n, w FROM x)"
                        + " DELETE FROM a WHERE id = 1"))
                .isEqualTo(1);
        assertThat(rows("WITH i AS (WITH x AS (SELECT id + 1 AS n, v FROM a WHERE id = 2) INSERT INTO l TABLE x"
                        + " RETURNING n), c AS (SELECT count(*) AS c FROM l) SELECT i.n, c.c FROM i, c"))
                .containsExactly("3,1");
        assertThat(rows("SELECT * FROM l ORDER BY n")).containsExactly("1,x", "3,v2");
        assertThat(state(
                        connection,
                        "WITH d AS (WITH x AS (SELECT 2 AS n) DELETE FROM a USING x WHERE id = n) SELECT 1"))
                .isEqualTo("0A000");
        assertThat(rows("SELECT count(*) FROM a")).containsExactly("8");
    }

    /** Of two with one name the item is seen by those behind it. */
    @Test
    void aPartReadsATableWhoseNameALaterItemHas() throws SQLException {
        run(connection, "CREATE TABLE src (id BIGINT)", "INSERT INTO src VALUES (1)");
        assertThat(rows("WITH d AS (DELETE FROM a WHERE id IN (SELECT id FROM src) RETURNING id),"
                        + " src AS (SELECT 2 AS id) SELECT d.id, src.id FROM d, src"))
                .containsExactly("1,2");
        assertThat(rows("SELECT min(id) FROM a")).containsExactly("2");
        assertThat(state(
                        connection,
                        "WITH d AS (DELETE FROM a WHERE id IN (SELECT id FROM later) RETURNING id),"
                                + " later AS (SELECT 2 AS id) SELECT d.id FROM d, later"))
                .isEqualTo("42P01");
    }

    @Test
    void theQueryTableReadsAnItem() throws SQLException {
        run(connection, "CREATE TABLE d (id BIGINT, other TEXT)", "INSERT INTO d VALUES (77, 'table')");
        assertThat(rows("WITH d AS (DELETE FROM a WHERE id = 1 RETURNING id) TABLE d"))
                .containsExactly("1");
        assertThat(rows("WITH d AS (DELETE FROM a WHERE id < 4 RETURNING id) SELECT * FROM (TABLE d) AS x"
                        + " UNION ALL TABLE ONLY d ORDER BY id DESC LIMIT 3"))
                .containsExactly("3", "3", "2");
        assertThat(update("WITH d AS (DELETE FROM a WHERE id = 4 RETURNING *) INSERT INTO b TABLE d"))
                .isEqualTo(1);
        assertThat(rows("WITH d AS (SELECT 12 AS n, 'x' AS w), i AS (INSERT INTO l TABLE d RETURNING n) TABLE i"))
                .containsExactly("12");
        assertThat(update("WITH d AS (SELECT 13 AS n, 'x' AS w) INSERT INTO l TABLE d"))
                .isEqualTo(1);
        assertThat(rows("WITH c AS (SELECT 14 AS n, 'y' AS w), i AS (DELETE FROM d), e AS (TABLE c) TABLE e"))
                .containsExactly("14,y");
        assertThat(rows("TABLE d")).isEmpty();
        assertThat(rows("SELECT * FROM b")).containsExactly("4,v4");
    }

    @Test
    void rowsThatFollowCountAsChanged() throws SQLException {
        run(
                connection,
                "CREATE TABLE child (id BIGINT PRIMARY KEY, p BIGINT REFERENCES a ON DELETE CASCADE)",
                "INSERT INTO child VALUES (1, 1)");
        String child = "WITH d AS (DELETE FROM a WHERE id = 1 RETURNING id) SELECT d.id, (SELECT count(*) FROM child)"
                + " FROM d";
        assertThat(state(connection, child)).isEqualTo("0A000");
        assertThat(rows("WITH f AS (SELECT count(*) AS c FROM child), d AS (DELETE FROM a WHERE id = 1 RETURNING id)"
                        + " SELECT d.id, c FROM d, f"))
                .containsExactly("1,1");
        assertThat(rows("SELECT count(*) FROM child")).containsExactly("0");
        run(connection, "CREATE MATERIALIZED VIEW states AS SELECT state, count(*) AS c FROM jobs GROUP BY state");
        assertThat(state(
                        connection,
                        "WITH u AS (UPDATE jobs SET state = 'x' RETURNING id) SELECT u.id, s.c FROM u, states s"))
                .isEqualTo("0A000");
    }

    @Test
    void aPartThatFailsUndoesAll() throws SQLException {
        String fails = "WITH d AS (DELETE FROM a WHERE id = 1 RETURNING id) SELECT id / 0 FROM d";
        assertThat(state(connection, fails)).isEqualTo("22012");
        assertThat(state(
                        connection,
                        "WITH n AS (INSERT INTO l VALUES (1, 'x') RETURNING *) INSERT INTO l SELECT * FROM n"))
                .isEqualTo("23505");
        assertThat(rows("SELECT count(*) FROM a")).containsExactly("9");
        assertThat(rows("SELECT * FROM l")).isEmpty();

        connection.setAutoCommit(false);
        run(connection, "INSERT INTO l VALUES (5, 'kept')", "SAVEPOINT s");
        assertThat(state(connection, fails)).isEqualTo("22012");
        assertThat(state(connection, "SELECT 1")).isEqualTo("25P02");
        run(connection, "ROLLBACK TO SAVEPOINT s");
        assertThat(update("WITH d AS (DELETE FROM a WHERE id = 1 RETURNING id) INSERT INTO l SELECT id, 'd' FROM d"))
                .isEqualTo(1);
        connection.commit();
        connection.setAutoCommit(true);
        assertThat(rows("SELECT * FROM l ORDER BY n")).containsExactly("1,d", "5,kept");
        assertThat(rows("SELECT count(*) FROM a")).containsExactly("8");
    }

    @Test
    void queriesStandBeforeChanges() throws SQLException {
        assertThat(update("WITH x AS (SELECT * FROM a WHERE id = 9) INSERT INTO b SELECT * FROM x"))
                .isEqualTo(1);
        assertThat(update("WITH x AS (SELECT 7 AS id) INSERT INTO b VALUES ((SELECT id FROM x), 'seven')"))
                .isEqualTo(1);
        assertThat(update("WITH x AS (SELECT id FROM a WHERE id = 9) DELETE FROM b USING x WHERE b.id = x.id"))
                .isEqualTo(1);
        assertThat(update("WITH x AS (SELECT id, v FROM a) MERGE INTO b USING x ON b.id = x.id"
                        + " WHEN MATCHED THEN DELETE WHEN NOT MATCHED THEN INSERT VALUES (x.id, x.v)"))
                .isEqualTo(9);
        assertThat(rows("SELECT id FROM b ORDER BY id")).containsExactly("1", "2", "3", "4", "5", "6", "8", "9");
    }

    /** Workers take different jobs. One that holds a job keeps no others waiting. */
    @Test
    void workersTakeJobsFromAQueue() throws SQLException {
        String take =
                "WITH next AS (SELECT id FROM jobs WHERE state = 'new' ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED)"
                        + " UPDATE jobs SET state = 'done' FROM next WHERE jobs.id = next.id RETURNING jobs.id, jobs.state";
        Set<String> taken = new TreeSet<>();
        try (Connection other = connect("");
                Statement statement = other.createStatement()) {
            connection.setAutoCommit(false);
            other.setAutoCommit(false);
            for (int i = 0; i < 3; i++) {
                taken.addAll(rows(take));
                try (ResultSet rows = statement.executeQuery(take)) {
                    taken.addAll(rows(rows));
                }
                connection.commit();
                other.commit();
            }
            connection.setAutoCommit(true);
        }
        taken.addAll(rows(take));
        assertThat(taken).containsExactly("1,done", "2,done", "3,done", "4,done", "5,done", "6,done", "7,done");
    }

    /** The rows that pass are those that are deleted in the end, at each level. */
    @Test
    void rowsThatOthersChangeMeanwhileAreNotMoved() throws SQLException {
        try (Connection other = connect("")) {
            int row = 0;
            for (String level : new String[] {"SERIALIZABLE", "REPEATABLE READ", "READ COMMITTED"}) {
                row++;
                run(connection, "BEGIN ISOLATION LEVEL " + level);
                run(
                        connection,
                        "WITH d AS (DELETE FROM a WHERE id = " + row + " RETURNING *) INSERT INTO b SELECT * FROM d");
                run(other, "UPDATE a SET v = 'other' WHERE id = " + row);
                assertThat(state(connection, "COMMIT")).as(level).isEqualTo("40001");
            }
        }
        assertThat(rows("SELECT count(*) FROM a WHERE v = 'other'")).containsExactly("3");
        assertThat(rows("SELECT * FROM b")).isEmpty();
    }

    /** Every type comes out as it went in. */
    @Test
    void valuesOfAllTypesPass() throws SQLException {
        String columns = " (id INT PRIMARY KEY, b BOOLEAN, s SMALLINT, r REAL, d DOUBLE PRECISION, n NUMERIC,"
                + " n2 NUMERIC(10,3), c CHAR(5), t VARCHAR(20), x TEXT, bb BYTEA, j JSON, jb JSONB, da DATE, ti TIME,"
                + " ts TIMESTAMP, tz TIMESTAMPTZ, iv INTERVAL, u UUID, ar INT[], m mood)";
        run(
                connection,
                "CREATE TYPE mood AS ENUM ('sad', 'ok')",
                "CREATE TABLE ty" + columns,
                "CREATE TABLE other" + columns,
                "INSERT INTO ty (id) VALUES (1)",
                "INSERT INTO ty VALUES (2, true, 3, 1.5, 0.1, 1.500, 2.5, 'ab', 'v', 'te\"x\\,{}', '\\x00ff'::bytea,"
                        + " '{\"a\": 1}', '{\"b\":2}', '2024-01-02', '01:02:03.000004', '2024-01-02 03:04:05',"
                        + " '2024-01-02 03:04:05.123456+02', '1 mon 2 days -00:00:01.5',"
                        + " '00000000-0000-0000-0000-000000000001', '{1,NULL,3}', 'ok')",
                "INSERT INTO ty VALUES (3, false, -3, 1e30, 1e300, 'NaN', -2.5, '', '', 'NULL', ''::bytea, '[]',"
                        + " '[null]', 'infinity', '00:00:00', '-infinity', 'infinity', '-1 mons',"
                        + " 'ffffffff-0000-0000-0000-000000000001', '{}', 'sad')",
                "INSERT INTO ty VALUES (4, false, 3, 0, 0, 123456789012345678901234567890.123456789, 1234567.891,"
                        + " 'é', '', E'line\\n 2 é€', ''::bytea, '\"x\"', '\"x\"', '0001-01-01', '23:59:59.999999',"
                        + " '9999-12-31 23:59:59.999999', '1900-01-01 00:00:00+00', '1 year',"
                        + " 'ffffffff-0000-0000-0000-000000000002', '{1}', 'sad')");
        List<String> before = rows("SELECT * FROM ty ORDER BY id");
        assertThat(update("WITH moved AS (DELETE FROM ty RETURNING *) INSERT INTO other SELECT * FROM moved"))
                .isEqualTo(4);
        assertThat(rows("SELECT * FROM other ORDER BY id")).isEqualTo(before);
        assertThat(rows("WITH moved AS (DELETE FROM other RETURNING *) SELECT * FROM moved ORDER BY id"))
                .isEqualTo(before);
    }

    @Test
    void rowsThatAreTooManyAreRefused() throws SQLException {
        run(connection, "INSERT INTO b SELECT g, repeat('x', 2000) FROM generate_series(1, 600) g");
        assertThat(state(connection, "WITH d AS (DELETE FROM b RETURNING *) SELECT count(v) FROM d"))
                .isEqualTo("54000");
        assertThat(rows("WITH d AS (DELETE FROM b WHERE id <= 300 RETURNING *) SELECT count(v) FROM d"))
                .containsExactly("300");
        assertThat(rows("SELECT count(*) FROM b")).containsExactly("300");
    }

    /** Also where the driver sends plain queries. */
    @Test
    void plainQueriesHaveTheSameAnswers() throws SQLException {
        try (Connection plain = connect("&preferQueryMode=simple");
                Statement statement = plain.createStatement()) {
            try (ResultSet rows = statement.executeQuery(
                    "WITH d AS (DELETE FROM a WHERE id < 3 RETURNING id, v || '!' AS w) SELECT * FROM d ORDER BY id")) {
                assertThat(rows(rows)).containsExactly("1,v1!", "2,v2!");
            }
            assertThat(statement.executeUpdate(
                            "WITH d AS (DELETE FROM a RETURNING *) UPDATE b SET v = 'x' FROM d WHERE d.id = b.id"))
                    .isZero();
        }
        assertThat(rows("SELECT * FROM a")).isEmpty();
    }
}
