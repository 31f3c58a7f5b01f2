package dev.fulmar.it.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
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
    void aQueryOfRowsIsRefusedAndTheChangesCanBeUndone() throws SQLException {
        run(connection, "CREATE TABLE stored (id BIGINT PRIMARY KEY)");
        connection.setAutoCommit(false);
        run(connection, "CREATE TABLE migrated (id BIGINT PRIMARY KEY)");

        assertThatThrownBy(() -> number(connection, "SELECT COUNT(*) FROM stored"))
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

    /** Temporary tables and locks need no right, and are stored all the same. */
    @Test
    void aQueryOfRowsThatNeedNoRightIsRefusedToo() throws SQLException {
        run(connection, "CREATE TEMP TABLE own (id BIGINT PRIMARY KEY)");
        run(connection, "SELECT pg_advisory_lock(7)");
        connection.setAutoCommit(false);
        for (String rows : List.of("own", "fulmar_locks.held")) {
            run(connection, "CREATE TABLE migrated (id BIGINT PRIMARY KEY)");
            assertThatThrownBy(() -> number(connection, "SELECT COUNT(*) FROM " + rows))
                    .as(rows)
                    .isInstanceOfSatisfying(
                            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("0A000"));
            connection.rollback();
        }
    }
}
