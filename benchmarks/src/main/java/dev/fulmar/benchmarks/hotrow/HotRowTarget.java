package dev.fulmar.benchmarks.hotrow;

import dev.fulmar.benchmarks.pgbench.BenchSystem;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;

/** A database with the row. */
record HotRowTarget(BenchSystem system, int port, String user, String password, String database) {
    /** Sessions that change the row. */
    static final int SESSIONS = 32;

    private static final double NANOS = 1e9;

    private Connection connect() throws SQLException {
        return DriverManager.getConnection("jdbc:postgresql://127.0.0.1:" + port + "/" + database, user, password);
    }

    void initialize() throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE hot (id INTEGER NOT NULL PRIMARY KEY, n BIGINT NOT NULL)");
            for (HotRowCase each : HotRowCase.values()) {
                statement.execute("INSERT INTO hot VALUES (" + each.row() + ", 0)");
            }
        }
    }

    /**
     * Lets all sessions run for some seconds.
     *
     * @param problems gets what was wrong
     */
    HotRowWindow measure(HotRowCase of, int round, int seconds, List<String> problems)
            throws SQLException, InterruptedException {
        List<Connection> connections = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(SESSIONS)) {
            long before = value(of);
            List<HotRowSession> sessions = new ArrayList<>();
            for (int i = 0; i < SESSIONS; i++) {
                connections.add(connect());
                sessions.add(new HotRowSession(of, connections.getLast()));
            }
            long beginNanos = System.nanoTime();
            long endNanos = beginNanos + TimeUnit.SECONDS.toNanos(seconds);
            List<Future<?>> running = new ArrayList<>();
            for (HotRowSession session : sessions) {
                running.add(threads.submit(() -> {
                    session.run(endNanos);
                    return null;
                }));
            }
            await(running);
            double took = (System.nanoTime() - beginNanos) / NANOS;
            long[] commits = sessions.stream().mapToLong(HotRowSession::commits).toArray();
            long counted = value(of) - before;
            long all = LongStream.of(commits).sum();
            if (counted != all) {
                problems.add(system + ", " + of.text() + ": " + all + " commits changed the row by " + counted);
            }
            long[] micros = sessions.stream()
                    .flatMapToLong(session -> LongStream.of(session.micros()))
                    .toArray();
            long retries = sessions.stream().mapToLong(HotRowSession::retries).sum();
            return HotRowWindow.of(system, of, round, took, commits, micros, retries);
        } finally {
            for (Connection connection : connections) {
                connection.close();
            }
        }
    }

    private static void await(List<Future<?>> running) throws SQLException, InterruptedException {
        for (Future<?> each : running) {
            try {
                each.get();
            } catch (ExecutionException e) {
                throw new SQLException("a session failed: " + e.getCause(), e);
            }
        }
    }

    private long value(HotRowCase of) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT n FROM hot WHERE id = " + of.row())) {
            rows.next();
            return rows.getLong(1);
        }
    }
}
