package dev.fulmar.it.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Sessions of two nodes want the same advisory locks, and one node is killed with its sessions. */
@Timeout(300)
class AdvisoryLocksIT {
    @TempDir
    private Path folder;

    private static boolean takes(Connection by, int lock) throws SQLException {
        try (Statement statement = by.createStatement();
                ResultSet rows = statement.executeQuery("SELECT pg_try_advisory_lock(" + lock + ")")) {
            rows.next();
            return rows.getBoolean(1);
        }
    }

    private static void run(Connection by, String sql) throws SQLException {
        try (Statement statement = by.createStatement()) {
            statement.execute(sql);
        }
    }

    private static CompletableFuture<Void> lock(Connection by, int lock) {
        return CompletableFuture.runAsync(
                () -> {
                    try {
                        run(by, "SELECT pg_advisory_lock(" + lock + ")");
                    } catch (SQLException e) {
                        throw new CompletionException(e);
                    }
                },
                Thread::startVirtualThread);
    }

    private static void assertWaits(CompletableFuture<Void> wait) {
        assertThatThrownBy(() -> wait.get(500, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
    }

    private static String state(Connection by, String sql) {
        try {
            run(by, sql);
            return "00000";
        } catch (SQLException e) {
            return e.getSQLState();
        }
    }

    /** Whether all locks that a killed node has left are gone; the test's time-out ends the wait. */
    private static void awaitLocks(Connection by, int count) throws Exception {
        while (true) {
            try (Statement statement = by.createStatement();
                    ResultSet rows = statement.executeQuery("SELECT COUNT(*) FROM fulmar_locks.held")) {
                rows.next();
                if (rows.getInt(1) == count) {
                    return;
                }
            }
            Thread.sleep(100);
        }
    }

    @Test
    void aLockIsOneSessionsOfAllNodes() throws Exception {
        try (StartedCluster cluster = StartedCluster.startWithPostgres(folder, 2, 2)) {
            try (Connection first = cluster.connectByPostgres(1);
                    Connection second = cluster.connectByPostgres(2)) {
                assertThat(takes(first, 7)).isTrue();
                assertThat(takes(second, 7)).isFalse();
                CompletableFuture<Void> wait = lock(second, 7);
                assertWaits(wait);
                run(first, "SELECT pg_advisory_unlock(7)");
                wait.get();

                run(first, "SELECT pg_advisory_lock(8)");
                CompletableFuture<Void> ofFirst = lock(first, 7);
                assertWaits(ofFirst);
                assertThat(state(second, "SELECT pg_advisory_lock(8)")).isEqualTo("40P01");

                assertThat(takes(second, 9)).isTrue();
                cluster.kill(2);
                ofFirst.get(); // when the other node was away for a while
                run(first, "CREATE TABLE t (a INTEGER PRIMARY KEY)");
                run(first, "INSERT INTO t VALUES (1)");
                cluster.startNode(2);
                cluster.awaitInSync();
                awaitLocks(first, 2);
            }
            try (Connection again = cluster.connectByPostgres(2)) {
                awaitLocks(again, 0);
                assertThat(takes(again, 7)).isTrue();
                assertThat(takes(again, 9)).isTrue();
            }
        }
    }
}
