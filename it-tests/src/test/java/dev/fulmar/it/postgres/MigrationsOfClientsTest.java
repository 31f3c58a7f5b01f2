package dev.fulmar.it.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Migrations as tools send them by PostgreSQL's driver: tables and rows change in one transaction. */
class MigrationsOfClientsTest extends PostgresNodeFixture {
    MigrationsOfClientsTest() {
        super(true);
    }

    private static long number(Connection by, String sql) throws SQLException {
        try (Statement statement = by.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getLong(1);
        }
    }

    private static int changed(Connection by, String sql) throws SQLException {
        try (Statement statement = by.createStatement()) {
            return statement.executeUpdate(sql);
        }
    }

    private void fill() throws SQLException {
        run(connection, "CREATE TABLE item (id bigint PRIMARY KEY, price integer NOT NULL, name text)");
        run(connection, "INSERT INTO item SELECT n, n * 10, 'item ' || n FROM generate_series(1, 12) AS g (n)");
        run(
                connection,
                "CREATE TABLE flyway_schema_history (installed_rank int NOT NULL PRIMARY KEY, version varchar(50),"
                        + " script varchar(1000) NOT NULL, installed_on timestamp NOT NULL DEFAULT now(),"
                        + " success boolean NOT NULL)");
    }

    @ParameterizedTest
    @ValueSource(ints = {Connection.TRANSACTION_READ_COMMITTED, Connection.TRANSACTION_SERIALIZABLE})
    void aScriptIsOneTransaction(int level) throws SQLException {
        fill();
        try (Connection other = connect("")) {
            connection.setTransactionIsolation(level);
            connection.setAutoCommit(false);
            assertThat(number(connection, "SELECT count(*) FROM flyway_schema_history WHERE success"))
                    .isZero();
            run(connection, "ALTER TABLE item ADD COLUMN cents bigint");
            assertThat(changed(connection, "UPDATE item SET cents = price * 100"))
                    .isEqualTo(12);
            run(connection, "ALTER TABLE item ALTER COLUMN cents SET NOT NULL");
            assertThat(number(connection, "SELECT sum(price) FROM item")).isEqualTo(780);
            try (PreparedStatement history = connection.prepareStatement(
                    "INSERT INTO flyway_schema_history (installed_rank, version, script, success) VALUES (?, ?, ?, ?)")) {
                history.setInt(1, 1);
                history.setString(2, "1.0");
                history.setString(3, "V1_0__cents.sql");
                history.setBoolean(4, true);
                assertThat(history.executeUpdate()).isEqualTo(1);
            }
            assertThat(number(connection, "SELECT max(installed_rank) FROM flyway_schema_history"))
                    .isEqualTo(1);
            assertThat(number(other, "SELECT count(*) FROM flyway_schema_history"))
                    .isZero();

            connection.commit();

            assertThat(number(other, "SELECT sum(cents) FROM item")).isEqualTo(78_000);
            assertThat(number(other, "SELECT count(*) FROM flyway_schema_history WHERE success"))
                    .isEqualTo(1);
        }
    }

    @Test
    void aTableIsReplacedByAnotherOne() throws SQLException {
        fill();
        connection.setAutoCommit(false);
        run(connection, "CREATE TABLE item_new (id bigint PRIMARY KEY, name text NOT NULL)");
        assertThat(changed(connection, "INSERT INTO item_new (id, name) SELECT id, name FROM item WHERE price > 20"))
                .isEqualTo(10);
        run(connection, "DROP TABLE item");
        connection.commit();
        assertThat(number(connection, "SELECT count(*) FROM item_new WHERE name = 'item 12'"))
                .isEqualTo(1);
        connection.rollback();
    }

    @ParameterizedTest
    @ValueSource(strings = {"simple", "extended", "extendedForPrepared"})
    void aQueryReadsWhatTheTransactionHasMade(String mode) throws SQLException {
        fill();
        try (Connection migration = connect("&preferQueryMode=" + mode)) {
            migration.setAutoCommit(false);
            run(migration, "ALTER TABLE item ADD COLUMN cents bigint DEFAULT 7");
            run(migration, "CREATE TABLE other (id bigint PRIMARY KEY, note text)");
            run(migration, "INSERT INTO other VALUES (1, 'a'), (2, NULL)");
            assertThat(changed(migration, "UPDATE item SET cents = price * 100 WHERE id > 6"))
                    .isEqualTo(6);
            assertThat(number(migration, "SELECT sum(cents) FROM item")).isEqualTo(57_000 + 42);
            assertThat(number(migration, "SELECT count(*) FROM other WHERE note IS NULL"))
                    .isEqualTo(1);
            assertThat(number(migration, "SELECT count(*) FROM item i JOIN other o ON i.id = o.id"))
                    .isEqualTo(2);
            migration.rollback();
        }
        assertThat(number(connection, "SELECT count(*) FROM item")).isEqualTo(12);
    }

    @Test
    void aTableThatTheTransactionMakesTakesParameters() throws SQLException {
        connection.setAutoCommit(false);
        run(connection, "CREATE TABLE stage (id integer PRIMARY KEY, name text)");
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO stage (name, id) VALUES (?, ?)")) {
            for (int id = 1; id <= 10; id++) {
                insert.setString(1, "stage " + id);
                insert.setInt(2, id);
                assertThat(insert.executeUpdate()).isEqualTo(1);
            }
            connection.commit();
            insert.setString(1, "last");
            insert.setNull(2, Types.INTEGER);
            assertThatThrownBy(insert::executeUpdate)
                    .isInstanceOfSatisfying(
                            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("23502"));
            connection.rollback();
        }
        assertThat(number(connection, "SELECT count(*) FROM stage WHERE name = 'stage ' || id"))
                .isEqualTo(10);
        connection.rollback();
    }

    /** The driver would prepare anew behind each change of tables, unless it is told not to. */
    @Test
    void aPlanWhoseColumnsTheTransactionHasChangedIsRefused() throws SQLException {
        run(connection, "CREATE TABLE stage (id integer PRIMARY KEY)");
        run(connection, "INSERT INTO stage VALUES (1)");
        try (Connection keeping = connect("&flushCacheOnDdl=false&prepareThreshold=1")) {
            keeping.setAutoCommit(false);
            try (PreparedStatement before = keeping.prepareStatement("SELECT * FROM stage WHERE id >= ?");
                    PreparedStatement behind = keeping.prepareStatement("SELECT * FROM stage WHERE ? <= id")) {
                assertThat(columns(before)).isEqualTo(1);
                run(keeping, "ALTER TABLE stage ADD COLUMN name text DEFAULT 'x'");
                assertThat(columns(behind)).isEqualTo(2);
                assertThatThrownBy(() -> columns(before))
                        .isInstanceOfSatisfying(
                                SQLException.class,
                                e -> assertThat(e.getSQLState()).isEqualTo("0A000"));
                keeping.rollback();
                assertThat(columns(before)).isEqualTo(1);
                assertThat(columns(behind)).isEqualTo(1);
            }
        }
    }

    private static int columns(PreparedStatement query) throws SQLException {
        query.setInt(1, 1);
        try (ResultSet rows = query.executeQuery()) {
            assertThat(rows.next()).isTrue();
            return rows.getMetaData().getColumnCount();
        }
    }

    @Test
    void anErrorTakesAllBack() throws SQLException {
        fill();
        connection.setAutoCommit(false);
        run(connection, "ALTER TABLE item ADD COLUMN cents bigint");
        changed(connection, "UPDATE item SET cents = 1");
        changed(connection, "DELETE FROM flyway_schema_history");
        assertThatThrownBy(() -> run(connection, "INSERT INTO nowhere VALUES (1)"))
                .isInstanceOf(SQLException.class);
        connection.rollback();
        assertThatThrownBy(() -> number(connection, "SELECT sum(cents) FROM item"))
                .isInstanceOf(SQLException.class);
        connection.rollback();
        assertThat(number(connection, "SELECT count(*) FROM item")).isEqualTo(12);
        connection.rollback();
    }
}
