package dev.fulmar.it.framework;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.fulmar.it.sql.SmallNode;
import dev.fulmar.node.wiring.FulmarNode;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A pool of HikariCP resets its connections, finds out which are lost, and replaces them. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class HikariPoolTest {
    /** HikariCP asks no connection that was used so short a time ago whether it is valid. */
    private static final long TRUSTED_MILLIS = 600;

    @TempDir
    private static Path directory;

    private FulmarNode node;
    private HikariDataSource pool;

    @BeforeEach
    void start() throws SQLException {
        node = start(0);
        pool = new HikariDataSource(configuration());
        try (Connection connection = pool.getConnection()) {
            run(
                    connection,
                    "CREATE SCHEMA IF NOT EXISTS app",
                    "DROP TABLE IF EXISTS app.note",
                    "CREATE TABLE app.note (id INTEGER PRIMARY KEY, text VARCHAR(20))");
        }
    }

    private static FulmarNode start(int port) {
        return SmallNode.start(2, Map.of("data", directory.toString(), "postgres", "127.0.0.1:" + port));
    }

    private int port() {
        return node.postgresAddress().orElseThrow().port();
    }

    private HikariConfig configuration() {
        HikariConfig configuration = new HikariConfig();
        configuration.setJdbcUrl("jdbc:postgresql://127.0.0.1:" + port() + "/fulmar");
        configuration.setUsername("ann");
        configuration.setSchema("app");
        configuration.setMaximumPoolSize(2);
        configuration.setConnectionTimeout(TimeUnit.SECONDS.toMillis(20));
        configuration.addDataSourceProperty("socketTimeout", "30");
        return configuration;
    }

    @AfterEach
    void stop() {
        pool.close();
        node.close();
    }

    private static void run(Connection connection, String... statements) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String each : statements) {
                statement.execute(each);
            }
        }
    }

    private static long number(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            assertThat(rows.next()).isTrue();
            return rows.getLong(1);
        }
    }

    @Test
    void aConnectionComesBackAsItWas() throws SQLException {
        for (int turn = 0; turn < 4; turn++) {
            try (Connection first = pool.getConnection();
                    Connection second = pool.getConnection()) {
                for (Connection connection : List.of(first, second)) {
                    assertThat(connection.getAutoCommit()).isTrue();
                    assertThat(connection.isReadOnly()).isFalse();
                    assertThat(connection.getTransactionIsolation()).isEqualTo(Connection.TRANSACTION_SERIALIZABLE);
                    assertThat(connection.getSchema()).isEqualTo("app");
                    assertThat(number(connection, "SELECT COUNT(*) FROM note")).isZero();
                }
                first.setReadOnly(true);
                first.setSchema("public");
                second.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
                second.setAutoCommit(false);
                run(second, "INSERT INTO note VALUES (1, 'never committed')");
            }
        }
    }

    @Test
    void oneWhoseTransactionFailedServesTheNextClient() throws SQLException {
        for (int turn = 0; turn < 4; turn++) {
            try (Connection connection = pool.getConnection()) {
                connection.setAutoCommit(false);
                run(connection, "INSERT INTO note VALUES (1, 'x')");
                assertThatThrownBy(() -> run(connection, "INSERT INTO note VALUES (1, 'again')"))
                        .isInstanceOfSatisfying(
                                SQLException.class,
                                failure -> assertThat(failure.getSQLState()).isEqualTo("23505"));
            }
        }
        assertThat(pool.getHikariPoolMXBean().getTotalConnections()).isLessThanOrEqualTo(2);
    }

    @Test
    void clientsWaitForAConnectionAndAllAreServed() throws Exception {
        List<CompletableFuture<Void>> clients = new ArrayList<>();
        for (int client = 0; client < 16; client++) {
            int id = client;
            clients.add(CompletableFuture.runAsync(() -> {
                try (Connection connection = pool.getConnection()) {
                    run(connection, "INSERT INTO note VALUES (" + id + ", 'x')");
                } catch (SQLException e) {
                    throw new IllegalStateException(e);
                }
            }));
        }
        for (CompletableFuture<Void> client : clients) {
            client.get(1, TimeUnit.MINUTES);
        }
        try (Connection connection = pool.getConnection()) {
            assertThat(number(connection, "SELECT COUNT(*) FROM note")).isEqualTo(16);
        }
        assertThat(pool.getHikariPoolMXBean().getThreadsAwaitingConnection()).isZero();
    }

    /** The pool finds out by itself which of its connections are gone. */
    @Test
    void aNodeThatComesBackIsFoundAgain() throws Exception {
        try (Connection connection = pool.getConnection()) {
            run(connection, "INSERT INTO note VALUES (7, 'kept')");
        }
        int port = port();
        node.close();
        node = start(port);
        Thread.sleep(TRUSTED_MILLIS);
        try (Connection connection = pool.getConnection()) {
            assertThat(connection.isValid(5)).isTrue();
            assertThat(number(connection, "SELECT COUNT(*) FROM note WHERE id = 7"))
                    .isOne();
        }
    }

    @Test
    void whoFindsNoConnectionInTimeIsTold() throws SQLException {
        pool.setConnectionTimeout(300);
        try (Connection first = pool.getConnection();
                Connection second = pool.getConnection()) {
            assertThat(first.isValid(5) && second.isValid(5)).isTrue();
            assertThatThrownBy(pool::getConnection).isInstanceOf(SQLTransientConnectionException.class);
        }
        try (Connection connection = pool.getConnection()) {
            assertThat(connection.isValid(5)).isTrue();
        }
    }
}
