package dev.fulmar.it.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Advisory locks of one node's sessions, with PostgreSQL's JDBC driver. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class AdvisoryLocksTest extends PostgresNodeFixture {
    private static final String HELD = "SELECT COUNT(*) FROM fulmar_locks.held";

    AdvisoryLocksTest() {
        super(true);
    }

    private static boolean asks(Connection by, String function) throws SQLException {
        try (Statement statement = by.createStatement();
                ResultSet rows = statement.executeQuery("SELECT " + function)) {
            rows.next();
            return rows.getBoolean(1);
        }
    }

    private static CompletableFuture<Void> later(Connection by, String sql) {
        return CompletableFuture.runAsync(
                () -> {
                    try {
                        run(by, sql);
                    } catch (SQLException e) {
                        throw new CompletionException(e);
                    }
                },
                Thread::startVirtualThread);
    }

    private static void assertWaits(CompletableFuture<Void> wait) {
        assertThatThrownBy(() -> wait.get(300, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
    }

    @Test
    void aLockIsOneSessionsOrSharedBySeveral() throws SQLException {
        try (Connection other = connect("");
                Connection third = connect("")) {
            run(connection, "SELECT pg_advisory_lock(7)");
            assertThat(asks(other, "pg_try_advisory_lock(7)")).isFalse();
            assertThat(asks(other, "pg_try_advisory_lock_shared(7)")).isFalse();
            assertThat(asks(other, "pg_try_advisory_lock(8)")).isTrue();
            assertThat(asks(other, "pg_try_advisory_lock(0, 7)"))
                    .as("a pair is another lock")
                    .isTrue();
            assertThat(asks(other, "pg_advisory_unlock(7)")).isFalse();
            assertThat(asks(connection, "pg_advisory_unlock(7)")).isTrue();

            assertThat(asks(other, "pg_try_advisory_lock_shared(7)")).isTrue();
            assertThat(asks(connection, "pg_try_advisory_lock_shared(7)")).isTrue();
            assertThat(asks(third, "pg_try_advisory_lock(7)")).isFalse();
            assertThat(asks(other, "pg_try_advisory_lock(7)"))
                    .as("another one shares it")
                    .isFalse();
            assertThat(asks(connection, "pg_advisory_unlock_shared(7)")).isTrue();
            assertThat(asks(other, "pg_try_advisory_lock(7)")).isTrue();
            assertThat(asks(connection, "pg_try_advisory_lock_shared(7)")).isFalse();
            assertThat(asks(other, "pg_advisory_unlock(7)")).isTrue();
            assertThat(asks(connection, "pg_try_advisory_lock_shared(7)"))
                    .as("it is shared again")
                    .isTrue();
        }
    }

    @Test
    void theLeastAndTheGreatestNumbersAreLocksOfTheirOwn() throws SQLException {
        try (Connection other = connect("")) {
            String[] locks = {
                "-9223372036854775808",
                "9223372036854775807",
                "-2147483648, -2147483648",
                "2147483647, 2147483647",
                "-1, 0",
                "0, -1",
                "0"
            };
            for (String lock : locks) {
                assertThat(asks(connection, "pg_try_advisory_lock(" + lock + ")"))
                        .as(lock)
                        .isTrue();
                assertThat(asks(other, "pg_try_advisory_lock(" + lock + ")"))
                        .as(lock)
                        .isFalse();
            }
            assertThat(rows(HELD)).containsExactly(String.valueOf(locks.length));
            run(connection, "SELECT pg_advisory_unlock_all()");
            assertThat(rows(HELD)).containsExactly("0");
        }
    }

    @Test
    void aSessionThatWaitsGetsTheLockInItsTurn() throws Exception {
        Connection first = connect("");
        try (Connection second = connect("")) {
            run(connection, "SELECT pg_advisory_lock(7)");
            CompletableFuture<Void> one = later(first, "SELECT pg_advisory_lock(7)");
            assertWaits(one);
            CompletableFuture<Void> two = later(second, "SELECT pg_advisory_lock(7)");
            assertWaits(two);
            run(connection, "SELECT pg_advisory_unlock(7)");
            one.get();
            assertWaits(two);
            first.close(); // the end of a session gives its locks back
            two.get();
        }
    }

    @Test
    void aLockOfATransactionEndsWithIt() throws SQLException {
        try (Connection other = connect("")) {
            run(connection, "SELECT pg_advisory_xact_lock(7)");
            assertThat(asks(other, "pg_try_advisory_xact_lock(7)"))
                    .as("a statement by itself")
                    .isTrue();
            for (String end : new String[] {"COMMIT", "ROLLBACK"}) {
                run(connection, "BEGIN", "SELECT pg_advisory_xact_lock(7)", "SELECT pg_advisory_xact_lock(7)");
                assertThat(asks(connection, "pg_advisory_unlock(7)")).isFalse();
                assertThat(asks(other, "pg_try_advisory_lock(7)")).isFalse();
                run(connection, end);
                assertThat(asks(other, "pg_try_advisory_xact_lock(7)")).as(end).isTrue();
            }
            run(connection, "BEGIN", "SELECT pg_advisory_lock(7)", "ROLLBACK");
            assertThat(asks(other, "pg_try_advisory_lock(7)"))
                    .as("a session's lock stays")
                    .isFalse();
        }
    }

    @Test
    void limitsAndCancelsEndAWait() throws Exception {
        try (Connection other = connect("")) {
            run(connection, "SELECT pg_advisory_lock(7)");
            run(other, "SET lock_timeout = '100ms'");
            assertThat(state(other, "SELECT pg_advisory_lock(7)")).isEqualTo("55P03");
            run(other, "SET lock_timeout = 0", "SET statement_timeout = '100ms'");
            assertThat(state(other, "SELECT pg_advisory_lock(7)")).isEqualTo("57014");
            run(other, "SET statement_timeout = 0");
            try (Statement statement = other.createStatement()) {
                CompletableFuture<String> wait = CompletableFuture.supplyAsync(
                        () -> {
                            try {
                                statement.execute("SELECT pg_advisory_lock(7)");
                                return "00000";
                            } catch (SQLException e) {
                                return e.getSQLState();
                            }
                        },
                        Thread::startVirtualThread);
                assertThatThrownBy(() -> wait.get(300, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
                statement.cancel();
                assertThat(wait.get()).isEqualTo("57014");
            }
            run(connection, "SELECT pg_advisory_unlock(7)");
            assertThat(asks(other, "pg_try_advisory_lock(7)")).isTrue();
        }
    }

    @Test
    void ofSessionsThatWaitForEachOtherOneFails() throws Exception {
        try (Connection other = connect("")) {
            run(connection, "SELECT pg_advisory_lock(1)");
            run(other, "SELECT pg_advisory_lock(2)");
            CompletableFuture<Void> first = later(connection, "SELECT pg_advisory_lock(2)");
            assertWaits(first);
            assertThat(state(other, "SELECT pg_advisory_lock(1)")).isEqualTo("40P01");
            assertThat(first).as("the one that began to wait first").isNotDone();
            run(other, "SELECT pg_advisory_unlock(2)");
            first.get();
            awaitNobodyWaits();
        }
    }

    /** The row of a wait goes behind its answer; the test's time-out ends it. */
    private void awaitNobodyWaits() throws Exception {
        while (!rows("SELECT COUNT(*) FROM fulmar_locks.waiting").equals(List.of("0"))) {
            Thread.sleep(20);
        }
    }

    @Test
    void numbersMayBeParametersAndNull() throws SQLException {
        try (Connection other = connect("");
                PreparedStatement take = connection.prepareStatement("SELECT pg_try_advisory_lock(?, ?) AS got")) {
            take.setInt(1, 1);
            take.setInt(2, -2);
            assertThat(take.getMetaData().getColumnTypeName(1)).isEqualTo("bool");
            try (ResultSet rows = take.executeQuery()) {
                assertThat(rows.next()).isTrue();
                assertThat(rows.getBoolean("got")).isTrue();
            }
            assertThat(asks(other, "pg_try_advisory_lock(1, -2)")).isFalse();
            take.setNull(1, java.sql.Types.INTEGER);
            try (ResultSet rows = take.executeQuery()) {
                rows.next();
                assertThat(rows.getObject(1)).isNull();
            }
        }
        assertThat(state(connection, "SELECT pg_advisory_lock(3000000000, 1)")).isEqualTo("22003");
        assertThat(state(connection, "SELECT pg_advisory_lock('x')")).isEqualTo("22P02");
    }

    /** Sessions add to a row by reading it first, each under the lock: no number is lost, and none is tried again. */
    @Test
    void sessionsTakeTurns() throws Exception {
        run(
                connection,
                "CREATE TABLE counter (id INTEGER PRIMARY KEY, n INTEGER)",
                "INSERT INTO counter VALUES (1, 0)");
        AtomicInteger failures = new AtomicInteger();
        List<CompletableFuture<Void>> all = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            all.add(CompletableFuture.runAsync(
                    () -> {
                        try (Connection own = connect("")) {
                            for (int round = 0; round < 25; round++) {
                                run(own, "SELECT pg_advisory_lock(7)", "BEGIN");
                                try (Statement statement = own.createStatement();
                                        ResultSet rows = statement.executeQuery("SELECT n FROM counter WHERE id = 1")) {
                                    rows.next();
                                    run(own, "UPDATE counter SET n = " + (rows.getInt(1) + 1) + " WHERE id = 1");
                                }
                                failures.addAndGet(state(own, "COMMIT").equals("00000") ? 0 : 1);
                                run(own, "SELECT pg_advisory_unlock(7)");
                            }
                        } catch (SQLException e) {
                            throw new CompletionException(e);
                        }
                    },
                    Thread::startVirtualThread));
        }
        CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)).get();
        assertThat(failures).hasValue(0);
        assertThat(rows("SELECT n FROM counter")).containsExactly("100");
    }

    /** As when the cluster takes a session's node for lost, and gives the lock to another one. */
    @Test
    void whoHasLostALockChangesNothing() throws SQLException {
        try (Connection other = connect("")) {
            run(connection, "CREATE TABLE t (a INTEGER PRIMARY KEY)", "SELECT pg_advisory_lock(7)");
            run(connection, "INSERT INTO t VALUES (1)", "BEGIN", "INSERT INTO t VALUES (2)");
            run(other, "DELETE FROM fulmar_locks.held");
            assertThat(state(connection, "COMMIT")).isEqualTo("40001");
            assertThat(state(connection, "INSERT INTO t VALUES (3)")).isEqualTo("40001");
            assertThat(state(connection, "CREATE TABLE u (a INTEGER)")).isEqualTo("40001");
            assertThat(state(connection, "SELECT * FROM t")).isEqualTo("00000");
            assertThat(rows("SELECT a FROM t")).containsExactly("1");
            assertThat(asks(other, "pg_try_advisory_lock(7)")).isTrue();
            run(connection, "SELECT pg_advisory_unlock(7)");
            assertThat(state(connection, "INSERT INTO t VALUES (4)")).isEqualTo("00000");
        }
    }

    @Test
    void aTransactionThatChangesTablesTakesLocks() throws SQLException {
        run(
                connection,
                "BEGIN",
                "SELECT pg_advisory_xact_lock(7)",
                "CREATE TABLE t (a INTEGER PRIMARY KEY)",
                "SELECT pg_advisory_lock(8)",
                "COMMIT",
                "SELECT pg_advisory_lock(9)",
                "ALTER TABLE t ADD COLUMN b INTEGER",
                "SELECT pg_advisory_unlock_all()");
        assertThat(rows(HELD)).containsExactly("0");
        assertThat(rows("SELECT * FROM t")).isEmpty();
    }

    @Test
    void aPreparedStatementOfSqlTakesLocks() throws SQLException {
        run(connection, "PREPARE take AS SELECT pg_advisory_lock($1)", "EXECUTE take (7)");
        assertThat(rows("SELECT key_number FROM fulmar_locks.held")).containsExactly("7");
    }

    @Test
    void readersUnderALockNeedNothing() throws SQLException {
        run(
                connection,
                "CREATE TABLE t (a INTEGER PRIMARY KEY)",
                "SELECT pg_advisory_lock(7)",
                "BEGIN READ ONLY",
                "DECLARE c CURSOR FOR SELECT a FROM t",
                "FETCH 1 FROM c",
                "COMMIT",
                "BEGIN",
                "DECLARE c CURSOR FOR SELECT a FROM t",
                "FETCH 1 FROM c",
                "COMMIT",
                "EXPLAIN DELETE FROM t",
                "DISCARD ALL");
        assertThat(rows(HELD)).containsExactly("0");
    }

    @Test
    void tablesChangeUnderALock() throws SQLException {
        run(
                connection,
                "SELECT pg_advisory_lock(7)",
                "CREATE TABLE t (a INTEGER PRIMARY KEY)",
                "BEGIN",
                "ALTER TABLE t ADD COLUMN b INTEGER",
                "CREATE INDEX t_b ON t (b)",
                "COMMIT",
                "INSERT INTO t VALUES (1, 2)",
                "DELETE FROM t WHERE a = 9");
        assertThat(rows("SELECT COUNT(*) FROM fulmar_locks.used")).containsExactly("2");
        run(connection, "SELECT pg_advisory_unlock(7)");
        assertThat(rows("SELECT COUNT(*) FROM fulmar_locks.used")).containsExactly("0");
        assertThat(rows("SELECT * FROM t")).containsExactly("1,2");
    }
}
