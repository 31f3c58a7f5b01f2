package dev.fulmar.it.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.client.CallResult;
import dev.fulmar.client.FulmarClient;
import dev.fulmar.client.ResultTable;
import dev.fulmar.client.Session;
import dev.fulmar.node.wiring.FulmarNode;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Transactions in whose way another one is, and whose results have not left the node. Each waits for a row between its
 * first statement and its last one, and meanwhile another client changes what the first one has read.
 */
@Timeout(120)
class TransactionsRunAgainTest {
    private static final int WAITED = 9;
    private static final String READ = "SELECT n FROM counter WHERE id = 1";
    private static final String WAIT = "SELECT n FROM counter WHERE id = " + WAITED + " FOR UPDATE";
    private static final String WRITE = "INSERT INTO seen SELECT id, n FROM counter WHERE id = 1";

    private FulmarNode node;
    private FulmarClient client;

    @BeforeEach
    void start() {
        start(Map.of());
    }

    private void start(Map<String, String> more) {
        Map<String, String> settings = new TreeMap<>(more);
        settings.put("transactions.lease-time", "1m");
        node = SmallNode.start(3, settings);
        client = SmallNode.connect(node);
        client.execute("CREATE TABLE counter (id INTEGER NOT NULL PRIMARY KEY, n INTEGER NOT NULL)");
        client.execute("CREATE TABLE seen (id INTEGER NOT NULL PRIMARY KEY, n INTEGER NOT NULL)");
        client.execute("INSERT INTO counter VALUES (1, 1), (" + WAITED + ", 0)");
    }

    @AfterEach
    void stop() {
        client.close();
        node.close();
    }

    private Connection connect() throws SQLException {
        int port = node.postgresAddress().orElseThrow().port();
        return DriverManager.getConnection("jdbc:postgresql://127.0.0.1:" + port + "/fulmar?user=ann");
    }

    /** Results of the transaction, if a counter that it has read gets another value before it goes on. */
    private <T> T withAConflict(Supplier<T> transaction) {
        CompletableFuture<T> result;
        try (Session holder = client.begin()) {
            holder.execute(WAIT);
            result = CompletableFuture.supplyAsync(transaction);
            while (!someoneWaits()) {
                Thread.onSpinWait();
            }
            client.execute("UPDATE counter SET n = n + 1 WHERE id = 1");
        }
        return result.join();
    }

    private boolean someoneWaits() {
        ResultTable open = client.call("@Statistics", "TRANSACTION").table();
        boolean waits = false;
        while (open.next()) {
            waits |= "WAITING".equals(open.getString(4));
        }
        return waits;
    }

    /** The rows of statements that the driver sends before one Sync, or the SQLSTATE of the failure. */
    private static String all(Connection connection, String sql) {
        try (Statement statement = connection.createStatement()) {
            StringBuilder found = new StringBuilder();
            boolean isTable = statement.execute(sql);
            while (isTable || statement.getUpdateCount() >= 0) {
                if (isTable) {
                    ResultSet rows = statement.getResultSet();
                    while (rows.next()) {
                        found.append(rows.getInt(1)).append(' ');
                    }
                }
                isTable = statement.getMoreResults();
            }
            return found.toString();
        } catch (SQLException e) {
            return e.getSQLState();
        }
    }

    @Test
    void messagesBeforeASyncRunAgain() throws SQLException {
        try (Connection connection = connect()) {
            assertThat(withAConflict(() -> all(connection, "BEGIN; " + READ + "; " + WAIT + "; " + WRITE + "; COMMIT")))
                    .as("what was read in the run that counts")
                    .isEqualTo("2 0 ");
            assertThat(all(connection, "SELECT n FROM seen")).isEqualTo("2 ");
        }
    }

    /** The client has got the first result, and may have decided by it. */
    @Test
    void aTransactionWhoseResultHasLeftIsTold() throws SQLException {
        try (Connection connection = connect()) {
            assertThat(all(connection, "BEGIN; " + READ)).isEqualTo("1 ");
            assertThat(withAConflict(() -> all(connection, WAIT + "; " + WRITE + "; COMMIT")))
                    .isEqualTo("40001");
            assertThat(all(connection, "ROLLBACK")).isEmpty();
            assertThat(all(connection, "SELECT n FROM seen")).isEmpty();
        }
    }

    @Test
    void aNodeMayLeaveRerunsToItsClients() throws SQLException {
        stop();
        start(Map.of("transactions.reruns", "0"));
        try (Connection connection = connect()) {
            assertThat(withAConflict(() -> all(connection, "BEGIN; " + READ + "; " + WAIT + "; " + WRITE + "; COMMIT")))
                    .isEqualTo("40001");
        }
    }

    /** All is sent at once; the row that is waited for comes first, so that COMMIT is there before the first answer. */
    @Test
    void aTransactionOfTheJavaClientRunsAgain() {
        CompletableFuture<List<CallResult>> results;
        try (Session first = client.begin()) {
            first.execute(WAIT);
            results = CompletableFuture.supplyAsync(this::readAndWrite);
            try (Session second = client.begin()) {
                second.execute("SELECT n FROM counter WHERE id = 1 FOR UPDATE");
                while (!someoneWaits()) {
                    Thread.onSpinWait();
                }
                first.rollback(); // it reads now, and waits for the second row
                while (!hasRead()) {
                    Thread.onSpinWait();
                }
                client.execute("UPDATE counter SET n = n + 1 WHERE id = 1");
            }
        }
        assertThat(results.join().get(1).table().first().getLong(0)).isEqualTo(2);
        assertThat(client.execute("SELECT n FROM seen").table().first().getLong(0))
                .isEqualTo(2);
    }

    private List<CallResult> readAndWrite() {
        try (Session session = client.begin()) {
            List<CompletableFuture<CallResult>> sent = List.of(
                    session.executeAsync("SELECT COUNT(*) FROM counter WHERE id = " + WAITED + " FOR UPDATE"),
                    session.executeAsync(READ),
                    session.executeAsync("SELECT n FROM counter WHERE id = 1 FOR UPDATE"),
                    session.executeAsync(WRITE));
            session.commit();
            return sent.stream().map(CompletableFuture::join).toList();
        }
    }

    /** Whether a transaction has done two statements, and waits for the next one. */
    private boolean hasRead() {
        ResultTable open = client.call("@Statistics", "TRANSACTION").table();
        boolean has = false;
        while (open.next()) {
            has |= "WAITING".equals(open.getString(4)) && open.getLong(6) == 2;
        }
        return has;
    }

    @Test
    void aConflictIsToldWhereResultsHaveLeft() {
        try (Session session = client.begin()) {
            session.execute(READ);
            client.execute("UPDATE counter SET n = n + 1 WHERE id = 1");
            assertThatThrownBy(() -> session.execute(WRITE)).hasMessageContaining("run it again from BEGIN on");
        }
    }
}
