package dev.fulmar.it.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.it.sql.SmallNode;
import dev.fulmar.node.wiring.FulmarNode;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Temporary tables that a node leaves behind at its end are dropped when it is back. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class LeftTemporaryTablesTest {
    private static final String OF_AN_EARLIER_LIFE = "PG_TEMP_0_0123456789ABCDEF";

    private static Connection connect(FulmarNode node) throws SQLException {
        int port = node.postgresAddress().orElseThrow().port();
        return DriverManager.getConnection("jdbc:postgresql://127.0.0.1:" + port + "/fulmar?user=ann");
    }

    private static void execute(FulmarNode node, String sql) {
        CompletableFuture<TransactionResponse> answer = new CompletableFuture<>();
        node.database()
                .submit(
                        new TransactionRequest.AdHoc(0, 0, 0, sql, new byte[] {0, 0}),
                        (_, response) -> answer.complete(response));
        assertThat(answer.join()).isInstanceOf(TransactionResponse.Committed.class);
    }

    /** Waits until the node has dropped what sessions have left behind; the test's time-out ends it. */
    static void awaitNone(FulmarNode node) throws InterruptedException {
        while (!node.database().catalog().temporarySchemas().isEmpty()) {
            Thread.sleep(20);
        }
    }

    @Test
    void leftoversGoAndPermanentTablesStay(@TempDir Path folder) throws Exception {
        FulmarNode first = SmallNode.durable(folder.resolve("data"), 2);
        Connection left = connect(first);
        try (Statement statement = left.createStatement()) {
            statement.execute("CREATE TABLE t (a INTEGER)");
            statement.execute("CREATE TEMP TABLE t (a INTEGER PRIMARY KEY, b INTEGER UNIQUE)");
            statement.execute("INSERT INTO t VALUES (1, 2)");
        } finally {
            first.close(); // before the session ends
            left.close();
        }
        try (FulmarNode node = SmallNode.durable(folder.resolve("data"), 2)) {
            awaitNone(node);
            assertThat(node.database().catalog().tables()).containsOnlyKeys("T");
            try (Connection connection = connect(node);
                    Statement statement = connection.createStatement()) {
                statement.execute("CREATE TEMP TABLE t (a INTEGER PRIMARY KEY, b INTEGER UNIQUE)");
                assertThat(statement.executeUpdate("INSERT INTO t VALUES (1, 2)"))
                        .isEqualTo(1);
            }
        }
    }

    @Test
    void aSchemaOfNoSessionIsDropped(@TempDir Path folder) throws Exception {
        try (FulmarNode node = SmallNode.durable(folder.resolve("data"), 2)) {
            int number = 0;
            execute(
                    node,
                    "CREATE TABLE " + OF_AN_EARLIER_LIFE.replace("_0_", "_" + number + "_")
                            + ".T (A INTEGER PRIMARY KEY) /* TEMPORARY " + OF_AN_EARLIER_LIFE + " */");
            assertThat(node.database().catalog().temporarySchemas()).containsExactly(OF_AN_EARLIER_LIFE);
            awaitNone(node);
            assertThat(node.database().catalog().tables()).isEmpty();
        }
    }
}
