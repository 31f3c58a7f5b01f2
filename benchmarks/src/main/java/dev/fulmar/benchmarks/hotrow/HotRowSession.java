package dev.fulmar.benchmarks.hotrow;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** One client's transactions on the row, one after the other. One thread. */
final class HotRowSession {
    /** Serialization failure and deadlock: the transaction had no effect, and is run again. */
    private static final Set<String> AGAIN = Set.of("40001", "40P01");

    private final HotRowCase of;
    private final Connection connection;
    private long[] micros = new long[1 << 10];
    private int commits;
    private long retries;

    HotRowSession(HotRowCase of, Connection connection) {
        this.of = of;
        this.connection = connection;
    }

    int commits() {
        return commits;
    }

    long retries() {
        return retries;
    }

    /** Times of the transactions that were committed, from their first attempt on. */
    long[] micros() {
        return Arrays.copyOf(micros, commits);
    }

    /** Runs transactions until the moment has come, each until it is committed. */
    void run(long endNanos) throws SQLException {
        connection.setAutoCommit(false);
        connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
        try (PreparedStatement read = connection.prepareStatement("SELECT n FROM hot WHERE id = ?");
                PreparedStatement write = connection.prepareStatement(
                        of == HotRowCase.COUNTER
                                ? "UPDATE hot SET n = n + ? WHERE id = ?"
                                : "UPDATE hot SET n = ? WHERE id = ?")) {
            while (System.nanoTime() - endNanos < 0) {
                long beginNanos = System.nanoTime();
                while (!attempt(read, write)) {
                    retries++;
                }
                if (commits == micros.length) {
                    micros = Arrays.copyOf(micros, 2 * commits);
                }
                micros[commits++] = TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - beginNanos);
            }
        }
    }

    private boolean attempt(PreparedStatement read, PreparedStatement write) throws SQLException {
        try {
            write.setLong(1, of == HotRowCase.COUNTER ? 1 : value(read) + 1);
            write.setInt(2, of.row());
            if (write.executeUpdate() != 1) {
                throw new SQLException("the row is not there");
            }
            connection.commit();
            return true;
        } catch (SQLException e) {
            if (!AGAIN.contains(e.getSQLState())) {
                throw e;
            }
            connection.rollback();
            return false;
        }
    }

    private long value(PreparedStatement read) throws SQLException {
        read.setInt(1, of.row());
        try (ResultSet rows = read.executeQuery()) {
            rows.next();
            return rows.getLong(1);
        }
    }
}
