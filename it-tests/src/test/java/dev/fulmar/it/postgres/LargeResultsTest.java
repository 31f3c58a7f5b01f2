package dev.fulmar.it.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.OutputStream;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.copy.CopyManager;
import org.postgresql.core.BaseConnection;

/** Results that are larger than a reply, in transactions that do not say that they only read. */
@Timeout(120)
class LargeResultsTest extends PostgresNodeFixture {
    private static final int ROWS = 20_000;
    private static final int PIECE = 5_000;
    private static final String ALL = "SELECT id, body FROM big";

    LargeResultsTest() {
        super(false);
    }

    @BeforeEach
    void fill() throws SQLException {
        update("CREATE TABLE big (id INTEGER PRIMARY KEY, body VARCHAR(1000))");
        for (int from = 1; from < ROWS; from += PIECE) {
            update("INSERT INTO big SELECT i, repeat('x', 1000) FROM generate_series(" + from + ", "
                    + (from + PIECE - 1) + ") i");
        }
        connection.setAutoCommit(false);
    }

    private int count(Connection from) throws SQLException {
        try (Statement statement = from.createStatement()) {
            statement.setFetchSize(100);
            int count = 0;
            try (ResultSet rows = statement.executeQuery(ALL)) {
                while (rows.next()) {
                    count += rows.getString(2).length() == 1_000 ? 1 : 0;
                }
            }
            return count;
        }
    }

    @Test
    void aTransactionThatHasDoneNothingReadsThem() throws SQLException {
        assertThat(count(connection)).isEqualTo(ROWS);
        assertThat(count(connection)).isEqualTo(ROWS);
        assertThat(rows("SHOW transaction_read_only")).containsExactly("on");
        assertThatThrownBy(() -> update("UPDATE big SET body = 'y' WHERE id = 1"))
                .hasMessageContaining("COMMIT before changes")
                .isInstanceOfSatisfying(
                        SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("25006"));
        connection.rollback();
        assertThat(update("UPDATE big SET body = 'y' WHERE id = 1")).isEqualTo(1);
        connection.commit();
        assertThat(count(connection)).isEqualTo(ROWS - 1);
    }

    /** All parts are of one snapshot, though others change rows meanwhile. */
    @Test
    void thePartsAreOfOneSnapshot() throws SQLException {
        try (Connection other = connect("");
                Statement statement = connection.createStatement();
                Statement change = other.createStatement()) {
            statement.setFetchSize(100);
            int count = 0;
            try (ResultSet rows = statement.executeQuery(ALL)) {
                while (rows.next()) {
                    if (count == 150) {
                        assertThat(change.executeUpdate("DELETE FROM big WHERE id > 5000"))
                                .isEqualTo(ROWS - 5000);
                    }
                    count++;
                }
            }
            assertThat(count).isEqualTo(ROWS);
        }
    }

    /** Its changes would be lost, or its reads might not be the same at its COMMIT. */
    @Test
    void aTransactionThatHasDoneSomethingCannot() throws SQLException {
        update("UPDATE big SET body = 'y' WHERE id = 1");
        SQLException failure = catchThrowableOfType(SQLException.class, () -> count(connection));
        assertThat(failure.getSQLState()).isEqualTo("54000");
        connection.rollback();
        assertThat(rows("SELECT COUNT(*) FROM big WHERE body = 'y'")).containsExactly("0");
        connection.rollback();
        update("SAVEPOINT s");
        assertThat(catchThrowableOfType(SQLException.class, () -> count(connection))
                        .getSQLState())
                .isEqualTo("54000");
        connection.rollback();
        update("SET TRANSACTION READ WRITE");
        assertThat(catchThrowableOfType(SQLException.class, () -> count(connection))
                        .getSQLState())
                .isEqualTo("54000");
        connection.rollback();
    }

    @Test
    void theyGoOutByCopyToo() throws Exception {
        long[] bytes = {0};
        OutputStream counted = new OutputStream() {
            @Override
            public void write(int b) {
                bytes[0]++;
            }

            @Override
            public void write(byte[] part, int from, int count) {
                bytes[0] += count;
            }
        };
        CopyManager copies = new CopyManager((BaseConnection) connection);
        assertThat(copies.copyOut("COPY big TO STDOUT", counted)).isEqualTo(ROWS);
        assertThat(bytes[0]).isGreaterThan(1_000L * ROWS);
        connection.commit();
    }
}
