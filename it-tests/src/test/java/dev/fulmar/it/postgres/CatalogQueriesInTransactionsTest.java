package dev.fulmar.it.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Queries of the catalog in transactions that change tables, as tools for migrations have them. */
class CatalogQueriesInTransactionsTest extends PostgresNodeFixture {
    private static final String COLUMNS =
            "SELECT COUNT(*) FROM information_schema.columns WHERE table_name = 'migrated'";

    CatalogQueriesInTransactionsTest() {
        super(true);
    }

    private static long number(Connection by, String sql) throws SQLException {
        try (Statement statement = by.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getLong(1);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {Connection.TRANSACTION_READ_COMMITTED, Connection.TRANSACTION_SERIALIZABLE})
    void aTransactionSeesItsOwnChangesAndOthersDoNot(int level) throws SQLException {
        try (Connection other = connect("")) {
            connection.setTransactionIsolation(level);
            connection.setAutoCommit(false);
            assertThat(number(connection, COLUMNS)).isZero();
            run(connection, "CREATE TABLE migrated (id BIGINT PRIMARY KEY)");
            assertThat(number(connection, COLUMNS)).isEqualTo(1);
            run(connection, "ALTER TABLE migrated ADD COLUMN name TEXT");
            assertThat(number(connection, COLUMNS)).isEqualTo(2);
            assertThat(number(connection, "SELECT 7")).isEqualTo(7);
            assertThat(number(other, COLUMNS)).isZero();

            connection.commit();

            assertThat(number(other, COLUMNS)).isEqualTo(2);
        }
    }

    @Test
    void commitDoesNotFailForWhatOthersHaveMadeSinceAQuery() throws SQLException {
        try (Connection other = connect("")) {
            connection.setAutoCommit(false);
            assertThat(number(connection, "SELECT COUNT(*) FROM pg_class WHERE relname = 'beside'"))
                    .isZero();
            run(connection, "CREATE TABLE migrated (id BIGINT PRIMARY KEY)");
            assertThat(number(connection, COLUMNS)).isEqualTo(1);
            run(other, "CREATE TABLE beside (id BIGINT PRIMARY KEY)");

            connection.commit();

            assertThat(number(other, COLUMNS)).isEqualTo(1);
        }
    }

    @Test
    void aQueryOfRowsThatIsRefusedLeavesTheChangesToBeUndone() throws SQLException {
        run(connection, "CREATE TABLE stored (id BIGINT PRIMARY KEY)");
        run(connection, "CREATE VIEW seen AS SELECT id FROM stored");
        connection.setAutoCommit(false);
        run(connection, "CREATE TABLE migrated (id BIGINT PRIMARY KEY)");
        run(connection, "ALTER TABLE stored ADD COLUMN name TEXT");

        assertThatThrownBy(() -> number(connection, "SELECT COUNT(*) FROM seen"))
                .isInstanceOfSatisfying(
                        SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("0A000"));
        connection.rollback();
        assertThat(number(connection, COLUMNS)).isZero();
        connection.rollback();
    }

    @Test
    void aRowOfAnInsertIsThereBesideAQueryOfTheCatalog() throws SQLException {
        connection.setAutoCommit(false);
        run(connection, "CREATE TABLE migrated (id BIGINT PRIMARY KEY)");
        assertThat(number(connection, COLUMNS)).isEqualTo(1);
        run(connection, "INSERT INTO migrated VALUES (1), (2)");
        assertThat(number(connection, COLUMNS)).isEqualTo(1);
        connection.commit();
        assertThat(number(connection, "SELECT COUNT(*) FROM migrated")).isEqualTo(2);
        connection.rollback();
    }

    /** Temporary tables and locks need no right, and are read all the same. */
    @Test
    void rowsThatNeedNoRightAreReadBesideChanges() throws SQLException {
        run(connection, "CREATE TEMP TABLE own (id BIGINT PRIMARY KEY)");
        run(connection, "INSERT INTO own VALUES (1), (2)");
        run(connection, "SELECT pg_advisory_lock(7)");
        connection.setAutoCommit(false);
        run(connection, "CREATE TABLE migrated (id BIGINT PRIMARY KEY)");
        assertThat(number(connection, "SELECT COUNT(*) FROM own")).isEqualTo(2);
        assertThat(number(connection, "SELECT COUNT(*) FROM fulmar_locks.held")).isEqualTo(1);
        connection.commit();
        assertThat(number(connection, COLUMNS)).isEqualTo(1);
        connection.rollback();
    }
}
