package dev.fulmar.it.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.sql.Timestamp;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.PGResultSetMetaData;
import org.postgresql.util.PGInterval;
import org.postgresql.util.PGTimestamp;

/** Forms of statements that the tests of PostgreSQL's JDBC driver have. */
class StatementFormsOfClientsTest extends PostgresNodeFixture {
    StatementFormsOfClientsTest() {
        super(false);
    }

    private static String first(PreparedStatement query, Object... values) throws SQLException {
        for (int i = 0; i < values.length; i++) {
            query.setObject(i + 1, values[i]);
        }
        try (ResultSet rows = query.executeQuery()) {
            assertThat(rows.next()).isTrue();
            return rows.getString(1);
        }
    }

    /** Nothing but the driver's type says what such a parameter is. */
    @Test
    void aParameterHasTheTypeThatTheDriverSays() throws SQLException {
        List<Object> values = List.of((short) 1, 2, 3L, 4.5f, 5.5, new BigDecimal("6.50"));
        List<String> negative = List.of("-1", "-2", "-3", "-4.5", "-5.5", "-6.50");
        for (int i = 0; i < values.size(); i++) {
            try (PreparedStatement query = connection.prepareStatement("SELECT -?, ?")) {
                assertThat(first(query, values.get(i), "text")).isEqualTo(negative.get(i));
            }
        }
        try (PreparedStatement query =
                connection.prepareStatement("SELECT sum(n) FROM generate_series(?, ?) AS g (n)")) {
            assertThat(first(query, 1, 4)).isEqualTo("10");
        }
        try (PreparedStatement query = connection.prepareStatement("SELECT ? + ?")) {
            assertThat(first(
                            query,
                            new PGTimestamp(
                                    Timestamp.valueOf("2024-02-29 12:00:00").getTime()),
                            new PGInterval("1 day")))
                    .startsWith("2024-03-01 12:00:00");
            assertThat(first(query, 1, 2.5)).isEqualTo("3.5");
        }
        try (PreparedStatement query = connection.prepareStatement("SELECT CAST(-? AS VARCHAR)")) {
            assertThat(first(query, 7)).isEqualTo("-7");
        }
    }

    @Test
    void aColumnOfTextsTakesValuesOfOtherTypes() throws SQLException {
        update("CREATE TABLE said (id SERIAL PRIMARY KEY, what TEXT)");
        UUID uuid = new UUID(1, 2);
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO said (what) VALUES (?)")) {
            for (Object value : List.of(1, new BigDecimal("3.50"), uuid)) {
                insert.setObject(1, value);
                insert.executeUpdate();
            }
        }
        assertThat(rows("SELECT what FROM said ORDER BY id")).containsExactly("1", "3.50", uuid.toString());
    }

    @Test
    void aPreparedStatementHasTheTypesThatItSays() throws SQLException {
        update("PREPARE negative (int) AS SELECT -$1");
        assertThat(rows("EXECUTE negative (4)")).containsExactly("-4");
    }

    /** The first error counts, which is about the statement as it was written. */
    @Test
    void aStatementThatNoTypeHelpsFailsAsItIs() {
        assertThatThrownBy(() -> {
                    try (PreparedStatement query = connection.prepareStatement("SELECT -? FROM nowhere")) {
                        first(query, 1);
                    }
                })
                .isInstanceOfSatisfying(
                        SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("42P01"));
    }

    @Test
    void columnsOfResultsTellTheirTables() throws SQLException {
        update("CREATE SCHEMA shop");
        update("CREATE TABLE shop.item (id INTEGER PRIMARY KEY, \"my price\" NUMERIC(8, 2) NOT NULL, note TEXT)");
        update("CREATE TABLE visit (id SERIAL PRIMARY KEY, item INTEGER)");
        update("CREATE VIEW seen AS SELECT id FROM visit");
        assertThat(
                        origins(
                                "SELECT v.item AS what, i.*, i.id + 1, count(*) OVER () FROM visit v JOIN shop.item i ON v.item = i.id"))
                .containsExactly(
                        "public.visit.item", "shop.item.id", "shop.item.my price", "shop.item.note", "..", "..");
        assertThat(origins("SELECT max(id), item FROM visit AS t GROUP BY item ORDER BY 1"))
                .containsExactly("..", "public.visit.item");
        assertThat(origins("WITH q AS (SELECT id FROM visit) SELECT id FROM q UNION SELECT 1"))
                .containsExactly("..");
        assertThat(origins("SELECT id FROM seen")).containsExactly("..");
        assertThat(origins("INSERT INTO visit (item) VALUES (7) RETURNING id, item + 1"))
                .containsExactly("public.visit.id", "..");
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT id, item FROM visit")) {
            ResultSetMetaData columns = rows.getMetaData();
            assertThat(columns.isAutoIncrement(1)).isTrue();
            assertThat(columns.isNullable(1)).isEqualTo(ResultSetMetaData.columnNoNulls);
            assertThat(columns.isNullable(2)).isEqualTo(ResultSetMetaData.columnNullable);
        }
    }

    private List<String> origins(String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            PGResultSetMetaData columns = rows.getMetaData().unwrap(PGResultSetMetaData.class);
            List<String> origins = new ArrayList<>();
            for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
                origins.add(columns.getBaseSchemaName(i) + "." + columns.getBaseTableName(i) + "."
                        + columns.getBaseColumnName(i));
            }
            return origins;
        }
    }

    @Test
    void rowsOfAResultAreChangedInPlace() throws SQLException {
        update("CREATE TABLE item (id INTEGER PRIMARY KEY, \"my price\" INTEGER, note TEXT)");
        update("INSERT INTO item VALUES (1, 10, 'a'), (2, 20, 'b'), (3, 30, 'c')");
        try (Statement statement =
                        connection.createStatement(ResultSet.TYPE_SCROLL_INSENSITIVE, ResultSet.CONCUR_UPDATABLE);
                ResultSet rows = statement.executeQuery("SELECT * FROM item ORDER BY id")) {
            rows.next();
            rows.updateInt("my price", 11);
            rows.updateRow();
            rows.next();
            rows.deleteRow();
            rows.moveToInsertRow();
            rows.updateInt("id", 4);
            rows.updateString("note", "d");
            rows.insertRow();
            rows.first();
            rows.refreshRow();
            assertThat(rows.getInt("my price")).isEqualTo(11);
        }
        assertThat(rows("SELECT * FROM item ORDER BY id")).containsExactly("1,11,a", "3,30,c", "4,null,d");
    }

    @Test
    void whatNothingNeedsIsDroppedWithCascade() throws SQLException {
        update("CREATE TABLE t (id INTEGER PRIMARY KEY, n INTEGER)");
        update("CREATE INDEX i ON t (n)");
        update("CREATE SEQUENCE s");
        update("CREATE TYPE mood AS ENUM ('ok')");
        update("CREATE FUNCTION f(a bigint) RETURNS bigint LANGUAGE sql AS 'SELECT a + 1'");
        update("INSERT INTO t VALUES (1, 1)");
        for (String object : List.of("INDEX i", "SEQUENCE s", "TYPE mood", "FUNCTION f(bigint)")) {
            update("DROP " + object + " CASCADE");
            update("DROP " + object.replace(" ", " IF EXISTS ") + " CASCADE");
        }
        update("TRUNCATE t CASCADE");
        assertThat(rows("SELECT count(*) FROM t")).containsExactly("0");
    }

    @Test
    void typesOfArraysMaySayDimensions() throws SQLException {
        update("CREATE TABLE grid (id INTEGER PRIMARY KEY, cells INTEGER[][], names TEXT[][][])");
        update("INSERT INTO grid VALUES (1, '{1,2}', ARRAY['a'])");
        assertThat(rows("SELECT cells[2], names, '{3}'::int[][] FROM grid")).containsExactly("2,{a},{3}");
        assertThatThrownBy(() -> update("INSERT INTO grid VALUES (2, '{{1},{2}}', NULL)"))
                .isInstanceOfSatisfying(
                        SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("0A000"));
    }

    @Test
    void aPartOfATextMayHaveNoPlace() throws SQLException {
        assertThat(rows("SELECT substring('1234' for 2), {fn left('1234', 3)}, substring('1234' from 2 for 2)"))
                .containsExactly("12,123,23");
    }

    @Test
    void columnsAndSavepointsHaveAnyNames() throws SQLException {
        update("CREATE TABLE named (key SERIAL PRIMARY KEY, initial TIMESTAMP, final TIMESTAMP)");
        update("INSERT INTO named (initial, final) VALUES ('2024-02-28', '2024-02-29')");
        assertThat(rows("SELECT key, (final-initial) AS diff FROM named")).containsExactly("1,1 day");
        connection.setAutoCommit(false);
        Savepoint savepoint = connection.setSavepoint("a name with \"quotes\"");
        update("DELETE FROM named");
        connection.rollback(savepoint);
        connection.releaseSavepoint(savepoint);
        connection.commit();
        assertThat(rows("SELECT count(*) FROM named")).containsExactly("1");
    }

    @Test
    void whatOthersNeedStaysWithCascade() throws SQLException {
        update("CREATE TYPE mood AS ENUM ('ok')");
        update("CREATE SEQUENCE s");
        update("CREATE TABLE parent (id INTEGER PRIMARY KEY, m mood, n BIGINT DEFAULT nextval('s'))");
        update("CREATE TABLE child (id INTEGER PRIMARY KEY REFERENCES parent)");
        for (String object : List.of("TYPE mood", "SEQUENCE s")) {
            assertThatThrownBy(() -> update("DROP " + object + " CASCADE"))
                    .isInstanceOfSatisfying(
                            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("2BP01"));
        }
        assertThatThrownBy(() -> update("TRUNCATE parent CASCADE")).isInstanceOf(SQLException.class);
        update("TRUNCATE parent, child CASCADE");
    }

    @ParameterizedTest
    @ValueSource(strings = {"SET TRANSACTION", "SET SESSION TRANSACTION", "SET LOCAL TRANSACTION"})
    void aTransactionSaysItsModes(String set) throws SQLException {
        try (Connection other = connect("")) {
            other.setAutoCommit(false);
            other.createStatement().execute(set + " ISOLATION LEVEL READ COMMITTED, READ ONLY");
            try (ResultSet rows = other.createStatement()
                    .executeQuery("SELECT current_setting('transaction_isolation'),"
                            + " current_setting('transaction_read_only')")) {
                assertThat(rows.next()).isTrue();
                assertThat(rows.getString(1) + " " + rows.getString(2)).isEqualTo("read committed on");
            }
            other.commit();
        }
    }
}
